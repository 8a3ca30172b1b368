import { callApi, readFailure, type Failure } from './client.ts'
import { siteMessages } from '#messages/site.ts'

type Act = {
  /** Of the model, the record and the action. */
  path: string
  body?: object
  /** Of the record as it was shown: what happened since must be seen first. */
  version: unknown
  key: string
}

export type Acted =
  | { kind: 'done'; operationId: string | null }
  | {
      kind: 'failed'
      status: number
      failure: Failure
      /** The record as it is, where it was changed meanwhile. */
      current: Record<string, unknown> | null
    }

/** Does something to a record, once per key. */
export async function act({ path, body, version, key }: Act): Promise<Acted> {
  const response = await callApi(path, {
    method: 'POST',
    ...(body ? { body } : {}),
    headers: {
      'idempotency-key': key,
      ...(version === undefined ? {} : { 'if-match': `"${String(version)}"` }),
    },
  }).catch(() => null)
  if (!response)
    return {
      kind: 'failed',
      status: 0,
      failure: { text: siteMessages.unreachable, errors: [] },
      current: null,
    }
  if (response.ok) return { kind: 'done', operationId: response.headers.get('operation-id') }
  const answer: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const current: unknown = Reflect.get(Object(answer), 'current')
  return {
    kind: 'failed',
    status: response.status,
    failure: await readFailure(response),
    current: current ? (current as Record<string, unknown>) : null,
  }
}
