import { callApi, readFailure, type Failure } from '#data/client.ts'
import { formMessages } from '#messages/form.ts'
import type { FormField } from '#forms/inputs/values.ts'
import type { Definition } from '#data/definitions.ts'
import { readBody, type RecordData } from './loading.ts'
import { merge, type Merge } from './merge.ts'

/** The record a change is based upon, and its version. */
export type Base = { record: RecordData; etag: string | null }

type Saved = {
  kind: 'saved'
  /** The server's words about the record, where it has any, over what was sent. */
  record: RecordData
  operationId: string | null
  /** What somebody else had changed meanwhile and was kept. */
  theirs: FormField[]
}
/** Both sides changed the same: a person has to choose. */
export type Conflict = { kind: 'conflict'; merge: Merge; base: Base }
export type Outcome = Saved | Conflict | { kind: 'failed'; failure: Failure }

/** Somebody who saves all the time would keep us busy for ever. */
const TRIES_MAX = 5

export async function createRecord(definition: Definition, body: RecordData, key: string) {
  const response = await send(definition.routeName, {
    method: 'POST',
    body,
    headers: { 'idempotency-key': key },
  })
  return response.ok ? saved(response, body, []) : failed(response)
}

type Change = { id: string; fields: FormField[]; base: Base; body: RecordData }

/** Saves upon the version it was based on; what others changed meanwhile and does not touch mine is taken in. */
export async function updateRecord(definition: Definition, change: Change): Promise<Outcome> {
  const theirs = new Map<string, FormField>()
  let { base, body } = change
  for (let tries = 1; ; tries++) {
    const response = await send(`${definition.routeName}/${change.id}`, {
      method: 'PUT',
      body,
      headers: base.etag ? { 'if-match': base.etag } : {},
    })
    if (response.ok) return saved(response, { ...base.record, ...body }, [...theirs.values()])
    const current = response.status === 412 ? await readCurrent(response) : null
    if (!current || tries === TRIES_MAX)
      return failed(response, { 404: formMessages.deletedMeanwhile })
    const merged = merge(change.fields, {
      original: base.record,
      mine: body,
      current: current.record,
    })
    for (const field of merged.theirs) theirs.set(field.name, field)
    if (merged.clashes.length > 0)
      return {
        kind: 'conflict',
        merge: { ...merged, theirs: [...theirs.values()] },
        base: current,
      }
    base = current
    body = merged.merged
  }
}

/** The record as it is now, from the answer that refused ours. */
async function readCurrent(response: Response): Promise<Base | null> {
  const body: unknown = await readBody(response.clone()).catch(() => null)
  const record: unknown = Reflect.get(Object(body), 'current')
  if (typeof record !== 'object' || record === null) return null
  const version: unknown = Reflect.get(record, 'version')
  return {
    record: record as RecordData,
    etag: response.headers.get('etag') ?? (version === undefined ? null : `"${String(version)}"`),
  }
}

async function saved(response: Response, sent: RecordData, theirs: FormField[]): Promise<Saved> {
  const answer: unknown = await response.json().catch(() => null)
  return {
    kind: 'saved',
    record: { ...sent, ...Object(answer) },
    operationId: response.headers.get('operation-id'),
    theirs,
  }
}

/** The server's words, and where we know more: that what was typed is not lost, and what to do now. */
async function failed(response: Response, more: Record<number, string> = {}): Promise<Outcome> {
  const failure = await readFailure(response)
  const words = { 401: formMessages.signInAgain, ...more }[response.status]
  const text = words ? `${failure.text.replace(/\.?$/, '.')} ${words}` : failure.text
  return { kind: 'failed', failure: { ...failure, text } }
}

/** A network that fails is an answer too: the form keeps what was typed and says so. */
const send = (path: string, options: Parameters<typeof callApi>[1]) =>
  callApi(path, options).catch(
    (error: unknown) => new Response(error instanceof Error ? error.message : '', { status: 503 }),
  )
