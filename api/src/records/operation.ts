import { canDo, canSee, fieldOf, type Action, type Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Change } from '#audit.ts'
import type { Row, Runner } from '#db.ts'
import { revisions } from '#table.ts'
import type { Caller, Engine } from './engine.ts'

/** What an operation did to one record. */
export type OperationStep = {
  operation: string
  model: Model
  recordId: string
  version: number
  action: Change['action']
  before: Row | null
  actorRef: string | null
}

/** How each change is taken back: by which other, and with which right. */
export const UNDOING = {
  create: { by: 'delete', needs: 'delete' },
  update: { by: 'update', needs: 'update' },
  delete: { by: 'restore', needs: 'delete' },
  restore: { by: 'delete', needs: 'delete' },
} as const satisfies Record<Change['action'], { by: Change['action']; needs: Action }>

/** All that these operations did, newest first. What was done to a model that is no more is not ours to tell. */
export async function stepsOf(engine: Engine, tx: Runner, operations: string[]) {
  const rows = await tx.query(
    sql`select operation_id, model, record_id, version, action, before, actor_ref from ${revisions}
      where operation_id = any(${sql.param(operations)}::uuid[]) order by id desc`,
    'prepared',
  )
  return rows.flatMap((row): OperationStep[] => {
    const model = engine.models.find(({ path }) => path === row['model'])
    return model ? [toStep(model, row)] : []
  })
}

/**
 * May the caller take all of this back, as far as rights go? What somebody changed when they were an admin, in fields
 * they see no more, is not theirs to change back.
 */
export const canUndo = (steps: OperationStep[], { visitor, level }: Caller) =>
  steps.every(
    ({ model, action, before }) =>
      canDo(model, UNDOING[action].needs, visitor) &&
      (action !== 'update' || Object.keys(before ?? {}).every(isSeen(model, level))),
  )

const isSeen = (model: Model, level: Caller['level']) => (name: string) => {
  const field = fieldOf(model, name)
  return field !== undefined && canSee(field, level)
}

const toStep = (model: Model, row: Row): OperationStep => ({
  operation: String(row['operation_id']),
  model,
  recordId: String(row['record_id']),
  version: Number(row['version']),
  action: row['action'] as Change['action'],
  before: row['before'] as Row | null,
  actorRef: row['actor_ref'] === null ? null : String(row['actor_ref']),
})
