import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import pg from 'pg'
import { hearNotices, isUnconfirmed } from '#platform/pool/notices.ts'
import { toQuery, type ReadyStatement } from '#platform/pool/query.ts'
import { isUnprepared, prepareEnds, send, type Part, type Shapes } from '#platform/pool/send.ts'
import type { Row } from '#platform/pool/shape.ts'
import { buildWatchdog, type Watchdog } from '#platform/pool/watchdog.ts'
import { databaseUnavailable, HttpError, outcomeUnknown, overloaded, tooSlow } from './errors.ts'

export type { Row } from '#platform/pool/shape.ts'

/** What a statement returns, as it says itself: sql<{ id: string }>`select id from tickets`. */
type RowOf<R> = unknown extends R ? Row : R

/** One statement at a time. `prepared` is for texts that hardly vary: each connection caches every one. */
export type Runner = {
  query: <R>(statement: SQL<R> | ReadyStatement<R>, mode?: 'prepared') => Promise<RowOf<R>[]>
}

/** What many statements select. */
export type IdRow = { id: string }
export type CountRow = { count: number }

/** The row of a statement that always returns one, such as a count. */
export function one<R>([row]: R[]): R {
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

/** `begin` goes out with the first statement. */
export type Transaction = Runner & {
  /** Takes `commit` along, and ends the transaction unless it fails: whatever is refused must be refused by an error. */
  last: Runner['query']
}

export type Db = Runner & {
  /** Commits when `run` returns, rolls back when it throws. Retries after a deadlock or serialisation failure. */
  transaction: <T>(run: (tx: Transaction) => Promise<T>) => Promise<T>
  /** Pool state: open, idle, maximum, and waiting callers. */
  connections: () => { total: number; idle: number; waiting: number; max: number }
  close: () => Promise<void>
}

// Together with the answer timeout below 5 s, even if the network drops every packet.
const CONNECT_TIMEOUT_MS = 1_500
// The server's own, for each statement.
const STATEMENT_TIMEOUT_MS = 2_000
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
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  })
  // Handlers for idle connections and for those in use; without both a lost server crashes the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', onLost)
    hearNotices(client)
    prepareEnds(client)
  })
  const line = {
    pool,
    answeredAt: performance.now(),
    watchdog: buildWatchdog(STATEMENT_TIMEOUT_MS),
    shapes: new Map(),
  }
  return {
    query: (statement, mode) => metering(() => alone(line, toQuery(statement, mode))),
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
type Line = {
  pool: pg.Pool
  answeredAt: number
  watchdog: Watchdog
  shapes: Shapes
}

/** Retried after a rollback, so `run` must have no side effects outside the database. */
async function transaction<T>(line: Line, run: (tx: Transaction) => Promise<T>) {
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

async function attempt<T>(line: Line, run: (tx: Transaction) => Promise<T>) {
  const client = await checkOut(line)
  const at: { stage: 'new' | 'open' | 'over' } = { stage: 'new' }
  const sender =
    (isLast: boolean): Runner['query'] =>
    (statement, mode) =>
      metering(async () => {
        if (at.stage === 'over') throw new Error('the transaction is over')
        const parts: Part[] = [toQuery(statement, mode)]
        if (at.stage === 'new') parts.unshift('begin')
        if (isLast) parts.push('commit')
        at.stage = 'open'
        const rows = await ask(line, client, parts)
        if (isLast) at.stage = 'over'
        return rows
      })
  try {
    const result = await run({ query: sender(false), last: sender(true) })
    if (at.stage === 'open') await ask(line, client, ['commit'])
    client.release()
    return result
  } catch (error) {
    // No rollback on a lost connection: it would wait for the timeout again. One that doesn't know `begin` is of no use.
    const isUsable = !isLost(error) && !isUnprepared(error)
    const isAlive = isUsable && (at.stage !== 'open' || (await rollback(line, client)))
    client.release(!isAlive)
    throw error
  }
}

const rollback = (line: Line, client: pg.PoolClient) =>
  ask(line, client, [{ text: 'rollback' }]).then(
    () => true,
    () => false,
  )

/** A statement that is its own transaction. */
async function alone(line: Line, query: pg.QueryConfig) {
  const client = await checkOut(line)
  try {
    const rows = await ask(line, client, [query])
    client.release()
    return rows
  } catch (error) {
    // A refused value leaves the connection as it was; of anything else it may be the cause.
    client.release(error instanceof HttpError)
    throw error
  }
}

const checkOut = (line: Line) =>
  line.pool.connect().catch((error: unknown) => {
    throw toHttpError(error, line)
  })

async function ask(line: Line, client: pg.PoolClient, parts: Part[]): Promise<Row[]> {
  const timed = parts.filter((part) => part !== 'begin').length
  const message = line.watchdog.start(client, timed)
  try {
    const [rows = []] = await send(client, parts, line.shapes)
    line.answeredAt = performance.now()
    if (isUnconfirmed(client)) throw outcomeUnknown()
    return rows
  } catch (error) {
    throw toHttpError(message.isLate ? new Error(ANSWER_IS_LATE) : error, line)
  } finally {
    line.watchdog.end(message)
  }
}

async function metering<R>(run: () => Promise<Row[]>) {
  const started = performance.now()
  try {
    return (await run()) as RowOf<R>[]
  } finally {
    const meter = meters.getStore()
    if (meter) meter.ms += performance.now() - started
  }
}

/** Maps database failures to HTTP errors; constraint violations stay as they are. */
function toHttpError(error: unknown, line: Line) {
  if (error instanceof HttpError || !(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) line.answeredAt = performance.now()
  const isSilent = performance.now() - line.answeredAt > SILENCE_MS
  if (code === '57014' || (error.message === ANSWER_IS_LATE && !isSilent)) return tooSlow(error)
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
/** The watchdog's: a busy server may cancel later than after 2 s. */
const ANSWER_IS_LATE = 'answer timeout'
/** pg's message for an exhausted pool. */
const POOL_IS_EMPTY = /^timeout exceeded when trying to connect/
/** No connection, shutting down, read-only after a failover, disk full: retry. */
const UNAVAILABLE = /^(08|57P|53|25006|3D000|28|E[A-Z]+$)/
const LOST_CONNECTION = /terminated|timeout|not queryable|Connection ended|closed/i
