import type { Model } from '@gatehouse/model'
import type { RecordRow } from '#engine/compile-models.ts'
import type { Engine } from '#engine/engine.ts'
import type { Actor } from '#engine/history/audit-trail.ts'
import { onlyRow, type Row, type Runner } from '#platform/db.ts'
import type { OutboxMail } from '#platform/mail/outbox.ts'
import { fileChangesOf, lockAddedFiles, type FileChange } from '#engine/files/changed-files.ts'
import { writeStatement } from './unit-of-work-statement.ts'
import type { QueuedKey } from './idempotency.ts'
import { toConstraintError } from './constraint-errors.ts'

export type Change = {
  model: Model
  action: 'create' | 'update'
  /** The new state; its times are set by the write. */
  row: RecordRow
  names: string[]
  before: Row | null
  after: Row
  /** `unconditional`: without If-Match, so it may have overwritten another user's change. */
  outcome: 'done' | 'unconditional'
  revisionId: string
  /** What it adds to and takes out of file fields; set by `add`. */
  files?: FileChange[]
  /** Creates nothing if a unique value is in use. */
  isOptional?: boolean
}

/** A mail of this operation; with a `budget`, only within it. */
export type QueuedMail = OutboxMail & { budget?: string }

/** Written by one statement. */
export type Batch = {
  actor: Actor
  requestId: string
  operationId: string
  changes: Change[]
  mails: QueuedMail[]
  key: QueuedKey | null
}

export type RelationTarget = { isSeen: boolean; isLocked: boolean }

type Parts = {
  engine: Engine
  tx: Runner
  actor: Actor
  requestId: string
  operationId: string
}

export type UnitOfWork = ReturnType<typeof buildUnitOfWork>

/**
 * Queued writes of an operation; flushed before a dependent read and at the end, in one statement with history, mails
 * and idempotency key.
 */
export function buildUnitOfWork({ engine, tx, actor, requestId, operationId }: Parts) {
  let [changes, mails]: [Change[], QueuedMail[]] = [[], []]
  let key: QueuedKey | null = null
  let isConfirmed: boolean | null = null
  let isMailed = false
  const all: Change[] = []

  /** Locked before anything is written: a file that may not be added rolls back the operation, with an error at its field. */
  async function lockFiles(change: Change) {
    const changed = fileChangesOf(change)
    if (changed.length === 0) return
    const added = changed.flatMap((one) => one.added)
    // One statement can't change a row twice, and a moved file must have left its record before.
    if (changes.flatMap(removedBy).some((id) => added.includes(id))) await flush()
    await lockAddedFiles(tx, {
      model: change.model,
      recordId: change.row.id,
      changes: changed,
      actorRef: actor.ref,
      moved: new Set(all.flatMap(removedBy)),
    })
    change.files = changed
  }

  async function write(batch: Omit<Batch, 'actor' | 'requestId' | 'operationId'>) {
    const models = batch.changes.map(({ model }) => model)
    const statement = writeStatement(engine, { actor, requestId, operationId, ...batch })
    const rows = await tx.query(statement).catch((error: unknown) => {
      throw toConstraintError(models, error)
    })
    const done = onlyRow(rows)
    isConfirmed = done.isConfirmed ?? isConfirmed
    for (const { action, row } of batch.changes) {
      row.updatedAt = done.now
      if (action === 'create') row.createdAt = done.now
    }
    return done
  }

  async function flush() {
    const keyToStore = key && { ...key, isConfirmed: key.isConfirmed ?? isConfirmed }
    const batch = { changes, mails, key: keyToStore }
    const isEmpty = changes.length + mails.length === 0 && !key
    ;[changes, mails, key] = [[], [], null]
    if (!isEmpty) await write(batch)
  }

  return {
    /** Flushes queued changes before each read. */
    tx: {
      query: async (statement, mode) => {
        if (changes.length > 0) await flush()
        return tx.query(statement, mode)
      },
    } satisfies Runner,
    /** For reads of one model's table: flushes only if that model has queued changes. */
    txFor: ({ path }: Model): Runner => ({
      query: async (statement, mode) => {
        if (changes.some(({ model }) => model.path === path)) await flush()
        return tx.query(statement, mode)
      },
    }),
    /** All changes so far, written or queued. */
    changes: all as readonly Change[],
    /** Locked in this transaction, by id, as last changed. */
    lockedRows: new Map<string, RecordRow>(),
    /** Checked targets of relations, by model and id. */
    targets: new Map<string, RelationTarget>(),

    async add(change: Change) {
      // One statement can't change a row twice.
      if (changes.some(({ row }) => row.id === change.row.id)) await flush()
      await lockFiles(change)
      changes.push(change)
      all.push(change)
    },
    /** False if a unique value was in use. */
    async addIfAbsent(change: Change) {
      await flush()
      await lockFiles(change)
      const { written } = await write({ changes: [change], mails: [], key: null })
      if (written > 0) all.push(change)
      return written > 0
    },
    mail: (mail: QueuedMail) => {
      isMailed = true
      mails.push(mail)
    },
    isMailed: () => isMailed,
    queueKey: (queued: QueuedKey) => {
      key = queued
    },
    /** Whether the confirmation is queued; null if the operation has none. */
    isConfirmed: () => isConfirmed,
    confirm: () => {
      isConfirmed = true
    },
    flush,
  }
}

/** Files that the change takes out of its record. */
const removedBy = ({ files = [] }: Change) => files.flatMap(({ removed }) => removed)
