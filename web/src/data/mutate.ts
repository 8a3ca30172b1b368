import { withToken } from './client.ts'
import { readFailure, type Failure } from './failure.ts'
import type { DefinitionField } from './field.ts'
import { idempotencyKey, releaseKey } from './idempotency-key.ts'
import { merge, type Merge } from './merge.ts'
import type { RecordData } from './records.ts'
import { revalidatePage, writes } from './revalidate.ts'
import { send } from './send.ts'
import { canUndo, type Undo } from './undo.ts'
import { parseChallenge } from '#auth/challenge.ts'
import { stepUp } from '#auth/step-up.ts'
import { writeMessages } from '#messages/write.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { showToast, showWhilePending, type Toast } from '#feedback/toasts.tsx'

/** The record a change is based on, and its version. */
export type Base = { record: RecordData; etag: string | null }

export type Intent = {
  method?: 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: object
  /** The version shown, sent as If-Match: later changes are never overwritten. */
  etag?: string | null | undefined
  /** The form's base and fields: concurrent changes are merged field by field. */
  merge?: { record: RecordData; fields: DefinitionField[] }
  /** The success toast; none if absent. */
  done?: (saved: Saved) => string | Toast
  /** The failure toast; forms omit it and show the failure themselves. */
  failed?: (failure: Failure, failed: Failed) => string | Toast
  /** Offers Undo in the success toast. */
  undo?: Undo
  /** Nothing on the page can show progress: a toast does, when it takes long. */
  isDetached?: boolean
}

export type Saved = {
  kind: 'saved'
  /** The sent values, overlaid with the response. */
  record: RecordData
  operationId: string | null
  /** Whether a confirmation email was queued. */
  isConfirmed: boolean
  /** Whether an action sent an email; null if the server doesn't report it. */
  isMailed: boolean | null
  /** Fields merged in from another user's change. */
  theirs: DefinitionField[]
}
export type Failed = {
  kind: 'failed'
  /** 0 without a response. */
  status: number
  failure: Failure
  /** The current record, from a 412. */
  current: Base | null
}
/** Both sides changed the same field: the user must choose. */
export type Conflict = { kind: 'conflict'; merge: Merge; base: Base }
export type Outcome = Saved | Failed | Conflict

/** Ends the loop if another user saves constantly, or a step-up challenge repeats. */
const TRIES_MAX = 5
const PENDING_TOAST_AFTER_MS = 500

const inFlight = new Map<string, Promise<Outcome>>()

/** Writes of the site go through here, except the proof of consent. Concurrent identical writes are sent once. */
export function mutate(intent: Intent): Promise<Outcome> {
  const write = JSON.stringify([intent.method, intent.path, intent.body, intent.etag])
  const running = inFlight.get(write)
  if (running) return running
  const outcome = run(intent, write).finally(() => inFlight.delete(write))
  inFlight.set(write, outcome)
  return outcome
}

export const etagOf = (version: unknown) =>
  version === undefined || version === null ? null : `"${String(version)}"`

async function run(intent: Intent, write: string): Promise<Outcome> {
  const stopWaiting = intent.isDetached ? toastWhilePending() : undefined
  const outcome = await sendMutation(intent, write)
  stopWaiting?.()
  if (outcome.kind === 'saved') {
    releaseKey(write)
    writes.set(writes.get() + 1)
    await toastSaved(intent, outcome)
  }
  if (outcome.kind === 'failed' && intent.failed)
    showToast(asToast(intent.failed(outcome.failure, outcome), 'danger'))
  return outcome
}

async function sendMutation(intent: Intent, write: string): Promise<Outcome> {
  const { method = 'POST', path } = intent
  const theirs = new Map<string, DefinitionField>()
  let { body, etag, merge: upon } = intent
  for (let tries = 1; ; tries++) {
    const headers = {
      ...(method === 'POST' ? { 'idempotency-key': idempotencyKey(write) } : {}),
      ...(etag ? { 'if-match': etag } : {}),
    }
    const sent = body
    const response = await withToken((token) =>
      send(path, { method, body: sent, headers: { ...token, ...headers } }),
    ).catch(() => null)
    if (!response) return UNREACHABLE
    if (response.ok) return readSaved(response, { ...upon?.record, ...body }, [...theirs.values()])
    const stepUpChallenge = parseChallenge(response)
    // Retried with the same key, so nothing is written twice.
    if (stepUpChallenge && tries < TRIES_MAX && (await stepUp(stepUpChallenge))) continue
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
  const mailed = response.headers.get('mailed')
  return {
    kind: 'saved',
    record: { ...sent, ...Object(answer) },
    operationId: response.headers.get('operation-id'),
    isConfirmed: response.headers.get('confirmation-email') === 'queued',
    isMailed: mailed === null ? null : mailed === 'true',
    theirs,
  }
}

/** The server's message, plus a hint if we have one. */
async function readFailed(response: Response, { merge: upon, failed }: Intent): Promise<Failed> {
  const { status } = response
  const current = await readCurrent(response.clone())
  const failure = await readFailure(response)
  const isForm = !failed
  const more =
    status === 401 && isForm && !parseChallenge(response)
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

async function toastSaved({ done, undo }: Intent, saved: Saved) {
  if (!done) return
  const { operationId, isMailed, theirs } = saved
  const isUndoable = operationId !== null && undo && (await canUndo(undo))
  showToast({
    ...asToast(done(saved), 'success'),
    ...(isUndoable
      ? {
          action: {
            label: writeMessages.undo,
            run: () => void undoFromToast({ operationId, isMailed }, undo),
          },
        }
      : {}),
  })
  if (theirs.length > 0)
    showToast({
      message: writeMessages.mergedTheirs(theirs.map(({ label }) => label)),
      type: 'info',
    })
}

export const toUndo = (operationId: string): Intent => ({
  path: `operations/${encodeURIComponent(operationId)}/undo`,
  done: () => writeMessages.undone,
  failed: ({ text }) => text,
})

/** Detached: the toast closes when its button is clicked. */
async function undoFromToast(
  { operationId, isMailed }: { operationId: string; isMailed: boolean | null },
  { onUndone = revalidatePage }: Undo,
) {
  const outcome = await mutate({
    ...toUndo(operationId),
    ...(isMailed ? { done: () => writeMessages.undoneAfterEmail } : {}),
    isDetached: true,
  })
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
