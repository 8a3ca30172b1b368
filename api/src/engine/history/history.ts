import {
  isRelation,
  isStaff,
  queryMessages,
  reaches,
  withPresentNames,
  type Access,
  type Field,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row } from '#platform/db.ts'
import { invalidQuery } from '#platform/errors.ts'
import { revisions } from './history-tables.ts'
import { actorNames, type NamedActor } from './actors.ts'
import { compiledFor } from '#engine/engine.ts'
import { getRecord, withTrash, type ReadContext } from '#engine/query/get-record.ts'
import { visibleAtVersion } from '#engine/query/visibility.ts'
import { undoableOf } from './undo-eligibility.ts'

const PAGE_SIZE = 50

/** Users see the history of their own records. Public records may have unpublished versions, so only admins see theirs. */
export const historyAccess = (model: Model): Access => {
  const least = model.rowScope === null ? 'admin' : 'user'
  return reaches(model.access.get, least) ? model.access.get : least
}

export const HISTORY_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          version: { type: 'integer' },
          action: { type: 'string', enum: ['create', 'update', 'delete', 'restore'] },
          at: { type: 'string', format: 'date-time' },
          isYou: { type: 'boolean' },
          by: {
            type: ['string', 'null'],
            description: 'Who made the change; visible to staff only',
          },
          operation: {
            type: ['string', 'null'],
            format: 'uuid',
            description: 'Operation to undo; null if you can’t undo it',
          },
          changes: {
            type: 'array',
            items: {
              type: 'object',
              properties: { field: { type: 'string' }, before: {}, after: {} },
              required: ['field', 'before', 'after'],
            },
          },
        },
        required: ['version', 'action', 'at', 'isYou', 'by', 'operation', 'changes'],
      },
    },
    next: { type: ['integer', 'null'], description: 'Pass as `before` for older entries' },
  },
  required: ['items', 'next'],
}

type HistoryEntry = {
  version: number
  action: string
  at: string
  isYou: boolean
  /** The actor's name, for admins only. */
  by: string | null
  /** Null if the caller may not undo it, or if a record it created or restored can't be deleted. */
  operation: string | null
  changes: { field: string; before: unknown; after: unknown }[]
}

/** `before` is also null if the caller could not see the previous version. */
type RevisionRow = {
  version: number
  action: string
  at: string
  before: Row | null
  after: Row | null
  actorRef: string | null
  operationId: string
}

/**
 * The history of a record, newest first: only visible records and fields, and only versions that were visible then.
 * Users get no relations: the visibility of a target may have changed since.
 */
export async function historyOf(
  context: ReadContext,
  id: string,
  before: number | null,
): Promise<{ items: HistoryEntry[]; next: number | null }> {
  await getRecord(withTrash(context), id)
  const { tx, model, caller } = context
  const fields = compiledFor(context).record.fields.filter(
    ([, field]) => !isRelation(field) || isStaff(caller.level),
  )
  const older = before === null ? sql`` : sql`and step.version < ${before}`
  const rows = await tx.query(
    sql<RevisionRow>`select step.version, step.action, step.at, step.after, step.actor_ref as "actorRef",
        step.operation_id as "operationId",
        case when ${visibleAtVersion(context, 'earlier')} then step.before end as before
      from ${revisions} step left join ${revisions} earlier
        on (earlier.model, earlier.record_id, earlier.version) = (step.model, step.record_id, step.version - 1)
      where step.model = ${model.path} and step.record_id = ${id} and ${visibleAtVersion(context, 'step')} ${older}
      order by step.version desc limit ${PAGE_SIZE + 1}`,
    'prepared',
  )
  const page = rows.slice(0, PAGE_SIZE)
  const actorOf = await actorNames(
    context,
    page.map(({ actorRef }) => actorRef),
  )
  // Users may undo their own changes, admins all.
  const ownOrAll = page.filter(({ actorRef }) => isStaff(caller.level) || actorOf(actorRef).isYou)
  const undoable = await undoableOf(
    context,
    ownOrAll.map(({ operationId }) => operationId),
  )
  const last = page.at(-1)
  return {
    items: page.map((row) => toEntry(row, { model, fields, by: actorOf(row.actorRef), undoable })),
    next: rows.length > PAGE_SIZE && last ? last.version : null,
  }
}

/** Parses `before`: the page contains older versions only. */
export function readBefore(text: unknown): number | null {
  if (text === undefined || text === '') return null
  if (typeof text !== 'string' || !/^[1-9]\d{0,8}$/.test(text))
    throw invalidQuery(queryMessages.beforeVersion)
  return Number(text)
}

type EntryContext = {
  model: Model
  fields: [string, Field][]
  by: NamedActor
  undoable: Set<string>
}

const toEntry = (row: RevisionRow, { model, fields, by, undoable }: EntryContext): HistoryEntry => {
  const before = withPresentNames(model, row.before ?? {})
  const after = withPresentNames(model, row.after ?? {})
  return {
    version: row.version,
    action: row.action,
    at: row.at,
    isYou: by.isYou,
    by: by.name,
    operation: undoable.has(row.operationId) ? row.operationId : null,
    changes: fields.flatMap(([field]) => {
      const [was, is] = [before[field] ?? null, after[field] ?? null]
      return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ field, before: was, after: is }]
    }),
  }
}
