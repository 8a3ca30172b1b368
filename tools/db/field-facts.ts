import { fieldsOf, isStored, type Field, type Model } from '@gatehouse/model'
import { columnName, tableName } from '../../api/src/engine/table-names.ts'
import { mapTables, type Tables } from './snapshot.ts'

/** What a migration must know of a field and the schema doesn't say. */
export type FieldFacts = {
  options?: string[]
  /** Column whose place this one takes. */
  replaces?: string
}

export type Place = { model: Model; name: string; field: Field }

/** The field of a column; undefined for the system's columns and those of removed fields. */
export function placeOf(models: Model[], table: string, column: string): Place | undefined {
  for (const model of models.filter((one) => tableName(one) === table))
    for (const [name, field] of fieldsOf(model))
      if (isStored(field) && columnName(model, name) === column) return { model, name, field }
}

/** The tables with the facts of their fields, by column. */
export function withFacts(tables: Tables, models: Model[]): Tables {
  const byTable = new Map(models.map((model) => [`public.${tableName(model)}`, model]))
  return mapTables(tables, (table, name) => {
    const model = byTable.get(name)
    const facts = model ? factsOfFields(model) : {}
    return Object.keys(facts).length > 0 ? { ...table, facts } : table
  })
}

const factsOfFields = (model: Model): Record<string, FieldFacts> =>
  Object.fromEntries(
    fieldsOf(model).flatMap(([name, { options, free, replaces }]) => {
      const facts = {
        ...(options && !free ? { options: options.map(({ value }) => value) } : {}),
        ...(replaces === undefined ? {} : { replaces: columnName(model, replaces) }),
      }
      return Object.keys(facts).length > 0 ? [[columnName(model, name), facts]] : []
    }),
  )
