import { isStaff, type Model, type SecurityEvent } from '@gatehouse/model'
import { newId } from '#platform/uuid.ts'
import type { Row } from '#platform/db.ts'
import { budgetOf } from '#platform/mail/confirmation-budget.ts'
import { contextOf } from '#platform/site-config.ts'
import type { ChangeEvent, CompiledBehaviour } from '#engine/compile-behaviours.ts'
import { behaviourOf, modelOf } from '#engine/engine.ts'
import type { ClaimedKey } from './idempotency.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import type { Actor } from '#engine/history/audit-trail.ts'
import type { ReadContext } from '#engine/query/get-record.ts'
import type { Records, Typed } from '#engine/records.ts'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import { revoke, revokeSessions, type EndedSessions } from '#platform/identity/revoke.ts'
import type { CreationQuota } from './write-quota.ts'

/** A change has an actor and a request; all changes of one request share an operation. */
export type WriteContext = ReadContext & {
  actor: Actor
  requestId: string
  operationId: string
  work: UnitOfWork
  quota: CreationQuota
  /** Injected to break the import cycle: writing records fires events. */
  recordsFor: (write: WriteContext, model: Model) => Records<Typed>
  /** Nesting depth of behaviours that trigger each other. */
  depth: number
  claimed: ClaimedKey
}

export type OperationContext = Omit<WriteContext, 'model'>

type State = { record: Row; previous: Row | null }

/** Each hook sees the values set by those before it. */
export async function before(write: WriteContext, event: ChangeEvent, state: State) {
  let decided: Row = {}
  for (const hook of behaviourOf(write).before[event])
    decided = {
      ...decided,
      ...defined(await hook(changeOf(write, event, patched(state, decided)))),
    }
  return decided
}

/** `undefined` becomes null, as in the columns. */
const defined = (values: Row = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null]))

const patched = ({ record, previous }: State, decided: Row): State => ({
  record: { ...record, ...decided },
  previous,
})

export async function compute(write: WriteContext, event: ChangeEvent, state: State) {
  const { computed } = behaviourOf(write)
  if (computed.length === 0) return state.record
  const change = changeOf(write, event, patched(state, {}))
  for (const [name, run] of computed) change.record[name] = (await run(change)) ?? null
  return change.record
}

export async function validate(write: WriteContext, event: ChangeEvent, state: State) {
  const { validate: hooks } = behaviourOf(write)
  const errors = []
  for (const hook of hooks) errors.push(...(await hook(changeOf(write, event, state))))
  // Drops extra properties, which types allow, from the response.
  return errors.map(({ field, message }) => ({ field, message }))
}

export async function after(write: WriteContext, event: ChangeEvent, state: State) {
  for (const hook of behaviourOf(write).after[event]) await hook(changeOf(write, event, state))
}

const changeOf = (write: WriteContext, event: ChangeEvent, { record, previous }: State) => ({
  ...hookContextOf(write),
  event,
  record,
  previous,
})

export const hookContextOf = (write: WriteContext) => {
  const { engine, caller } = write
  return {
    caller,
    context: contextOf(engine.site),
    site: engine.site,
    desk: engine.desk,
    directory: engine.directory,
    securityEvent: async (event: SecurityEvent) => {
      await recordSecurityEvents(write.tx, [event])
    },
    revoke: (sub: string) => revoke(write.tx, { sub }),
    revokeSessions: (ended: EndedSessions) => revokeSessions(write.tx, ended),
    records: ({ path }: Pick<Model, 'path'>) => write.recordsFor(write, modelOf(engine, path)),
    claimsOf: async (sub: string) =>
      engine.identity.claimsOf?.({ engine, db: write.tx, sub }) ?? {},
    mail: queueMail(write, behaviourOf(write).mails),
  }
}

/** Confirmation mails are budgeted; the response says whether one was queued. */
export const queueMail =
  ({ caller, work }: OperationContext, mails: CompiledBehaviour['mails']) =>
  async (kind: string, recipient: string | null, data: object) => {
    if (recipient === null) return
    const form = mails[kind]?.confirms
    // Staff are trusted with addresses.
    const isFree = form === undefined || isStaff(caller.level)
    const budget = isFree ? {} : budgetOf({ form, visitor: caller.visitor, recipient })
    if (form !== undefined && !('budget' in budget)) work.confirm()
    work.mail({ id: newId(), kind, recipient, data, ...budget })
  }
