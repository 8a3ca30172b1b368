import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { isUnconfirmed } from './notices.ts'
import type { ReadyStatement } from './query.ts'
import { send, type Part, type Shapes } from './send.ts'
import type { Row } from './shape.ts'
import type { Watchdog } from './watchdog.ts'

/** A pool, and when the database last responded. */
export type Line = {
  pool: pg.Pool
  answeredAt: number
  watchdog: Watchdog
  shapes: Shapes
  /** What a failure means to the one who asked. */
  toError: (error: unknown, silence: { silentMs: number; onAway: () => void }) => unknown
}

/** The watchdog's: a busy server may cancel later than after 2 s. */
export class AnswerIsLate extends Error {
  override message = 'answer timeout'
}
/** A commit that no standby has confirmed. */
export class Unconfirmed extends Error {}

/** Database cost of one request. */
export type Meter = { ms: number; isDatabaseAway: boolean }

const meters = new AsyncLocalStorage<Meter>()

/** Measures every statement that `run`, and whatever it starts, sends. */
export const metered = (meter: Meter, run: () => void) => meters.run(meter, run)

export async function metering<T>(run: () => Promise<T>) {
  const started = performance.now()
  try {
    return await run()
  } finally {
    const meter = meters.getStore()
    if (meter) meter.ms += performance.now() - started
  }
}

export const checkOut = (line: Line) =>
  line.pool.connect().catch((error: unknown) => {
    throw failureOf(line, error)
  })

/**
 * Statements that go out before another in the same message. `check` gets their rows before anything is made of the other's,
 * and refuses that by throwing.
 */
export type Ahead = {
  statements: ReadyStatement<Row>[]
  check: (answers: Row[][]) => void
  /** Whether they are a transaction of their own, before another begins. */
  isOwn?: boolean
}

export type Asking = { line: Line; client: pg.PoolClient; ahead?: Ahead | null }

/** The rows of the last statement. What went ahead is judged first, also where that one fails. */
export async function ask({ line, client, ahead }: Asking, parts: Part[]): Promise<Row[]> {
  // Without what goes ahead: that is quick, or the whole message is late.
  const timed = parts.filter((part) => part !== 'begin').length - (ahead?.statements.length ?? 0)
  const message = line.watchdog.start(client, Math.max(1, timed - Number(ahead?.isOwn ?? false)))
  const answers: Row[][] = []
  const judge = () => {
    const count = ahead?.statements.length ?? 0
    if (answers.length >= count) ahead?.check(answers.slice(0, count))
  }
  try {
    await send(client, parts, { shapes: line.shapes, answers })
    line.answeredAt = performance.now()
    if (isUnconfirmed(client)) throw new Unconfirmed()
  } catch (error) {
    judge()
    throw failureOf(line, message.isLate ? new AnswerIsLate() : error)
  } finally {
    line.watchdog.end(message)
  }
  judge()
  return answers.at(-1) ?? []
}

function failureOf(line: Line, error: unknown) {
  if (error instanceof pg.DatabaseError) line.answeredAt = performance.now()
  return line.toError(error, {
    silentMs: performance.now() - line.answeredAt,
    onAway: () => {
      const meter = meters.getStore()
      if (meter) meter.isDatabaseAway = true
    },
  })
}
