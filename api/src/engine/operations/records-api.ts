import { isAddress, type Filter, type Model } from '@gatehouse/model'
import { and, isNull, sql, type SQL } from 'drizzle-orm'
import { SYSTEM } from '#engine/caller.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { columnOf, compiledOf, modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { toSql } from '#engine/query/filter.ts'
import type { ReadContext } from '#engine/query/get-record.ts'
import { cachedStatement, deferred } from '#engine/query/statement-cache.ts'
import type { RecordReader, Records, Typed } from '#engine/records.ts'
import type { Row, Runner } from '#platform/db.ts'
import { contextOf } from '#platform/site-config.ts'
import { isUuid } from '#platform/uuid.ts'
import { createAsSystem, createIfAbsent } from './create.ts'
import type { WriteContext } from '#engine/write/run-hooks.ts'
import { findLocked, LOCKS } from '#engine/write/save.ts'
import { updateAsSystem } from './update.ts'

/** Recursion limit for behaviours that trigger each other. */
const DEPTH_MAX = 5

/** Records of one model on behalf of the server, within the operation of the triggering change. */
export function recordsFor(write: WriteContext, model: Model): Records<Typed> {
  const depth = write.depth + 1
  if (depth > DEPTH_MAX)
    throw new Error(
      `behaviours of "${model.path}" trigger each other more than ${DEPTH_MAX} levels deep`,
    )
  const inner: WriteContext = { ...write, model, depth, rows: 'live' }

  const count = async () => write.quota.add(model)
  const counted = async <T extends { row: Row } | null>(creating: Promise<T>) => {
    const created = await creating
    if (created) write.quota.add(model)
    return created
  }

  const records = {
    ...readingOf(inner, () => inner.work.txFor(model)),
    lock: async (id: string | null, { visible: isVisible = false } = {}) =>
      id === null ? null : findLocked({ ...inner, caller: isVisible ? inner.caller : SYSTEM }, id),
    create: async (values: Row) => (await counted(createAsSystem(inner, values))).row,
    createIfAbsent: async (values: Row) =>
      (await counted(createIfAbsent(inner, values)))?.row ?? null,
    update: (id: string, values: Row, { trash }: Options = {}) =>
      updateAsSystem({ ...inner, rows: trash ? 'any' : 'live' }, id, values),
    count,
  }
  // Model types exist at compile time only; at run time a record is a row.
  return records as unknown as Records<Typed>
}

/** Outside a change, on behalf of the server. */
export const recordReaderOf = (engine: Engine): RecordReader => ({
  records: ({ path }) =>
    readingOf({ engine, tx: engine.db, model: modelOf(engine, path), caller: SYSTEM }) as never,
  table: ({ path }) => tableOf(engine, modelOf(engine, path)) as never,
})

const readingOf = (read: ReadContext, runner = (): Runner => read.tx) => ({
  get: async (id: string | null, { trash = false }: Options = {}) =>
    id !== null && isUuid(id) ? first(runner().query(getStatement(read, id, trash))) : null,
  find: (filter: Filter, options: Options = {}) =>
    select(read, { where: filterSql(read, filter), ...options }),
  findBy: async (name: string, value: unknown, options: Options = {}) =>
    value === null
      ? null
      : first(select(read, { where: equals(read, name, value), ...options, limit: 1 })),
})

type Options = { lock?: boolean; limit?: number; trash?: boolean | undefined }

const first = async (rows: Promise<Row[]>) => (await rows)[0] ?? null

type Selecting = Options & { where: SQL }

const select = (read: ReadContext, options: Selecting) =>
  read.tx.query(statementOf(read, options), 'prepared')

function statementOf(
  read: ReadContext,
  { where, trash = false, lock = false, limit }: Selecting,
): SQL<RecordRow> {
  const { engine, model } = read
  const table = tableOf(engine, model)
  const isLive = trash ? undefined : isNull(columnOf(table, 'deletedAt'))
  return sql<RecordRow>`select ${compiledOf(read).stored.selection[trash ? 'any' : 'live']} from ${table}
      where ${and(where, isLive)} order by ${columnOf(table, 'id')}
      ${limit === undefined ? sql`` : sql`limit ${limit}`} ${lock ? LOCKS.edit : sql``}`
}

/** Cached: behaviours read single records with nearly every change. */
const getStatement = (read: ReadContext, id: string, trash: boolean) =>
  cachedStatement(
    { engine: read.engine, id },
    {
      key: JSON.stringify(['get', read.model.path, trash]),
      build: () => statementOf(read, { where: equals(read, 'id', ID), trash }),
      isNamed: true,
    },
  )

const ID = deferred(({ id }: { id: string }) => id)

const filterSql = ({ engine, model, caller }: ReadContext, filter: Filter) =>
  toSql(model, tableOf(engine, model), filter, {
    engine,
    context: contextOf(engine.site),
    me: caller.visitor?.sub ?? null,
  })

/** Email addresses are case-insensitive. */
function equals({ engine, model }: ReadContext, name: string, value: unknown) {
  const column = columnOf(tableOf(engine, model), name)
  return isAddress(model.fields[name])
    ? sql`lower(${column}) = lower(${value})`
    : sql`${column} = ${value}`
}
