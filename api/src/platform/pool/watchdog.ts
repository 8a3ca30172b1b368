import type pg from 'pg'

export type Watchdog = ReturnType<typeof buildWatchdog>

/** Longer than the server takes to cancel by itself: a cancel request of ours could turn a pending commit into a false success. */
const GRACE_MS = 800
const LOOK_MS = 100

type Message = { client: pg.PoolClient; deadline: number; isLate: boolean }

/**
 * One timer for all messages of a pool: pg's own would be set and cleared for each. A connection whose answer is late is
 * destroyed, which ends its statement with an error.
 */
export function buildWatchdog(statementMs: number) {
  const running = new Set<Message>()
  let timer: NodeJS.Timeout | undefined

  function look() {
    timer = undefined
    const now = performance.now()
    for (const message of running)
      if (message.deadline <= now) {
        message.isLate = true
        running.delete(message)
        void message.client.end()
      }
    setTimer()
  }
  const setTimer = () => {
    if (running.size > 0) timer ??= setTimeout(look, LOOK_MS).unref()
  }

  return {
    /** The server gives each statement its time, and a commit as much. */
    start: (client: pg.PoolClient, statements: number): Message => {
      const deadline = performance.now() + statements * statementMs + GRACE_MS
      const message = { client, deadline, isLate: false }
      running.add(message)
      setTimer()
      return message
    },
    end: (message: Message) => {
      running.delete(message)
    },
  }
}
