import type { Model } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import type { RecordRow } from '#engine/compiled.ts'
import { columnOf, type Engine } from '#engine/engine.ts'
import type { Actor } from '#engine/history/trace.ts'
import type { Table } from '#engine/tables.ts'
import { one, type Row, type Runner } from '#platform/db.ts'
import type { OutboxMail } from '#platform/mail/outbox.ts'
import { writeStatement } from './statement.ts'
import { refusalOf } from './violations.ts'

/** A record that is created or changed: its row, and what the history keeps of it. */
export type Change = {
  model: Model
  action: 'create' | 'update'
  /** As it will be; its times are filled in when it is written. */
  row: RecordRow
  /** The fields to write. */
  names: string[]
  before: Row | null
  after: Row
  /** `unconditional`: without If-Match, so it may have overwritten someone else's change. */
  outcome: 'done' | 'unconditional'
  revisionId: string
  /** Creates nothing where a unique value is in use. */
  isOptional?: boolean
}

/** A mail of this operation; with a `budget`, only within it. */
export type DueMail = OutboxMail & { budget?: string }

/** What answers a repeated request. */
export type DueKey = {
  owner: string
  key: string
  hash: string
  status: number
  id: string
  revisionId: string
  isConfirmed: boolean | null
}

/** Counts against a limit per minute. */
type DueCount = { counter: string; count: number; max: number }

/** What one statement writes. */
export type Batch = {
  actor: Actor
  requestId: string
  operationId: string
  changes: Change[]
  mails: DueMail[]
  key: DueKey | null
  count: DueCount | null
}

/** What an operation knows of a record that a relation leads to. */
export type Target = { isSeen: boolean; isLocked: boolean; label: unknown }

/** To be read of a record. */
type Late = { table: Table; id: string; columns: SQL[]; facts: Row }

type Parts = {
  engine: Engine
  tx: Runner
  actor: Actor
  requestId: string
  operationId: string
}

export type Work = ReturnType<typeof buildWork>

/**
 * What an operation is going to write. It is written when something is read that could depend on it, and else at the end:
 * in one statement with its history, mails and key.
 */
export function buildWork({ engine, tx, actor, requestId, operationId }: Parts) {
  let [changes, mails]: [Change[], DueMail[]] = [[], []]
  let key: DueKey | null = null
  let count: DueCount | null = null
  let isConfirmed: boolean | null = null
  const all: Change[] = []
  let late: Late[] = []

  async function write(batch: Omit<Batch, 'actor' | 'requestId' | 'operationId'>) {
    const whole = { actor, requestId, operationId, ...batch }
    const models = batch.changes.map(({ model }) => model)
    const rows = await tx.query(writeStatement(engine, whole)).catch((error: unknown) => {
      throw refusalOf(models, error)
    })
    const done = one(rows)
    for (const { action, row } of batch.changes) {
      row.updatedAt = done.now
      if (action === 'create') row.createdAt = done.now
    }
    return done
  }

  async function flush() {
    const due = changes
    changes = []
    if (due.length === 0) return
    await write({ changes: due, mails: [], key: null, count: null })
  }

  return {
    /** Reads what was written before. */
    tx: {
      query: (statement, mode) =>
        changes.length === 0
          ? tx.query(statement, mode)
          : flush().then(() => tx.query(statement, mode)),
    } satisfies Runner,
    /** Reads one model's table: only what is written there matters. */
    txFor: ({ path }: Model): Runner => ({
      query: async (statement, mode) => {
        if (changes.some(({ model }) => model.path === path)) await flush()
        return tx.query(statement, mode)
      },
    }),
    /** What has been changed so far, written or not. */
    changes: all as readonly Change[],
    /** Locked in this transaction, by id, as last changed. */
    held: new Map<string, RecordRow>(),
    /** Where relations lead, by model and id, as far as the caller may see. */
    targets: new Map<string, Target>(),
    /** Numbers for a new record, by model and field. */
    numbers: new Map<string, Row>(),

    async add(change: Change) {
      // One statement can't change a row twice.
      if (changes.some(({ row }) => row.id === change.row.id)) await flush()
      changes.push(change)
      all.push(change)
    },
    /** False if a unique value was in use. */
    async addIfAbsent(change: Change) {
      await flush()
      const { written } = await write({ changes: [change], mails: [], key: null, count: null })
      if (written > 0) all.push(change)
      return written > 0
    },
    mail: (mail: DueMail) => mails.push(mail),
    keep: (due: DueKey) => {
      key = due
    },
    async count(counter: string, max: number) {
      if (count && count.counter !== counter) await writeDue()
      count = { counter, max, count: (count?.count ?? 0) + 1 }
    },
    /** Facts of a record, filled in once everything is written. */
    readLate({ table, id, columns }: Omit<Late, 'facts'>): Row {
      const known = late.find((read) => read.id === id)
      if (known) known.columns.push(...columns)
      const facts = known?.facts ?? {}
      if (!known) late.push({ table, id, columns: [...columns], facts })
      return facts
    },
    finish,
  }

  async function writeDue() {
    const told = key && { ...key, isConfirmed: key.isConfirmed ?? isConfirmed }
    const batch = { changes, mails, key: told, count }
    ;[changes, mails, key, count] = [[], [], null, null]
    const isEmpty = batch.changes.length + batch.mails.length === 0 && !batch.key && !batch.count
    const done = isEmpty ? null : await write(batch)
    isConfirmed = done?.isConfirmed ?? isConfirmed
  }

  /** Writes everything. Says whether the mail with a budget was within it; null if there is none. */
  async function finish() {
    const reads = late
    late = []
    await writeDue()
    for (const { table, id, columns, facts } of reads) {
      const [row] = await tx.query(
        sql`select ${sql.join(columns, sql`, `)} from ${table} where ${columnOf(table, 'id')} = ${id}`,
        'prepared',
      )
      Object.assign(facts, row)
    }
    return isConfirmed
  }
}
