import { readFailure, type Failure } from './client.ts'
import type { DefinitionField } from './field.ts'
import { idempotencyKey, releaseKey } from './idempotency-key.ts'
import { merge, type Merge } from './merge.ts'
import type { RecordData } from './records.ts'
import { revalidatePage } from './revalidate.ts'
import { sendToApi } from './send.ts'
import { canUndo, type Undo } from './undo.ts'
import { writeMessages } from '#messages/write.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { showToast, showWhilePending, type Toast } from '#feedback/toasts.tsx'

/** The record a change is based upon, and its version. */
export type Base = { record: RecordData; etag: string | null }

/** What is to be written, and what is said about it. */
export type Intent = {
  method?: 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: object
  /** The version that was shown: a write upon it never overwrites what came after. */
  etag?: string | null | undefined
  /** The record and the fields of the form: what others changed in the meantime is merged field by field. */
  merge?: { record: RecordData; fields: DefinitionField[] }
  /** The toast of a success; without one nothing is said. */
  done?: (saved: Saved) => string | Toast
  /** The toast of a failure; a form leaves it out and shows the failure itself. */
  failed?: (failure: Failure, failed: Failed) => string | Toast
  /** Offers to undo it in the toast of its success. */
  undo?: Undo
  /** Nothing on the page can show that it is under way: a toast does, when it takes long. */
  isDetached?: boolean
  /** See send.ts. */
  isAnonymous?: boolean
}

export type Saved = {
  kind: 'saved'
  /** The server's answer over what was sent. */
  record: RecordData
  operationId: string | null
  /** Whether a confirmation was queued: a page says so only then. */
  isConfirmed: boolean
  /** Fields that someone else changed in the meantime, and that were kept. */
  theirs: DefinitionField[]
}
export type Failed = {
  kind: 'failed'
  /** 0 where no answer came. */
  status: number
  failure: Failure
  /** The record as it is, from an answer that refused an old version. */
  current: Base | null
}
/** Both sides changed the same field: a person has to choose. */
export type Conflict = { kind: 'conflict'; merge: Merge; base: Base }
export type Outcome = Saved | Failed | Conflict

/** Someone who saves all the time would keep us busy for ever. */
const TRIES_MAX = 5
const PENDING_TOAST_AFTER_MS = 500

const underWay = new Map<string, Promise<Outcome>>()

/** Every write of the site. The same write, asked for while it is under way, is that write. */
export function mutate(intent: Intent): Promise<Outcome> {
  const write = JSON.stringify([intent.method, intent.path, intent.body, intent.etag])
  const running = underWay.get(write)
  if (running) return running
  const outcome = run(intent, write).finally(() => underWay.delete(write))
  underWay.set(write, outcome)
  return outcome
}

/** The version of a record as an ETag, where the server tells one. */
export const etagOf = (version: unknown) =>
  version === undefined || version === null ? null : `"${String(version)}"`

async function run(intent: Intent, write: string): Promise<Outcome> {
  const stopWaiting = intent.isDetached ? toastWhilePending() : undefined
  const outcome = await send(intent, write)
  stopWaiting?.()
  if (outcome.kind === 'saved') {
    releaseKey(write)
    await tellSaved(intent, outcome)
  }
  if (outcome.kind === 'failed' && intent.failed)
    showToast(asToast(intent.failed(outcome.failure, outcome), 'danger'))
  return outcome
}

async function send(intent: Intent, write: string): Promise<Outcome> {
  const { method = 'POST', path, isAnonymous } = intent
  const theirs = new Map<string, DefinitionField>()
  let { body, etag, merge: upon } = intent
  for (let tries = 1; ; tries++) {
    const response = await sendToApi(path, {
      method,
      body,
      isAnonymous,
      headers: {
        ...(method === 'POST' && !isAnonymous ? { 'idempotency-key': idempotencyKey(write) } : {}),
        ...(etag ? { 'if-match': etag } : {}),
      },
    }).catch(() => null)
    if (!response) return UNREACHABLE
    if (response.ok) return readSaved(response, { ...upon?.record, ...body }, [...theirs.values()])
    const failed = await readFailed(response, intent)
    const { current } = failed
    if (!upon || !current || tries === TRIES_MAX) return failed
    const merged = merge(upon.fields, {
      original: upon.record,
      mine: body as RecordData,
      current: current.record,
    })
    for (const field of merged.theirs) theirs.set(field.name, field)
    if (merged.clashes.length > 0)
      return {
        kind: 'conflict',
        merge: { ...merged, theirs: [...theirs.values()] },
        base: current,
      }
    body = merged.merged
    etag = current.etag
    upon = { ...upon, record: current.record }
  }
}

const UNREACHABLE: Failed = {
  kind: 'failed',
  status: 0,
  failure: { text: siteMessages.unreachable, errors: [] },
  current: null,
}

async function readSaved(
  response: Response,
  sent: object,
  theirs: DefinitionField[],
): Promise<Saved> {
  const answer: unknown = await response.json().catch(() => null)
  return {
    kind: 'saved',
    record: { ...sent, ...Object(answer) },
    operationId: response.headers.get('operation-id'),
    isConfirmed: response.headers.get('confirmation-email') === 'queued',
    theirs,
  }
}

/** The server's words, and where we know more: that what was typed is not lost, and what to do now. */
async function readFailed(response: Response, { merge: upon, failed }: Intent): Promise<Failed> {
  const { status } = response
  const current = await readCurrent(response.clone())
  const failure = await readFailure(response)
  const isForm = !failed
  const more =
    status === 401 && isForm
      ? writeMessages.signInAgain
      : status === 404 && upon
        ? writeMessages.deletedMeanwhile
        : null
  const text = more ? `${failure.text.replace(/\.?$/, '.')} ${more}` : failure.text
  return { kind: 'failed', status, failure: { ...failure, text }, current }
}

async function readCurrent(response: Response): Promise<Base | null> {
  const body: unknown = await response.json().catch(() => null)
  const record: unknown = Reflect.get(Object(body), 'current')
  if (typeof record !== 'object' || record === null) return null
  const etag = response.headers.get('etag') ?? etagOf(Reflect.get(record, 'version'))
  return { record: record as RecordData, etag }
}

async function tellSaved({ done, undo }: Intent, saved: Saved) {
  if (!done) return
  const { operationId, theirs } = saved
  const isUndoable = operationId !== null && undo && (await canUndo(undo))
  showToast({
    ...asToast(done(saved), 'success'),
    ...(isUndoable
      ? { action: { label: writeMessages.undo, run: () => void undoFromToast(operationId, undo) } }
      : {}),
  })
  if (theirs.length > 0)
    showToast({
      message: writeMessages.mergedTheirs(theirs.map(({ label }) => label)),
      type: 'info',
    })
}

/** Takes an operation back, with everything that was done along with it. */
export const toUndo = (operationId: string): Intent => ({
  path: `operations/${encodeURIComponent(operationId)}/undo`,
  done: () => writeMessages.undone,
  failed: ({ text }) => text,
})

/** The button in a toast is gone once it is pressed. */
async function undoFromToast(operationId: string, { onUndone = revalidatePage }: Undo) {
  const outcome = await mutate({ ...toUndo(operationId), isDetached: true })
  if (outcome.kind === 'saved') await onUndone()
}

function toastWhilePending() {
  let close: (() => void) | undefined
  const timer = setTimeout(() => {
    close = showWhilePending(specifiedPageMessages.saving)
  }, PENDING_TOAST_AFTER_MS)
  return () => {
    clearTimeout(timer)
    close?.()
  }
}

const asToast = (said: string | Toast, type: 'success' | 'danger'): Toast =>
  typeof said === 'string' ? { message: said, type } : said
