import { setTimeout } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import pg from 'pg'
import { ask, checkOut, metering, type Ahead, type Line } from '#platform/pool/line.ts'
import { hearNotices } from '#platform/pool/notices.ts'
import { toQuery, type ReadyStatement } from '#platform/pool/query.ts'
import { isUnprepared, prepareEnds, type Part } from '#platform/pool/send.ts'
import type { Row } from '#platform/pool/shape.ts'
import { buildWatchdog } from '#platform/pool/watchdog.ts'
import { HttpError } from './errors.ts'
import { isCollision, isLost, toHttpError } from './failures.ts'

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
  /**
   * Commits when `run` returns, rolls back when it throws. Retries after a deadlock or serialisation failure. What goes
   * `ahead` is sent also where `run` sends nothing or throws.
   */
  transaction: <T>(run: (tx: Transaction) => Promise<T>, ahead?: Ahead | null) => Promise<T>
  /** Statements of which the first takes `ahead` along; if `run` sends none, it goes alone. */
  after: <T>(ahead: Ahead, run: (tx: Runner) => Promise<T>) => Promise<T>
  /** Pool state: open, idle, maximum, and waiting callers. */
  connections: () => { total: number; idle: number; waiting: number; max: number }
  close: () => Promise<void>
}

// Together with the answer timeout below 5 s, even if the network drops every packet.
const CONNECT_TIMEOUT_MS = 1_500
// The server's own, for each statement.
const STATEMENT_TIMEOUT_MS = 2_000
const IDLE_TIMEOUT_MS = 30_000

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
    toError: toHttpError,
  }
  return {
    query: runner((query) => alone(line, [query])),
    transaction: (run, ahead = null) => transaction(line, run, ahead),
    after: (ahead, run) => after(line, ahead, run),
    connections: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max,
    }),
    close: () => pool.end(),
  }
}

/** What it returns is what the statement says. */
const runner = (run: (query: pg.QueryConfig) => Promise<Row[]>): Runner['query'] =>
  ((statement, mode) => metering(() => run(toQuery(statement, mode)))) as Runner['query']

/** Retried after a rollback, so `run` must have no side effects outside the database. */
async function transaction<T>(
  line: Line,
  run: (tx: Transaction) => Promise<T>,
  ahead: Ahead | null,
) {
  const going = { ahead: ahead && once(ahead) }
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(line, run, going)
    } catch (error) {
      if (retries === RETRIES_MAX || !isCollision(error)) throw error
      await setTimeout(Math.random() * RETRY_PAUSE_MS * 2 ** retries)
    }
  }
}

const RETRIES_MAX = 5
const RETRY_PAUSE_MS = 20

type Going = { ahead: ReturnType<typeof once> | null }

/** What was answered isn't sent again; what it refused stays refused, also where an error is passed over. */
function once(ahead: Ahead) {
  let refusal: { error: unknown } | null = null
  const going = {
    ...ahead,
    isAnswered: false,
    check: (answers: Row[][]) => {
      going.isAnswered = true
      try {
        ahead.check(answers)
      } catch (error) {
        refusal = { error }
      }
      going.requireAllowed()
    },
    requireAllowed: () => {
      if (refusal) throw refusal.error
    },
  }
  return going
}

async function attempt<T>(line: Line, run: (tx: Transaction) => Promise<T>, going: Going) {
  const client = await checkOut(line)
  const at: { stage: 'new' | 'open' | 'over' } = { stage: 'new' }
  const due = () => (going.ahead?.isAnswered ? null : going.ahead)
  const sender = (isLast: boolean) =>
    runner(async (query) => {
      if (at.stage === 'over') throw new Error('the transaction is over')
      going.ahead?.requireAllowed()
      const ahead = at.stage === 'new' ? due() : null
      const parts: Part[] = [query]
      if (ahead && !ahead.isOwn) parts.unshift(...ahead.statements)
      if (at.stage === 'new') parts.unshift('begin')
      if (ahead?.isOwn) parts.unshift(...around(ahead))
      // What goes ahead may refuse it: then the commit is sent when that is known.
      const isWhole = isLast && !ahead
      if (isWhole) parts.push('commit')
      at.stage = 'open'
      const rows = await ask({ line, client, ahead }, parts)
      if (isWhole) at.stage = 'over'
      return rows
    })
  const sendAhead = async () => {
    const ahead = due()
    if (!ahead) return
    at.stage = 'open'
    await ask({ line, client, ahead }, around(ahead))
    at.stage = 'over'
  }
  try {
    const result = await run({ query: sender(false), last: sender(true) })
    going.ahead?.requireAllowed()
    if (at.stage === 'open') await ask({ line, client }, ['commit'])
    await sendAhead()
    client.release()
    return result
  } catch (error) {
    // No rollback on a lost connection: it would wait for the timeout again. One that doesn't know `begin` is of no use.
    const isUsable = !isLost(error) && !isUnprepared(error)
    const isNew = at.stage === 'new'
    const refusal = isUsable && isNew ? await failureOf(sendAhead()) : null
    const isAlive = isUsable && (at.stage !== 'open' || (await rollback(line, client)))
    client.release(!isAlive)
    throw refusal ?? error
  }
}

const around = ({ statements, isOwn }: Ahead): Part[] =>
  isOwn ? ['begin', ...statements, 'commit'] : statements

const failureOf = (sent: Promise<void>) =>
  sent.then(
    () => null,
    (error: unknown) => error,
  )

const rollback = (line: Line, client: pg.PoolClient) =>
  ask({ line, client }, [{ text: 'rollback' }]).then(
    () => true,
    () => false,
  )

/** A message that is its own transaction. */
async function alone(line: Line, parts: Part[], ahead: Ahead | null = null) {
  const client = await checkOut(line)
  try {
    const rows = await ask({ line, client, ahead }, parts)
    client.release()
    return rows
  } catch (error) {
    // A refused value leaves the connection as it was; of anything else it may be the cause.
    client.release(error instanceof HttpError)
    throw error
  }
}

async function after<T>(line: Line, ahead: Ahead, run: (tx: Runner) => Promise<T>) {
  let isSent = false
  const query = runner((asked) => {
    if (isSent) return alone(line, [asked])
    isSent = true
    return alone(line, [...ahead.statements, asked], ahead)
  })
  const result = await run({ query })
  if (!isSent) await metering(() => alone(line, ahead.statements, ahead))
  return result
}
