import { isStored, type Field, type Model } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { behaviourOf, columnOf, modelOf, tableOf, type Engine } from '#engine/engine.ts'
import type { RecordState, FieldView } from '#engine/compile-models.ts'
import type { Table } from '#engine/build-tables.ts'
import { contextOf } from '#platform/site-config.ts'

type ColumnContext = { engine: Engine; model: Model; table: Table; today?: unknown }

export const operandOf = (context: ColumnContext, name: string, field: Field): PgColumn | SQL =>
  isStored(field) ? columnOf(context.table, name) : expressionOf(context, name)

function expressionOf({ engine, model, table, today }: ColumnContext, name: string): SQL {
  const express = behaviourOf({ engine, model }).expressions[name]
  if (!express) throw new Error(`no expression for "${name}" of "${model.path}"`)
  const value = express(table, {
    today: sql`${today ?? contextOf(engine.site).today}::date`,
    table: ({ path }) => tableOf(engine, modelOf(engine, path)),
  })
  return sql`(${value})`
}

export function selectionOf(
  context: ColumnContext,
  { fields, selection }: Pick<FieldView, 'fields' | 'selection'>,
  rows: RecordState = 'live',
): SQL {
  const computed = expressionsOf(context, fields)
  return computed.length === 0 ? selection[rows] : sql.join([selection[rows], ...computed], sql`, `)
}

export function expressionsOf(context: ColumnContext, fields: [string, Field][]): SQL[] {
  if (Object.keys(behaviourOf(context).expressions).length === 0) return []
  return fields
    .filter(([, field]) => !isStored(field))
    .map(([name]) => sql`${expressionOf(context, name)} as ${sql.identifier(name)}`)
}
