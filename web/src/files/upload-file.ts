import type { FileLabel } from '@gatehouse/model'
import { withToken } from '#data/client.ts'
import { readFailure } from '#data/failure.ts'
import { fileMessages } from '#messages/files.ts'

export type UploadResult = { file: FileLabel } | { failure: string; canRetry: boolean }

type Options = { onProgress: (sent: number) => void; signal: AbortSignal }

/** Sends one file to the server, where it waits for the record that will name it. */
export async function uploadFile(file: File, options: Options): Promise<UploadResult> {
  try {
    const response = await withToken((headers) => post(file, headers, options))
    if (response.ok) return { file: (await response.json()) as FileLabel }
    const { text } = await readFailure(response)
    return {
      failure: fileMessages.refused(text),
      canRetry: response.status >= 500 || response.status === 429 || response.status === 408,
    }
  } catch {
    return { failure: fileMessages.failed, canRetry: true }
  }
}

/** By XMLHttpRequest: `fetch` does not report how much of a body is sent. */
const post = (file: File, headers: Record<string, string>, { onProgress, signal }: Options) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const all = {
      ...headers,
      'content-type': 'application/octet-stream',
      'x-file-name': encodeURIComponent(file.name.toWellFormed()),
    }
    request.open('POST', '/api/files')
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () =>
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: { 'www-authenticate': request.getResponseHeader('www-authenticate') ?? '' },
        }),
      ),
    )
    for (const end of ['error', 'abort', 'timeout'])
      request.addEventListener(end, () => reject(new Error(end)))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
