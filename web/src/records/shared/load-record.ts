import { callApi } from '#data/client.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { readFields } from '#data/field.ts'
import type { Definition } from '#data/definitions.ts'
import type { FormField } from '#forms/inputs/values.ts'
import { recordMessages } from '#messages/record.ts'
import { withLabels } from './labels.ts'
import { loaderError, readBody, type RecordData } from './loader-errors.ts'

/** The record of a path; `?trash=true` reads the trash. */
export async function loadRecord(
  { path, viewData }: Definition,
  id: string,
  { url, signal }: Request,
) {
  const isTrashed = new URL(url).searchParams.get('trash') === 'true'
  const response = await callApi(
    `${path}/${encodeURIComponent(id)}${isTrashed ? '?trash=true' : ''}`,
    { signal },
  )
  if (!response.ok) throw loaderError(specifiedPageMessages.modelError(response.status), response)
  const record = await readObject(response)
  const labelled = record && (await withLabels(viewData.fields, [record], signal))
  return { record: labelled?.[0] ?? null, etag: response.headers.get('etag'), isTrashed }
}

/** For a form: a missing record is an error. */
export async function loadRecordToEdit({ path }: Definition, id: string, signal: AbortSignal) {
  const response = await callApi(`${path}/${encodeURIComponent(id)}`, { signal })
  const record = response.ok ? await readObject(response) : null
  if (!record)
    throw loaderError(
      specifiedPageMessages.recordMissing,
      response.ok ? { status: 404, statusText: '' } : response,
    )
  return { record, etag: response.headers.get('etag') }
}

/** Form metadata: `{ fields }`, or another server's bare array. */
export async function loadFormFields(
  { path }: Definition,
  signal: AbortSignal,
): Promise<FormField[]> {
  const response = await callApi(`${path}/form-metadata`, { signal })
  const body = response.ok ? await readBody(response) : null
  const list: unknown = Array.isArray(body) ? body : Reflect.get(Object(body), 'fields')
  const fields = Array.isArray(list) ? readFields(list) : []
  if (fields.length === 0)
    throw loaderError(
      specifiedPageMessages.metadataMissing,
      response.ok ? { status: 404, statusText: '' } : response,
      recordMessages.noForm,
    )
  return fields
}

/** Null unless the body is a non-empty object. */
async function readObject(response: Response): Promise<RecordData | null> {
  const body = await readBody(response)
  return typeof body === 'object' &&
    body !== null &&
    !Array.isArray(body) &&
    Object.keys(body).length > 0
    ? (body as RecordData)
    : null
}
