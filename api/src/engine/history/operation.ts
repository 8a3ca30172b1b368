import {
  isStaff,
  canDo,
  canSee,
  fieldOf,
  isNotNull,
  withPresentNames,
  type Action,
  type Field,
  type Model,
} from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import type { ChangeAction } from './audit-trail.ts'
import type { Row } from '#platform/db.ts'
import { revisions } from './history-tables.ts'
import type { Caller } from '#engine/caller.ts'
import type { ReadContext } from '#engine/query/get-record.ts'
import { visibleAtVersion } from '#engine/query/visibility.ts'

export type OperationStep = {
  operation: string
  model: Model
  recordId: string
  version: number
  action: ChangeAction
  /** For a restored record, only `deletedAt`. */
  before: (Row & { deletedAt?: string }) | null
  actorRef: string | null
  /** Whether the caller could see the record both before and after the step. */
  isVisible: boolean
}

export const UNDOING = {
  create: { by: 'delete', needs: 'delete' },
  update: { by: 'update', needs: 'update' },
  delete: { by: 'restore', needs: 'delete' },
  restore: { by: 'delete', needs: 'delete' },
} as const satisfies Record<ChangeAction, { by: ChangeAction; needs: Action }>

/** All steps of these operations, newest first, without those of models that no longer exist. */
export async function readSteps(context: Omit<ReadContext, 'model'>, operations: string[]) {
  const { engine, tx } = context
  const rows = await tx.query(
    sql<StepRow>`select step.operation_id as operation, step.model as path, step.record_id as "recordId", step.version,
        step.action, step.before, step.actor_ref as "actorRef",
        ${wasVisible(context)} is true as "isVisible"
      from ${revisions} step left join ${revisions} earlier
        on (earlier.model, earlier.record_id, earlier.version) = (step.model, step.record_id, step.version - 1)
      where step.operation_id = any(${sql.param(operations)}::uuid[]) order by step.id desc`,
    'prepared',
  )
  return rows.flatMap(({ path, ...step }): OperationStep[] => {
    const model = engine.models.find((one) => one.path === path)
    if (!model) return []
    return [{ ...step, model, before: step.before && withPresentNames(model, step.before) }]
  })
}

type StepRow = Omit<OperationStep, 'model'> & { path: string }

/** An operation may touch several models, each with its own visibility rule. */
function wasVisible({ engine, caller }: Omit<ReadContext, 'model'>): SQL {
  if (isStaff(caller.level)) return sql`true`
  const cases = engine.models.map((model) => {
    const view = { engine, model, caller }
    const before = sql`(step.version = 1 or ${visibleAtVersion(view, 'earlier')})`
    return sql`when ${model.path} then ${visibleAtVersion(view, 'step')} and ${before}`
  })
  return sql`case step.model ${sql.join(cases, sql` `)} end`
}

/** Whether undoing all of these is the caller's right, and today's definitions take the earlier values. */
export const canUndo = (steps: OperationStep[], caller: Caller) =>
  mayUndo(steps, caller) && steps.every((step) => outdatedValue(step) === undefined)

/** An earlier value that today's definition of its field refuses: none where one is required, or an option that is gone. */
export function outdatedValue({ model, action, before }: OperationStep) {
  if (action !== 'update') return
  const [outdated] = Object.entries(before ?? {}).flatMap(([name, value]) => {
    const field = fieldOf(model, name)
    return field && isOutdated(field, model, value) ? [{ field, value }] : []
  })
  return outdated
}

function isOutdated(field: Field, model: Model, value: unknown) {
  if (value === null) return isNotNull(field, model.privacy.onErase)
  if (field.free) return false
  const isGone = (one: unknown) => !field.options?.some((option) => option.value === one)
  return field.options !== undefined && [value].flat().some(isGone)
}

/**
 * Whether the caller may undo all of these. A former admin can't revert fields they no longer see; only an owner can revert
 * fields that only owners write.
 */
export const mayUndo = (steps: OperationStep[], { visitor, level }: Caller) =>
  steps.every(
    ({ model, action, before, isVisible }) =>
      isVisible &&
      canDo(model, UNDOING[action].needs, visitor) &&
      (action !== 'update' || Object.keys(before ?? {}).every(canRevert(model, level))),
  )

/** Hidden fields are reverted with the rest, by staff only. */
const canRevert = (model: Model, level: Caller['level']) => (name: string) => {
  const field = fieldOf(model, name)
  if (field?.hidden) return isStaff(level)
  return (
    field !== undefined &&
    canSee(field, level) &&
    (field.writableBy !== 'owner' || level === 'owner')
  )
}
