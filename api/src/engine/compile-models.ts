import {
  ACCESS_LEVELS,
  actionSchema,
  canSee,
  canSort,
  createSchema,
  fieldsOf,
  isSearchedPhone,
  isStored,
  itemSchema,
  listFields,
  listSchema,
  readSchema,
  updateSchema,
  visibleFields,
  type Access,
  type Field,
  type JsonSchema,
  type Model,
  type SystemFields,
} from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Row } from '#platform/db.ts'
import { columnOf, type Table } from './build-tables.ts'

export type RecordState = 'live' | 'trash' | 'any'

/** A record as statements return it; `deletedAt` only if the trash is read too. */
export type RecordRow = SystemFields & { deletedAt?: string | null } & Row

type Fields = [string, Field][]

type Selection = Record<RecordState, SQL>

export type FieldView = { fields: Fields; selection: Selection; schema: JsonSchema }

/** Everything derived from a model, per access level, computed once at start. */
export type Compiled = {
  /** All stored fields, hidden ones included; for the server itself. */
  stored: { names: string[]; selection: Selection }
  levels: Record<Access, CompiledLevel>
}

export type CompiledLevel = {
  /** `list` omits long texts. */
  record: FieldView
  list: FieldView
  /** A record of a list by itself. */
  item: JsonSchema
  sorts: ReadonlySet<string>
  searched: string[]
  /** Fields that find one record each, and telephone numbers. */
  unique: string[]
  phones: string[]
  /** Request bodies. */
  create: JsonSchema
  update: JsonSchema
  actions: Record<string, JsonSchema>
}

export function compileModels(models: Model[], tables: Map<string, Table>) {
  const share = sharing()
  return new Map(
    models.map((model): [string, Compiled] => {
      const table = tables.get(model.path)
      if (!table) throw new Error(`no table for "${model.path}"`)
      const levels = ACCESS_LEVELS.map(
        (level) => [level, compileLevel({ model, table, level, share })] as const,
      )
      return [
        model.path,
        {
          stored: { names: storedNames(model), selection: selections(table, fieldsOf(model)) },
          levels: Object.fromEntries(levels) as Compiled['levels'],
        },
      ]
    }),
  )
}

type Compiling = { model: Model; table: Table; level: Access; share: ReturnType<typeof sharing> }

const compileLevel = ({ model, table, level, share }: Compiling): CompiledLevel => ({
  record: viewOf(table, visibleFields(model, level), share(readSchema(model, level))),
  list: viewOf(table, listFields(model, level), share(listSchema(model, level))),
  item: share(itemSchema(model, level)),
  sorts: new Set(namesWhere(model, ([name]) => canSort(model, name, level))),
  searched: namesWhere(model, ([, field]) => Boolean(field.searchable) && canSee(field, level)),
  unique: visibleWhere(model, level, (field) => Boolean(field.unique)),
  phones: visibleWhere(model, level, isSearchedPhone),
  create: share(createSchema(model, level)),
  update: share(updateSchema(model, level)),
  actions: Object.fromEntries(
    Object.entries(model.actions).map(([name, action]) => [
      name,
      share(actionSchema(action, level)),
    ]),
  ),
})

const visibleWhere = (model: Model, level: Access, applies: (field: Field) => boolean) =>
  visibleFields(model, level).flatMap(([name, field]) => (applies(field) ? [name] : []))

const namesWhere = (model: Model, applies: (field: [string, Field]) => boolean) =>
  fieldsOf(model)
    .filter(applies)
    .map(([name]) => name)

const storedNames = (model: Model) => namesWhere(model, ([, field]) => isStored(field))

const viewOf = (table: Table, fields: Fields, schema: JsonSchema): FieldView => ({
  fields,
  selection: selections(table, fields),
  schema,
})

function selections(table: Table, fields: Fields): Selection {
  const live = asText(selection(table, fields))
  const any = asText(selection(table, fields, 'any'))
  return { live, trash: any, any }
}

export const selection = (table: Table, fields: Fields, rows: RecordState = 'live'): SQL =>
  sql.join(
    [
      'id',
      ...fields.filter(([, field]) => isStored(field)).map(([name]) => name),
      ...systemColumns(rows),
    ].map((name) => sql`${columnOf(table, name)} as ${sql.identifier(name)}`),
    sql`, `,
  )

export const systemColumns = (rows: RecordState = 'live') => [
  'version',
  'createdAt',
  'updatedAt',
  'sample',
  ...(rows === 'live' ? [] : ['deletedAt']),
]

/** Rendered once; a statement would otherwise join some thirty names each time. */
const asText = (columns: SQL) => sql.raw(dialect.sqlToQuery(columns).sql)

const dialect = new PgDialect()

/** Deduplicates equal schemas, and with them validators and serialisers. */
function sharing() {
  const shared = new Map<string, JsonSchema>()
  return (schema: JsonSchema) => {
    const text = JSON.stringify(schema)
    const first = shared.get(text) ?? schema
    shared.set(text, first)
    return first
  }
}
