import type pg from 'pg'

export type Watchdogs = ReturnType<typeof buildWatchdogs>

/** Longer than the server takes to cancel by itself: a cancel request of ours could turn a pending commit into a false success. */
const GRACE_MS = 800

/** The server gives each statement its time: one that takes its commit along may take twice as long. */
export const buildWatchdogs = (statementMs: number) => ({
  one: buildWatchdog(statementMs + GRACE_MS),
  last: buildWatchdog(2 * statementMs + GRACE_MS),
})

type Statement = { client: pg.PoolClient; since: number; isLate: boolean }

/**
 * One timer for all statements of a pool: pg's own would be set and cleared for each. A connection whose statement overran is
 * destroyed, which ends the statement with an error.
 */
function buildWatchdog(timeoutMs: number) {
  /** Oldest first. */
  const running = new Set<Statement>()
  let timer: NodeJS.Timeout | undefined

  function look() {
    timer = undefined
    for (const statement of running) {
      const leftMs = statement.since + timeoutMs - performance.now()
      if (leftMs > 0) return setTimer(leftMs)
      statement.isLate = true
      running.delete(statement)
      void statement.client.end()
    }
  }
  const setTimer = (ms: number) => {
    timer = setTimeout(look, ms).unref()
  }

  return {
    start: (client: pg.PoolClient): Statement => {
      const statement = { client, since: performance.now(), isLate: false }
      running.add(statement)
      if (!timer) setTimer(timeoutMs)
      return statement
    },
    end: (statement: Statement) => {
      running.delete(statement)
    },
  }
}
