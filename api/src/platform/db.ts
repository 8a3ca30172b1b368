import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { SQL } from 'drizzle-orm'
import pg from 'pg'
import { databaseUnavailable, HttpError, outcomeUnknown, overloaded, tooSlow } from './errors.ts'

/** A row whose columns are known at run time only, such as the fields of any model. */
export type Row = Record<string, unknown>

/** What a statement returns, as it says itself: sql<{ id: string }>`select id from tickets`. */
type RowOf<R> = unknown extends R ? Row : R

/** One statement at a time. `prepared` is for texts that hardly vary: each connection caches every one. */
export type Runner = { query: <R>(statement: SQL<R>, mode?: 'prepared') => Promise<RowOf<R>[]> }

/** What many statements select. */
export type IdRow = { id: string }
export type CountRow = { count: number }

/** The row of a statement that always returns one, such as a count. */
export function one<R>([row]: R[]): R {
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

export type Db = Runner & {
  /** Commits when `run` returns, rolls back when it throws. Retries after a deadlock or serialisation failure. */
  transaction: <T>(run: (tx: Runner) => Promise<T>) => Promise<T>
  /** Pool state: open, idle, maximum, and waiting callers. */
  connections: () => { total: number; idle: number; waiting: number; max: number }
  close: () => Promise<void>
}

// Together with the query timeout below 5 s, even if the network drops every packet.
const CONNECT_TIMEOUT_MS = 1_500
// Longer than the server's 2 s statement_timeout, so that the server cancels first. After this the connection is dropped:
// a cancel request could turn a pending commit into a false success.
const ANSWER_TIMEOUT_MS = 2_800
const IDLE_TIMEOUT_MS = 30_000

/** Longer than any statement: silence for this long means the database is down, not one connection. */
const SILENCE_MS = 2_500

/** Database cost of one request. */
export type Meter = { ms: number; isDatabaseAway: boolean }

const meters = new AsyncLocalStorage<Meter>()

/** Measures every statement that `run`, and whatever it starts, sends. */
export const metered = (meter: Meter, run: () => void) => meters.run(meter, run)

type PoolOptions = { max: number; onLost?: (error: Error) => void }

export function openDb(url: string, { max, onLost = () => {} }: PoolOptions): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    types: { getTypeParser },
  })
  // Handlers for idle connections and for those in use; without both a lost server crashes the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', onLost))
  const line = { pool, answeredAt: performance.now() }
  return {
    query: (statement, mode) => runOn({ line, on: pool }, statement, mode),
    transaction: (run) => transaction(line, run),
    connections: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max,
    }),
    close: () => pool.end(),
  }
}

/** A pool, and when the database last responded. */
type Line = { pool: pg.Pool; answeredAt: number }

/** Retried after a rollback, so `run` must have no side effects outside the database. */
async function transaction<T>(line: Line, run: (tx: Runner) => Promise<T>) {
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(line, run)
    } catch (error) {
      if (retries === RETRIES_MAX || !isCollision(error)) throw error
      await setTimeout(Math.random() * RETRY_PAUSE_MS * 2 ** retries)
    }
  }
}

const RETRIES_MAX = 5
const RETRY_PAUSE_MS = 20

async function attempt<T>(line: Line, run: (tx: Runner) => Promise<T>) {
  const client = await line.pool.connect().catch((error: unknown) => {
    throw toHttpError(error, line)
  })
  let isUnknown = false
  // PostgreSQL reports a commit that no standby confirmed as a success with this warning.
  const onNotice = (notice: { code?: string | undefined }) => {
    if (notice.code === '01000') isUnknown = true
  }
  client.on('notice', onNotice)
  try {
    await client.query('begin')
    const result = await run({
      query: (statement, mode) => runOn({ line, on: client }, statement, mode),
    })
    await client.query('commit')
    if (isUnknown) throw outcomeUnknown()
    client.removeListener('notice', onNotice)
    client.release()
    return result
  } catch (error) {
    const problem = toHttpError(error, line)
    // No rollback on a lost connection: it would wait for the timeout again.
    const isAlive = !isLost(problem) && (await rollback(client))
    client.removeListener('notice', onNotice)
    client.release(!isAlive)
    throw problem
  }
}

const rollback = (client: pg.PoolClient) =>
  client.query('rollback').then(
    () => true,
    () => false,
  )

type Wire = { line: Line; on: Pick<pg.Pool, 'query'> }

async function runOn<R>({ line, on }: Wire, statement: SQL<R>, mode?: 'prepared') {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  const started = performance.now()
  try {
    const name = mode ? { name: nameOf(text) } : {}
    const { rows } = await on.query<Row>({ ...name, text, values: params })
    line.answeredAt = performance.now()
    return rows as RowOf<R>[]
  } catch (error) {
    throw toHttpError(error, line)
  } finally {
    const meter = meters.getStore()
    if (meter) meter.ms += performance.now() - started
  }
}

const dialect = new PgDialect()

/** Prepared statement name: a hash of the text. */
const nameOf = (text: string) => createHash('sha1').update(text).digest('base64')

/** Maps database failures to HTTP errors; constraint violations stay as they are. */
function toHttpError(error: unknown, line: Line) {
  if (error instanceof HttpError || !(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) line.answeredAt = performance.now()
  const isSilent = performance.now() - line.answeredAt > SILENCE_MS
  if (code === '57014' || (ANSWER_IS_LATE.test(error.message) && !isSilent)) return tooSlow(error)
  if (BUSY.test(code) || (POOL_IS_EMPTY.test(error.message) && !isSilent)) return overloaded(error)
  if (!UNAVAILABLE.test(code) && !isConnectionError(error)) return error
  const meter = meters.getStore()
  if (meter && isSilent) meter.isDatabaseAway = true
  return databaseUnavailable(error)
}

/** Worth a retry: deadlock_detected, serialization_failure. */
const isCollision = (error: unknown) =>
  error instanceof HttpError &&
  error.cause instanceof pg.DatabaseError &&
  ['40P01', '40001'].includes(error.cause.code ?? '')

/** The database didn't respond, as opposed to refused. */
export const isLost = (error: unknown) =>
  error instanceof HttpError && error.cause instanceof Error && isConnectionError(error.cause)

/** PostgreSQL's own errors are told by code: a message may contain a column called `terminated_on`. */
const isConnectionError = (error: Error) =>
  !(error instanceof pg.DatabaseError) && LOST_CONNECTION.test(error.message)

/** PostgreSQL's lock_not_available. */
export const LOCK_NOT_AVAILABLE = '55P03'

/** Too many connections, deadlock, lock timeout: the database is up but busy. */
const BUSY = /^(53300|40|55P03)/
/** pg's message for ANSWER_TIMEOUT_MS: a busy server may cancel later than after 2 s. */
const ANSWER_IS_LATE = /^Query read timeout/
/** pg's message for an exhausted pool. */
const POOL_IS_EMPTY = /^timeout exceeded when trying to connect/
/** No connection, shutting down, read-only after a failover, disk full: retry. */
const UNAVAILABLE = /^(08|57P|53|25006|3D000|28|E[A-Z]+$)/
const LOST_CONNECTION = /terminated|timeout|not queryable|Connection ended|closed/i

/** Timestamps as ISO text, dates as text, numbers as numbers. */
function getTypeParser(oid: number): (text: string) => unknown {
  if (oid === pg.types.builtins.TIMESTAMPTZ) return toInstant
  if (oid === pg.types.builtins.DATE) return (text) => text
  if (oid === pg.types.builtins.NUMERIC || oid === pg.types.builtins.INT8) return Number
  return pg.types.getTypeParser(oid)
}

/**
 * `0001-01-01 00:00:00.5+00` → ISO. JavaScript would parse year 1 as 2001, and doesn't know offsets with seconds, which
 * PostgreSQL writes for local mean time.
 */
function toInstant(text: string) {
  const [, local = '', sign, hours, minutes = 0, seconds = 0] = INSTANT.exec(text) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const time = Date.parse(`${local.replace(' ', 'T')}Z`) - Number(`${sign}1`) * offset * 1000
  return new Date(time).toISOString()
}

const INSTANT = /^(.+)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/
