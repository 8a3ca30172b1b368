import {
  factsOf,
  fieldsOf,
  isNotNull,
  isRelation,
  isStored,
  NO_PERSON,
  type Field,
  type Held,
  type Model,
  type Store,
} from '@gatehouse/model'
import {
  boolean,
  date,
  integer,
  numeric,
  pgTable,
  text,
  uuid,
  type AnyPgColumn,
  type PgColumn,
  type PgTable,
} from 'drizzle-orm/pg-core'
import { instant } from '#platform/define-table.ts'
import { buildIndexes } from './indexes.ts'
import { columnName, tableName } from './table-names.ts'

/** Refers to an account by its row in `subject_refs`. */
export const REFERENCE = {
  label: 'Who changed a record, by a reference without a name',
  category: 'technical',
  purposes: ['security'],
  retention: 'technical',
  source: 'system',
} as const satisfies Held

/** Privacy annotations of the system columns; fields have the model's. */
export const RECORD_STORE = {
  holds: {
    id: NO_PERSON,
    version: NO_PERSON,
    created_at: NO_PERSON,
    created_by_ref: REFERENCE,
    updated_at: NO_PERSON,
    updated_by_ref: REFERENCE,
    deleted_at: NO_PERSON,
    restricted_at: NO_PERSON,
    sample: NO_PERSON,
  },
  by: 'ref',
  erase: 'opaque',
  expires: null,
} as const satisfies Store

/** Decimal places of a numeric column. */
export const DECIMALS = 4

/** A model's table, with its columns by field name. */
export type Table = PgTable & Record<string, PgColumn>

export function columnOf(table: Table, name: string): PgColumn {
  const column = table[name]
  if (!column) throw new Error(`no column for "${name}"`)
  return column
}

/** The tables of all models, by path. Built together, because relations point at each other. */
export function buildTables(models: Model[]): Map<string, Table> {
  const tables = new Map<string, Table>()
  const labels = labelModels(models)
  for (const model of models)
    tables.set(model.path, buildTable(model, tables, labels.has(model.path)))
  return tables
}

/** Models that appear as labels in other lists. Parents don't: their children are listed on the parent's page. */
const labelModels = (models: Model[]) =>
  new Set(
    models.flatMap((model) =>
      fieldsOf(model).flatMap(([, { to, onDelete }]) => (to && onDelete !== 'cascade' ? [to] : [])),
    ),
  )

function buildTable(model: Model, tables: Map<string, Table>, isLabel: boolean): Table {
  const name = tableName(model)
  const fields = fieldsOf(model).filter(([, field]) => isStored(field))
  const columns = {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    createdByRef: uuid('created_by_ref'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    updatedByRef: uuid('updated_by_ref'),
    deletedAt: instant('deleted_at'),
    restrictedAt: instant('restricted_at'),
    sample: boolean('sample').notNull().default(false),
    ...Object.fromEntries(
      fields.map(([name, field]) => [name, buildColumn(model, name, field, tables)]),
    ),
    ...Object.fromEntries(
      Object.entries(model.retired).map(([name, field]) => [
        name,
        buildRetired(model, name, field),
      ]),
    ),
  }
  const built = pgTable(name, columns as unknown as Record<string, never>, (t) =>
    buildIndexes(model, t as unknown as Record<string, PgColumn>, isLabel),
  )
  return built as unknown as Table
}

function buildColumn(model: Model, name: string, field: Field, tables: Map<string, Table>) {
  const column = buildColumnType(columnName(model, name), field, tables)
  return isNotNull(field, model.privacy.onErase) ? column.notNull() : column
}

/** Without NOT NULL, reference and sequence: nothing writes it. */
function buildRetired(model: Model, name: string, field: Field) {
  const column = columnName(model, name)
  return isRelation(field)
    ? uuid(column)
    : buildColumnType(column, { ...field, sequence: false }, new Map())
}

function buildColumnType(name: string, field: Field, tables: Map<string, Table>) {
  switch (factsOf(field.type).column) {
    case 'text':
      return text(name)
    case 'integer':
      return field.sequence ? integer(name).generatedByDefaultAsIdentity() : integer(name)
    case 'numeric':
      return numeric(name, { precision: 15, scale: DECIMALS, mode: 'number' })
    case 'boolean':
      return boolean(name)
    case 'date':
      return date(name, { mode: 'string' })
    case 'timestamp':
      return instant(name)
    case 'textArray':
      return text(name).array()
    case 'uuidArray':
      return uuid(name).array()
    case 'uuid':
      return uuid(name).references((): AnyPgColumn => targetId(field, tables), {
        onDelete: ON_PURGE[field.onDelete ?? 'restrict'],
      })
  }
}

/** Applies when the trash is emptied; deleting only moves to the trash. */
const ON_PURGE = { restrict: 'restrict', unlink: 'set null', cascade: 'cascade' } as const

function targetId(field: Field, tables: Map<string, Table>) {
  const table = tables.get(field.to ?? '')
  if (!table) throw new Error(`no table for the relation to "${field.to}"`)
  return columnOf(table, 'id')
}
