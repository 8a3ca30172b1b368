import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { HttpError } from './errors.ts'
import {
  isSerializationFailure,
  isConnectionLost,
  fromDatabaseError,
  UnconfirmedCommitError,
} from './database-errors.ts'

/** A row whose columns are known at run time only, such as the fields of any model. */
export type Row = Record<string, unknown>

/** A compiled SQL statement. Each connection caches the plan of a named one. */
export type CompiledStatement<R> = {
  text: string
  values: unknown[]
  name?: string
  /** Type only: the row type. */
  rows?: R
}

/** Row type that a statement declares: sql<{ id: string }>`select id from tickets`. */
type RowOf<R> = unknown extends R ? Row : R

/** Runs one statement at a time. `prepared` is for SQL that rarely varies: each connection caches every variant. */
export type Runner = {
  query: <R>(statement: SQL<R> | CompiledStatement<R>, mode?: 'prepared') => Promise<RowOf<R>[]>
}

export type IdRow = { id: string }
export type CountRow = { count: number }

export function onlyRow<R>([row]: R[]): R {
  if (row === undefined) throw new Error('statement returned no row')
  return row
}

export type Db = Runner & {
  /**
   * Commits when `run` returns, rolls back when it throws. Retries after a deadlock or serialisation failure, so `run` must
   * have no side effects outside the database.
   */
  transaction: <T>(run: (tx: Runner) => Promise<T>) => Promise<T>
  connections: () => { total: number; idle: number; waiting: number; max: number }
  close: () => Promise<void>
}

export type Meter = { ms: number; isDatabaseUnavailable: boolean }

const meters = new AsyncLocalStorage<Meter>()

/** Measures every statement that `run`, and whatever it starts, sends. */
export const withMeter = (meter: Meter, run: () => void) => meters.run(meter, run)

// Together with the query timeout below 5 s, even if the network drops every packet.
const CONNECT_TIMEOUT_MS = 1_500
/**
 * Longer than the server's own statement_timeout of 2 s (ops/roles.sql), so that the server cancels first: a cancel request
 * of ours could turn a pending commit into a false success.
 */
const QUERY_TIMEOUT_MS = 2_800
const IDLE_TIMEOUT_MS = 30_000

const RETRIES_MAX = 5
const RETRY_PAUSE_MS = 20

type PoolOptions = { max: number; onLost?: (error: Error) => void }

export function connectDb(url: string, { max, onLost = () => {} }: PoolOptions): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    types: { getTypeParser },
  })
  // Handlers for idle connections and for those in use; without both a lost server crashes the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', onLost)
    client.on('notice', ({ code, routine }) => {
      if (code === '01000' && routine === 'SyncRepWaitForLSN') unconfirmed.add(client)
    })
  })
  /** Connections that reported a commit which no standby has confirmed: a success with a warning. */
  const unconfirmed = new WeakSet<pg.ClientBase>()
  let respondedAt = performance.now()

  function fail(error: unknown): never {
    if (error instanceof pg.DatabaseError) respondedAt = performance.now()
    const meter = meters.getStore()
    throw fromDatabaseError(error, {
      silentMs: performance.now() - respondedAt,
      onUnavailable: () => {
        if (meter) meter.isDatabaseUnavailable = true
      },
    })
  }

  const connect = () => pool.connect().catch(fail)

  async function send(client: pg.PoolClient, query: pg.QueryConfig) {
    const started = performance.now()
    try {
      const result = await client.query<Row>(query)
      respondedAt = performance.now()
      if (unconfirmed.delete(client)) throw new UnconfirmedCommitError()
      return result
    } catch (error) {
      return fail(error)
    } finally {
      const meter = meters.getStore()
      if (meter) meter.ms += performance.now() - started
    }
  }

  async function single(query: pg.QueryConfig) {
    const client = await connect()
    try {
      const { rows } = await send(client, query)
      client.release()
      return rows
    } catch (error) {
      // Destroys the connection after timeouts and outages, which it may have caused.
      client.release(error instanceof HttpError)
      throw error
    }
  }

  async function attempt<T>(run: (tx: Runner) => Promise<T>) {
    const client = await connect()
    let isOver = false
    const tx = runnerOf(async (query) => {
      // Its connection may serve another transaction by now.
      if (isOver) throw new Error('transaction already ended')
      return (await send(client, query)).rows
    })
    try {
      await send(client, BEGIN)
      const result = await run(tx).finally(() => (isOver = true))
      const { command } = await send(client, COMMIT)
      // PostgreSQL's response to COMMIT after a failed statement.
      if (command === 'ROLLBACK')
        throw new Error('statement failed before COMMIT; transaction rolled back')
      client.release()
      return result
    } catch (error) {
      // No rollback on a lost connection: it would wait for the timeout again.
      const isAlive = !isConnectionLost(error) && (await rollback(client))
      client.release(!isAlive)
      throw error
    }
  }

  const rollback = (client: pg.PoolClient) =>
    send(client, ROLLBACK).then(
      () => true,
      () => false,
    )

  async function transaction<T>(run: (tx: Runner) => Promise<T>) {
    for (let retries = 0; ; retries++) {
      try {
        return await attempt(run)
      } catch (error) {
        if (retries === RETRIES_MAX || !isSerializationFailure(error)) throw error
        await setTimeout(Math.random() * RETRY_PAUSE_MS * 2 ** retries)
      }
    }
  }

  return {
    ...runnerOf(single),
    transaction,
    connections: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max,
    }),
    close: () => pool.end(),
  }
}

const [BEGIN, COMMIT, ROLLBACK] = [{ text: 'begin' }, { text: 'commit' }, { text: 'rollback' }]

/** Trusts the row type that the statement declares. */
const runnerOf = (run: (query: pg.QueryConfig) => Promise<Row[]>): Runner => ({
  query: ((statement, mode) => run(toQuery(statement, mode))) as Runner['query'],
})

function toQuery<R>(statement: SQL<R> | CompiledStatement<R>, mode?: 'prepared'): pg.QueryConfig {
  if (!(statement instanceof SQL)) return statement
  const { sql: text, params: values } = dialect.sqlToQuery(statement)
  return mode ? { name: statementName(text), text, values } : { text, values }
}

const dialect = new PgDialect()

export const statementName = (text: string) => hash('sha1', text, 'base64')

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
  if (isPlain(text))
    return `${text.slice(0, 10)}T${text.slice(11, 19)}${(text.slice(19, -3) || '.').padEnd(4, '0')}Z`
  const [, local = '', sign, hours, minutes = 0, seconds = 0] = INSTANT.exec(text) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  const time = Date.parse(`${local.replace(' ', 'T')}Z`) - Number(`${sign}1`) * offset * 1000
  return new Date(time).toISOString()
}

/** Fast path: `2026-01-31 10:00:00.5+00`, in UTC, with a four-digit year, at most millisecond precision. */
const isPlain = (text: string) =>
  text.length <= PLAIN_LENGTH && text[4] === '-' && text.endsWith('+00')
const PLAIN_LENGTH = '2026-01-31 10:00:00.123+00'.length

const INSTANT = /^(.+)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/
