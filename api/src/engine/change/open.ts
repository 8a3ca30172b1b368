import { fieldsOf, type Model } from '@gatehouse/model'
import { systemColumns, type RecordRow } from '#engine/compiled.ts'
import { compiledFor, compiledOf, targetOf } from '#engine/engine.ts'
import type { ReadContext } from '#engine/query/read.ts'
import { parentsFirst } from '#engine/referrers.ts'
import { isUuid } from '#engine/uuid.ts'
import { one, type Row } from '#platform/db.ts'
import { numberFields } from './numbers.ts'
import {
  isLocked,
  openStatement,
  type Opening,
  type Relation,
  type Wanted,
} from './open-statement.ts'
import type { Work } from './work.ts'

/** What is stored of the first request with a key. */
export type Known = {
  requestHash: string
  recordId: string
  revisionId: string
  isConfirmed: boolean | null
}

export type Opened = {
  /** Whether the key, if there is one, is this request's alone. */
  isFree: boolean
  known: Known | null
  /** Null if there is none that the caller may see. */
  row: RecordRow | null
  /** Whether the action applies to it. */
  isApplicable: boolean
}

type Context = ReadContext & { work: Work }

/**
 * Takes every lock that a change needs and reads what it depends on, in one statement: first the key, then what new relations
 * lead to, parents first, then the record. What it finds is known to the operation from then on.
 */
export async function open(context: Context, wanted: Wanted): Promise<Opened> {
  if (wanted.id !== null && !isUuid(wanted.id)) return NOTHING
  const relations = relationsIn(context, wanted)
  const numbers = wanted.id === null ? numberFields(context.model) : []
  if (wanted.id === null && !wanted.key && relations.length + numbers.length === 0) return NOTHING
  const opening = { wanted, relations, numbers }
  const ask = async () => one(await context.tx.query(openStatement(context, opening)))
  const row = await ask()
  // Someone changed it while the statement waited: whose it is and where it leads was judged by how things were before.
  const isOutdated = typeof row.id === 'string' && row.version !== row.$version
  return remember(context, isOutdated ? await ask() : row, opening)
}

const NOTHING: Opened = { isFree: true, known: null, row: null, isApplicable: false }

/** Those that lead somewhere, in lock order of their targets. */
function relationsIn({ engine, model }: ReadContext, { values, action }: Wanted): Relation[] {
  const order = parentsFirst(engine)
  const owner = action ? { ...model, fields: action.action.fields ?? {} } : model
  return fieldsOf(owner)
    .filter(([name, { type }]) => type === 'relation' && isUuid(values[name]))
    .map(([name, field]) => ({ name, field, target: targetOf(engine, owner, name) }))
    .toSorted((a, b) => order.indexOf(a.target) - order.indexOf(b.target))
}
export const targetKey = ({ path }: Pick<Model, 'path'>, id: unknown) =>
  `${path} ${String(id).toLowerCase()}`

function remember(context: Context, row: Row, { wanted, relations, numbers }: Opening): Opened {
  const { model, work } = context
  for (const [place, relation] of relations.entries()) {
    const isSeen = row[`$seen${place}`]
    if (typeof isSeen === 'boolean')
      work.targets.set(targetKey(relation.target, wanted.values[relation.name]), {
        isSeen,
        isLocked: isLocked(context, relation),
        label: row[`$label${place}`] ?? '',
      })
  }
  if (numbers.length > 0)
    work.numbers.set(
      model.path,
      Object.fromEntries(numbers.map((name) => [name, row[`$number_${name}`]])),
    )
  const known = typeof row.$requestHash === 'string' ? toKnown(row) : null
  const isFree = wanted.key === undefined || row.$isFree === true
  const found = typeof row.id === 'string' ? toRecord(context, row) : null
  return { isFree, known, row: found, isApplicable: row.$isApplicable === true }
}

const toKnown = (row: Row) =>
  ({
    requestHash: row.$requestHash,
    recordId: row.$recordId,
    revisionId: row.$revisionId,
    isConfirmed: row.$isConfirmed,
  }) as Known

/** The record alone; where its relations lead is remembered. */
function toRecord(context: Context, row: Row): RecordRow {
  const { engine, model, work } = context
  const labels = row.labels as Row
  for (const [name, { type }] of compiledFor(context).record.fields) {
    if (type !== 'relation' || row[name] === null) continue
    const label = labels[name] ?? null
    const key = targetKey(targetOf(engine, model, name), row[name])
    if (!work.targets.has(key))
      work.targets.set(key, { isSeen: label !== null, isLocked: false, label })
  }
  const names = ['id', ...compiledOf(context).stored.names, ...systemColumns()]
  const record = Object.fromEntries(names.map((name) => [name, row[name]])) as RecordRow
  work.held.set(record.id, record)
  return record
}
