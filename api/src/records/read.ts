import {
  canDo,
  fieldsOf,
  isStored,
  listFields,
  visibleFields,
  type Field,
  type Model,
} from '@gatehouse/model'
import { eq, sql, type SQL } from 'drizzle-orm'
import type { Row, Runner } from '#db.ts'
import { recordNotFound } from '#errors.ts'
import { contextOf } from '#site.ts'
import type { Table } from '#table.ts'
import { isUuid } from '#uuid.ts'
import { computedOnRead } from './computed.ts'
import { canRead, columnOf, tableOf, targetOf, type Caller, type Engine } from './engine.ts'
import { visible, type Rows } from './scope.ts'

/** Where a statement reads and for whom; in the trash only where it says so. */
export type Reading = {
  engine: Engine
  tx: Runner
  model: Model
  caller: Caller
  rows?: Rows | undefined
}

/** One record as the caller may see it; a foreign one and an absent one are the same 404. */
export async function getRecord(reading: Reading, id: string) {
  const { engine, tx, model, caller, rows } = reading
  if (!isUuid(id)) throw recordNotFound()
  const table = tableOf(engine, model)
  const fields = visibleFields(model, caller.level)
  const [row] = await tx.query(
    sql`select ${selection(table, fields, rows)} from ${table}
      where ${eq(columnOf(table, 'id'), id)} and ${visible({ engine, model, table, caller, rows })}`,
    'prepared',
  )
  if (!row) throw recordNotFound()
  const [record] = await present(reading, [row], fields)
  return record ?? row
}

/** What somebody who asks about a record may be told of: the trash too, where they may delete. */
export const withTrash = (reading: Reading): Reading => ({
  ...reading,
  rows: canDo(reading.model, 'delete', reading.caller.visitor) ? 'any' : 'live',
})

/** Whoever may change a record but not get it is not shown it, by any answer. */
export const canGet = ({ model, caller }: Reading) => canDo(model, 'get', caller.visitor)

/** Adds to rows what is no column: the labels of relations, and what is computed when read. */
export async function present(reading: Reading, rows: Row[], fields: [string, Field][]) {
  const records: Row[] = rows.map((row) => ({ ...row, labels: {} }))
  // One after another: inside a transaction there is one connection, and it does one thing at a time.
  for (const [name, field] of fields) {
    if (field.type === 'relation') await labelRelation(reading, records, name)
    if (field.computed?.on === 'read') await compute(reading, records, name, field)
  }
  return records
}

/** Columns as the API names them. System columns come with every record. */
export const selection = (table: Table, fields: [string, Field][], rows: Rows = 'live'): SQL =>
  sql.join(
    [
      'id',
      ...fields.filter(([, field]) => isStored(field)).map(([name]) => name),
      ...SYSTEM,
      ...(rows === 'live' ? [] : ['deletedAt']),
    ].map((name) => sql`${columnOf(table, name)} as ${sql.identifier(name)}`),
    sql`, `,
  )

/** What a list shows of a record. */
export const fieldsInList = (model: Model, caller: Caller) => listFields(model, caller.level)

/** Everything a table holds of a record, for the server's own use: hidden fields too. */
export const allFields = (model: Model) => fieldsOf(model).filter(([, field]) => isStored(field))

const SYSTEM = ['version', 'createdAt', 'updatedAt', 'sample']

/** A relation to a record the caller may not see reads as null. */
async function labelRelation(reading: Reading, records: Row[], name: string) {
  const ids = [
    ...new Set(records.map((record) => record[name]).filter((id) => typeof id === 'string')),
  ]
  const labels = ids.length === 0 ? new Map() : await labelsOf(reading, name, ids)
  for (const record of records) {
    const label: unknown = labels.get(record[name])
    if (label === undefined) record[name] = null
    else Object.assign(record['labels'] as Row, { [name]: label ?? '' })
  }
}

async function labelsOf({ engine, tx, model, caller }: Reading, name: string, ids: string[]) {
  const target = targetOf(engine, model, name)
  if (!canRead(target, caller)) return new Map<unknown, unknown>()
  const table = tableOf(engine, target)
  const rows = await tx.query(
    sql`select id, ${columnOf(table, target.displayField)} as label from ${table}
      where id = any(${sql.param(ids)}::uuid[]) and ${visible({ engine, model: target, table, caller })}`,
    'prepared',
  )
  return new Map(rows.map((row) => [row['id'], row['label']]))
}

async function compute({ engine, tx }: Reading, records: Row[], name: string, field: Field) {
  const values = await computedOnRead[field.computed?.by ?? '']?.(records, {
    engine,
    tx,
    context: contextOf(engine.site),
  })
  records.forEach((record, place) => {
    record[name] = values?.[place] ?? null
  })
}
