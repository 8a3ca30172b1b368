import { SetupError } from '../../api/src/platform/errors.ts'
import { auditBackfill, inBatches } from './batches.ts'
import { placeOf, type FieldFacts, type Place } from './field-facts.ts'
import type { MigrationSource } from './migration-sources.ts'
import type { Ask } from './questions.ts'
import { dropSync, syncColumns } from './replaced-column.ts'
import type { Tables } from './snapshot.ts'
import { convert, quote, toSqlValue } from './sql-values.ts'

/** Files of one change, in order. Those without a transaction may be run again from the start. */
const PARTS = [
  { part: 'tables', isRepeatable: false },
  { part: 'backfill', isRepeatable: true },
  { part: 'check', isRepeatable: false },
  { part: 'validate', isRepeatable: true },
  { part: 'required', isRepeatable: false },
  { part: 'indexes', isRepeatable: true },
  { part: 'removals', isRepeatable: false },
] as const

type Part = (typeof PARTS)[number]['part']
/** SQL, or what needs to know the file's name in the ledger. */
type Step = string | ((file: string) => string)
export type PlannedFile = { part: Part; isRepeatable: boolean; steps: Step[] }

export type Plan = {
  source: Pick<MigrationSource, 'models' | 'before' | 'after'>
  statements: string[]
  ask: Ask
  /** Number of rows; null without a database to count in. */
  count: (table: string, where: string) => Promise<number | null>
}

type Context = Plan & {
  add: (part: Part, step: Step) => void
  /** Backfilled fields by model, for the audit row. */
  backfilled: Map<string, Set<string>>
}

/** Turns drizzle-kit's statements into files that requests of the release before and this one outlive. */
export async function planMigration(plan: Plan): Promise<PlannedFile[]> {
  const steps = new Map<Part, Step[]>()
  const context: Context = {
    ...plan,
    add: (part, step) => steps.set(part, [...(steps.get(part) ?? []), step]),
    backfilled: new Map(),
  }
  for (const statement of plan.statements) await planStatement(context, statement)
  await replaceChoices(context)
  for (const [entity, fields] of context.backfilled)
    context.add('backfill', (migration) =>
      auditBackfill({ entity, fields: [...fields], migration }),
    )
  return PARTS.flatMap(({ part, isRepeatable }) => {
    const own = steps.get(part)
    return own ? [{ part, isRepeatable, steps: own }] : []
  })
}

type Rewrite = [pattern: RegExp, plan: (context: Context, match: string[]) => void | Promise<void>]

/** Statements on tables that exist; the first that matches. */
const REWRITES: Rewrite[] = [
  [/^ALTER TABLE "(\w+)" ADD COLUMN "(\w+)" (.*);$/, addColumn],
  [/^ALTER TABLE "(\w+)" ALTER COLUMN "(\w+)" SET NOT NULL;$/, requireColumn],
  [/^ALTER TABLE "(\w+)" ALTER COLUMN "(\w+)" SET DATA TYPE .*;$/, rejectType],
  [
    /^ALTER TABLE "\w+" ALTER COLUMN "\w+" DROP NOT NULL;$/,
    ({ add }, [statement = '']) => add('tables', ignoring('ban-drop-not-null', statement)),
  ],
  [/^ALTER TABLE "(\w+)" DROP COLUMN "(\w+)";$/, dropColumn],
  [/^DROP TABLE "(\w+)" CASCADE;$/, dropTable],
  [/^ALTER TABLE "(\w+)" ADD CONSTRAINT "(\w+)" (FOREIGN KEY .*);$/, addConstraint],
  [/^CREATE (UNIQUE )?INDEX "(\w+)" ON "(\w+)" ([^]*)$/, createIndex],
  [/^DROP INDEX "(\w+)";$/, dropIndex],
]

async function planStatement(context: Context, statement: string) {
  if (isOnNewTable(context, statement)) return context.add('tables', statement)
  for (const [pattern, plan] of REWRITES) {
    const match = pattern.exec(statement)
    if (match) return plan(context, [...match])
  }
  // Row-level security is drizzle-kit's way to say a table goes.
  if (!statement.endsWith(' DISABLE ROW LEVEL SECURITY;')) context.add('tables', statement)
}

function isOnNewTable({ source: { before } }: Context, statement: string) {
  const [, table] =
    /^(?:CREATE TABLE|ALTER TABLE) "(\w+)"/.exec(statement) ?? / ON "(\w+)"/.exec(statement) ?? []
  return table !== undefined && !before[`public.${table}`]
}

type ColumnJson = { type: string; notNull: boolean; identity?: object }
const columnsOf = (tables: Tables, table: string) =>
  Object(tables[`public.${table}`]?.['columns']) as Record<string, ColumnJson>
/** Names of a table's columns before and after; empty if it is in neither. */
export const columnsIn = ({ before, after }: MigrationSource, table: string) =>
  [before, after].flatMap((tables) => Object.keys(columnsOf(tables, table)))
const factsIn = (tables: Tables, table: string) =>
  Object(tables[`public.${table}`]?.['facts']) as Record<string, FieldFacts>

const ignoring = (rule: string, statement: string) => `-- squawk-ignore ${rule}\n${statement}`

async function addColumn(
  context: Context,
  [statement = '', table = '', column = '', definition = '']: string[],
) {
  const { source, add } = context
  const { type = '', notNull = false, identity } = columnsOf(source.after, table)[column] ?? {}
  const place = placeOf(source.models, table, column)
  const old = factsIn(source.after, table)[column]?.replaces
  if (old !== undefined) return replaceColumn(context, { table, column, definition, old })
  if (notNull && !identity) {
    const value = await askValue(context, { table, column, type })
    const nullable = definition.replace(/ NOT NULL$/, '')
    // A value that isn't a constant would rewrite the table under its lock.
    if (value.isExpression) {
      add('tables', `ALTER TABLE "${table}" ADD COLUMN "${column}" ${nullable};`)
      add('tables', `ALTER TABLE "${table}" ALTER COLUMN "${column}" SET DEFAULT ${value.sql};`)
    } else
      add(
        'tables',
        `ALTER TABLE "${table}" ADD COLUMN "${column}" ${nullable} DEFAULT ${value.sql};`,
      )
    backfill(context, { table, set: `"${column}" = DEFAULT`, where: `"${column}" IS NULL`, place })
    return setNotNull(context, table, column)
  }
  add('tables', statement)
  if (place?.field.computed === 'column') await fillComputed(context, { table, column, place })
}

/** The behaviour computes on writes only; an expression may compute the rows that are there. */
async function fillComputed(
  context: Context,
  { table, column, place }: { table: string; column: string; place: Place },
) {
  const sql = await context.ask({
    option: 'value',
    key: `${table}.${column}`,
    text: `"${place.name}" of ${place.model.path} is computed when a record is written. SQL that computes it for the records there are, from their columns; "empty" leaves it empty until they are changed`,
    check: () => null,
    byDefault: 'empty',
  })
  if (sql === 'empty') return
  const expression = sql.replace(/^=/, '').trim()
  backfill(context, {
    table,
    set: `"${column}" = ${expression}`,
    where: `"${column}" IS NULL`,
    place,
  })
}

type Replacement = { table: string; column: string; definition: string; old: string }

async function replaceColumn(context: Context, { table, column, definition, old }: Replacement) {
  const { source, add } = context
  const { type = '', notNull = false } = columnsOf(source.after, table)[column] ?? {}
  const { type: from = '' } = columnsOf(source.before, table)[old] ?? {}
  const given =
    convert(old, from, type) ?? (await askConversion(context, { table, column, old, type }))
  const forward = notNull
    ? `coalesce(${given}, ${(await askValue(context, { table, column, type })).sql})`
    : given
  add(
    'tables',
    `ALTER TABLE "${table}" ADD COLUMN "${column}" ${definition.replace(/ NOT NULL$/, '')};`,
  )
  add(
    'tables',
    syncColumns({ table, old, new: column, forward, backward: convert(column, type, from) }),
  )
  const isMissing = notNull ? `"${column}" IS NULL` : `"${column}" IS NULL AND "${old}" IS NOT NULL`
  backfill(context, {
    table,
    set: `"${column}" = ${forward}`,
    where: isMissing,
    place: placeOf(source.models, table, column),
  })
  if (notNull) setNotNull(context, table, column)
}

const askConversion = async (
  { ask }: Context,
  { table, column, old, type }: { table: string; column: string; old: string; type: string },
) => {
  const sql = await ask({
    option: 'value',
    key: `${table}.${column}:${old}`,
    text: `SQL of ${table}.${column} (${type}) from the column "${old}"`,
    check: (answer) => (answer.includes(old) ? null : `it must use the column ${old}`),
  })
  return sql.replace(/^=/, '').trim()
}

type Asked = { table: string; column: string; type: string }

async function askValue({ source, ask }: Context, { table, column, type }: Asked) {
  const field = placeOf(source.models, table, column)?.field
  const columns = Object.keys(columnsOf(source.after, table))
  const suggested = field?.default
  const read = (text: string) => toSqlValue(text, { type, field, columns })
  const text = await ask({
    option: 'value',
    key: `${table}.${column}`,
    text: `${table}.${column} is required. Value (${type}, or = and SQL without columns) for records without one, also those that the release before creates`,
    check: (answer) => read(answer).mistake ?? null,
    byDefault:
      suggested === undefined || (typeof suggested === 'string' && suggested.startsWith('@'))
        ? undefined
        : String(suggested),
  })
  return { sql: read(text).sql ?? '', isExpression: text.startsWith('=') }
}

async function requireColumn(context: Context, [, table = '', column = '']: string[]) {
  const { type = '' } = columnsOf(context.source.after, table)[column] ?? {}
  const { sql } = await askValue(context, { table, column, type })
  const place = placeOf(context.source.models, table, column)
  const fill = { table, set: `"${column}" = ${sql}`, where: `"${column}" IS NULL` }
  context.add('tables', `ALTER TABLE "${table}" ALTER COLUMN "${column}" SET DEFAULT ${sql};`)
  backfill(context, { ...fill, place })
  // Rows that the release before emptied between backfill and check.
  context.add('validate', inBatches(fill))
  setNotNull(context, table, column)
}

/** SET NOT NULL would scan the table under its lock, unless a validated check proves it. */
function setNotNull({ add }: Context, table: string, column: string) {
  const check = `${table}_${column}_required`
  add(
    'check',
    `ALTER TABLE "${table}" ADD CONSTRAINT "${check}" CHECK ("${column}" IS NOT NULL) NOT VALID;`,
  )
  add('validate', `ALTER TABLE "${table}" VALIDATE CONSTRAINT "${check}";`)
  add(
    'required',
    ignoring(
      'adding-not-nullable-field',
      `ALTER TABLE "${table}" ALTER COLUMN "${column}" SET NOT NULL;`,
    ),
  )
  add('required', `ALTER TABLE "${table}" DROP CONSTRAINT "${check}";`)
}

type Backfill = { table: string; set: string; where: string; place: Place | undefined }

function backfill({ add, backfilled }: Context, { place, ...update }: Backfill) {
  add('backfill', inBatches(update))
  if (!place) return
  const { path } = place.model
  backfilled.set(path, (backfilled.get(path) ?? new Set()).add(place.name))
}

function rejectType({ source }: Context, [, table = '', column = '']: string[]) {
  const [was, is] = [source.before, source.after].map(
    (tables) => columnsOf(tables, table)[column]?.type,
  )
  const field = placeOf(source.models, table, column)?.name ?? column
  throw new SetupError(
    `${table}.${column} is ${was} and would be ${is}: the release before still reads and writes it as ${was}. ` +
      `Move ${field} with its old type from fields to retired, and declare the new type as a field of another name with replaces: '${field}'. ` +
      `Both columns are then kept the same; remove ${field} a release later.`,
  )
}

async function dropColumn(context: Context, [statement = '', table = '', column = '']: string[]) {
  const { source, add } = context
  const held = await countText(context, table, `"${column}" IS NOT NULL`)
  const former = camelCase(column)
  await confirmDeletion(context, {
    key: `${table}.${column}`,
    word: column,
    text:
      `The models have no field for ${table}.${column}: its values are deleted${held}.\n` +
      `  Renamed? Say formerly: ['${former}'] in the field, and run this again.\n` +
      `  Is the release before still serving? It reads the column: move the field to retired for one release.\n` +
      `Type ${column} to delete its values`,
  })
  const isReplaced = Object.values(factsIn(source.before, table)).some(
    ({ replaces }) => replaces === column,
  )
  if (isReplaced) add('removals', dropSync(table, column))
  add('removals', ignoring('ban-drop-column', statement))
}

const camelCase = (column: string) =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

async function dropTable(context: Context, [statement = '', table = '']: string[]) {
  const held = await countText(context, table, 'true')
  await confirmDeletion(context, {
    key: table,
    word: table,
    text: `The models have no table ${table}: its records are deleted${held}. Is its model in index.ts?\nType ${table} to delete them`,
  })
  context.add('removals', ignoring('ban-drop-table', statement))
}

const confirmDeletion = (
  { ask }: Context,
  { key, word, text }: Record<'key' | 'word' | 'text', string>,
) =>
  ask({
    option: 'delete',
    key,
    text,
    check: (answer) => (answer === word ? null : `"${answer}" is not ${word}: nothing is deleted`),
  })

async function countText({ count }: Context, table: string, where: string) {
  const rows = await count(table, where)
  return rows === null ? '' : ` (${rows.toLocaleString('en')} rows here)`
}

/** Checked for new rows at once, and for the others without a lock that stops writes. */
function addConstraint({ add }: Context, [, table = '', constraint = '', rule = '']: string[]) {
  add('tables', `ALTER TABLE "${table}" ADD CONSTRAINT "${constraint}" ${rule} NOT VALID;`)
  add('validate', `ALTER TABLE "${table}" VALIDATE CONSTRAINT "${constraint}";`)
}

/** A changed index is built under another name before the old one goes: its list is never without. */
function createIndex(
  { source, add }: Context,
  [, unique = '', index = '', table = '', rest = '']: string[],
) {
  const isChanged = Object.hasOwn(Object(source.before[`public.${table}`]?.['indexes']), index)
  const built = isChanged ? `${index}_new` : index
  add(
    'indexes',
    `CREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS "${built}" ON "${table}" ${rest}`,
  )
  if (!isChanged) return
  add('indexes', `DROP INDEX CONCURRENTLY IF EXISTS "${index}";`)
  add('indexes', `ALTER INDEX IF EXISTS "${built}" RENAME TO "${index}";`)
}

/** Of a changed index, `createIndex` drops the old one. */
function dropIndex({ source, add }: Context, [, index = '']: string[]) {
  const isChanged = Object.values(source.after).some(({ indexes }) =>
    Object.hasOwn(Object(indexes), index),
  )
  const goesWithTable = Object.entries(source.before).some(
    ([table, { indexes }]) => Object.hasOwn(Object(indexes), index) && !source.after[table],
  )
  if (!isChanged && !goesWithTable) add('indexes', `DROP INDEX CONCURRENTLY IF EXISTS "${index}";`)
}

/** Asks what records hold instead of each choice that is gone. */
async function replaceChoices(context: Context) {
  const { source } = context
  for (const key of Object.keys(source.after)) {
    const table = key.replace('public.', '')
    const now = factsIn(source.after, table)
    for (const [column, { options = [] }] of Object.entries(factsIn(source.before, table))) {
      const left = now[column]?.options
      const gone = left ? options.filter((option) => !left.includes(option)) : []
      for (const choice of gone) await replaceChoice(context, { table, column, choice })
    }
  }
}

async function replaceChoice(
  context: Context,
  { table, column, choice }: { table: string; column: string; choice: string },
) {
  const { source, ask } = context
  const place = placeOf(source.models, table, column)
  if (!place) return
  const { type = '', notNull = false } = columnsOf(source.after, table)[column] ?? {}
  const isList = type.endsWith('[]')
  const left = place.field.options?.map(({ value }) => value) ?? []
  const holds = isList ? `${quote(choice)} = ANY("${column}")` : `"${column}" = ${quote(choice)}`
  const held = await countText(context, table, holds)
  const allowed = [...left, ...(notNull || isList ? [] : ['null'])]
  const other = await ask({
    option: 'replace',
    key: `${table}.${column}:${choice}`,
    text: `"${choice}" is no longer a choice of ${place.model.path}.${place.name}${held}. Records that hold it get (${allowed.join(', ')})`,
    check: (answer) =>
      allowed.includes(answer) ? null : `"${answer}" must be one of ${allowed.join(', ')}`,
  })
  const value = other === 'null' && !left.includes('null') ? 'NULL' : quote(other)
  const list = `CASE WHEN ${value} = ANY("${column}") THEN array_remove("${column}", ${quote(choice)}) ELSE array_replace("${column}", ${quote(choice)}, ${value}) END`
  backfill(context, { table, set: `"${column}" = ${isList ? list : value}`, where: holds, place })
}
