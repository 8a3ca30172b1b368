import { data } from 'react-router'
import { statusPhrase } from '#data/failure.ts'

export { displayOf, type RecordData } from '#data/records.ts'

/** Turns loader failures into status and message for the error screen. */
export async function withLoaderErrors<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    if (!(error instanceof Error)) throw error
    throw loaderError(error.message, { status: 500, statusText: '' })
  }
}

/** For the error screen; `notFound` is its hint for status 404. */
export const loaderError = (
  message: string,
  response: { status: number; statusText: string },
  notFound?: string,
) =>
  data(response.status === 404 && notFound ? { message, detail: notFound } : message, {
    status: response.status,
    statusText: statusPhrase(response),
  })

export async function readBody(response: Response): Promise<unknown> {
  const text = await response.text()
  return text ? JSON.parse(text) : null
}
