import { isFile, isRelation, type Field, type Model } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { systemColumns, type RecordState } from '#engine/compile-models.ts'
import { canRead, type Caller } from '#engine/caller.ts'
import { columnOf, tableOf, targetOf, type Engine } from '#engine/engine.ts'
import type { Table } from '#engine/build-tables.ts'
import { fileLabels } from '#engine/files/file-labels.ts'
import { DEFERRED_BINDING } from './statement-cache.ts'
import { visible } from './visibility.ts'

type Labelling = { engine: Engine; model: Model; caller: Caller; rows?: RecordState | undefined }

/** A relation of the rows named `page`: its value, label and joins. */
type Relation = { id: SQL; labels: SQL[]; joins: SQL[] }

/**
 * Columns and joins for rows named `page`: records with the labels of their relations.
 * A relation to a record the caller may not see reads as null.
 */
export function labelled(labelling: Labelling, fields: [string, Field][]) {
  const relations = new Map(
    fields
      .filter(([, field]) => isRelation(field))
      .map(([name]) => [name, relationOf(labelling, name)]),
  )
  const names = ['id', ...fields.map(([name]) => name), ...systemColumns(labelling.rows)]
  const columnsOf = (selected: Iterable<string>) =>
    sql.join(
      [...selected].map((name) => {
        const column = sql.identifier(name)
        return sql`${relations.get(name)?.id ?? sql`page.${column}`} as ${column}`
      }),
      sql`, `,
    )
  const all = [...relations.values()]
  const named = [...all.flatMap((relation) => relation.labels), ...fields.flatMap(filesOf)]
  // Relations that are empty or invisible have no label.
  const gathered = sql`jsonb_strip_nulls(jsonb_build_object(${sql.join(named, sql`, `)})) as labels`
  return {
    columns: sql`${columnsOf(names)}, ${gathered}`,
    /** Relation columns only. */
    values: columnsOf(relations.keys()),
    labels: gathered,
    joins: sql.join(
      all.flatMap((relation) => relation.joins),
      sql` `,
    ),
  }
}

/** An empty field has no label. */
const filesOf = ([name, field]: [string, Field]) =>
  isFile(field)
    ? [sql`${sql.raw(`'${name}'`)}, ${fileLabels(sql`page.${sql.identifier(name)}`)}`]
    : []

/** Joined under the target's own visibility. */
function relationOf({ engine, model, caller }: Labelling, name: string): Relation {
  const target = targetOf(engine, model, name)
  if (!canRead(target, caller)) return { id: sql`null::uuid`, labels: [], joins: [] }
  // No field has an underscore in its name.
  const as = `label_${name}`
  const table = alias(tableOf(engine, target), as) as Table
  const id = sql`${columnOf(table, 'id')}`
  // An erasure may have emptied the display field.
  const label = sql`coalesce(${columnOf(table, target.displayField)}, case when ${id} is not null then '' end)`
  const isShown = visible({ engine, model: target, table, caller, binding: DEFERRED_BINDING })
  return {
    id,
    labels: [sql`${sql.raw(`'${name}'`)}, ${label}`],
    joins: [
      sql`left join ${tableOf(engine, target)} ${sql.identifier(as)}
        on ${id} = page.${sql.identifier(name)} and ${isShown}`,
    ],
  }
}
