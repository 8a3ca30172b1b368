import { canAccess, canDo, canSee, fieldOf, type JsonSchema } from '@gatehouse/model'
import { and, eq, sql } from 'drizzle-orm'
import { onlyRow } from '#platform/db.ts'
import { applicableActions } from '#engine/query/applicable-actions.ts'
import { undeletable } from '#engine/query/delete-rules.ts'
import { cappedCount, COUNT_CAP, countToCap, glanceCounts } from '#engine/query/glance-counts.ts'
import { canRead } from '#engine/caller.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import { actorNames } from './actors.ts'
import { getRecord, withTrash, type ReadContext } from '#engine/query/get-record.ts'
import { referrersOf, type Referrer } from '#engine/referrers.ts'
import { visible } from '#engine/query/visibility.ts'

const ACTOR: JsonSchema = {
  type: ['object', 'null'],
  description: 'The name is visible to staff only',
  properties: { name: { type: ['string', 'null'] }, isYou: { type: 'boolean' } },
  required: ['name', 'isYou'],
}

export const ABOUT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    createdBy: ACTOR,
    updatedBy: ACTOR,
    referrers: {
      type: 'array',
      description: 'Visible records that link to this one, by relation',
      items: {
        type: 'object',
        properties: {
          model: { type: 'string' },
          field: { type: 'string' },
          label: { type: 'string' },
          title: { type: 'string' },
          onDelete: { type: 'string', enum: ['restrict', 'unlink', 'cascade'] },
          count: { type: 'integer', description: `Counted up to ${COUNT_CAP}` },
          exact: { type: 'boolean' },
        },
        required: ['model', 'field', 'label', 'title', 'onDelete', 'count', 'exact'],
      },
    },
    facts: {
      type: 'array',
      description: 'Visible records that the model’s `glance` counts',
      items: {
        type: 'object',
        properties: {
          related: { type: 'string', description: 'Model and relation' },
          label: { type: 'string' },
          count: { type: 'integer', description: `Counted up to ${COUNT_CAP}` },
          exact: { type: 'boolean' },
        },
        required: ['related', 'label', 'count', 'exact'],
      },
    },
    deleteRefusal: {
      type: ['string', 'null'],
      description:
        'Why this record can’t be deleted; null if it can, or if you have no right to delete',
    },
    actions: {
      type: 'array',
      description: 'Actions possible on this record now',
      items: { type: 'string' },
    },
  },
  required: ['createdBy', 'updatedBy', 'referrers', 'facts', 'deleteRefusal', 'actions'],
}

export async function aboutRecord(context: ReadContext, id: string) {
  await getRecord(withTrash(context), id)
  const table = tableOf(context.engine, context.model)
  const rows = await context.tx.query(
    sql<{ creator: string | null; changer: string | null }>`
      select created_by_ref as creator, updated_by_ref as changer from ${table} where ${eq(columnOf(table, 'id'), id)}`,
    'prepared',
  )
  const { creator, changer } = onlyRow(rows)
  const actorOf = await actorNames(context, [creator, changer])
  return {
    createdBy: creator ? actorOf(creator) : null,
    updatedBy: changer ? actorOf(changer) : null,
    referrers: await referrersTo(context, id),
    facts: await glanceCounts(context, id),
    deleteRefusal: await deleteRefusal(context, id),
    actions: await applicableActions(context, id, reachable(context)),
  }
}

const reachable = ({ model, caller }: ReadContext) =>
  Object.entries(model.actions).filter(([, { access }]) => canAccess(access, caller.visitor))

async function deleteRefusal(context: ReadContext, id: string) {
  const { model, caller } = context
  if (!model.deleteOnly || !canDo(model, 'delete', caller.visitor)) return null
  return (await undeletable(context, [id])).length > 0 ? model.deleteOnly.message : null
}

async function referrersTo(context: ReadContext, id: string) {
  const { engine, model, caller } = context
  const seen = referrersOf(engine, model, ['restrict', 'unlink', 'cascade']).filter(
    (referrer) => canRead(referrer.model, caller) && isSeen(context, referrer),
  )
  const counted = []
  for (const referrer of seen) {
    const count = await countOf(context, referrer, id)
    if (count > 0) counted.push(toAnswer(referrer, count))
  }
  return counted
}

const isSeen = ({ caller }: ReadContext, { model, field }: Referrer) => {
  const relation = fieldOf(model, field)
  return relation !== undefined && canSee(relation, caller.level)
}

async function countOf(
  { engine, tx, caller }: ReadContext,
  { model, field }: Referrer,
  id: string,
) {
  const table = tableOf(engine, model)
  const where = and(eq(columnOf(table, field), id), visible({ engine, model, table, caller }))
  return onlyRow(await tx.query(countToCap(table, where))).count
}

const toAnswer = ({ model, field, label, onDelete }: Referrer, count: number) => ({
  model: model.path,
  field,
  label,
  title: model.title,
  onDelete,
  ...cappedCount(count),
})
