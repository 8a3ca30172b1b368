import pg from 'pg'
import { databaseUnavailable, HttpError, outcomeUnknown, overloaded, tooSlow } from './errors.ts'

export class UnconfirmedCommitError extends Error {}

/** pg's message after `query_timeout`. */
const QUERY_TIMEOUT = 'Query read timeout'

/** Longer than any statement: silence for this long means the database is down, not one connection. */
const UNRESPONSIVE_AFTER_MS = 2_500

type Silence = {
  /** Milliseconds since the last response of the database. */
  silentMs: number
  onUnavailable: () => void
}

/** Maps database failures to HTTP errors; returns constraint violations unchanged. */
export function fromDatabaseError(error: unknown, { silentMs, onUnavailable }: Silence) {
  if (error instanceof HttpError || !(error instanceof Error)) return error
  if (error instanceof UnconfirmedCommitError) return outcomeUnknown()
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isSilent = silentMs > UNRESPONSIVE_AFTER_MS
  if (code === '57014' || (error.message === QUERY_TIMEOUT && !isSilent)) return tooSlow(error)
  if (BUSY.test(code) || (POOL_IS_EMPTY.test(error.message) && !isSilent)) return overloaded(error)
  if (!UNAVAILABLE.test(code) && !isConnectionError(error)) return error
  if (isSilent) onUnavailable()
  return databaseUnavailable(error)
}

/** Worth a retry: deadlock_detected, serialization_failure. */
export const isSerializationFailure = (error: unknown) =>
  error instanceof HttpError &&
  error.cause instanceof pg.DatabaseError &&
  ['40P01', '40001'].includes(error.cause.code ?? '')

/** The database didn't respond, as opposed to returning an error. */
export const isConnectionLost = (error: unknown) =>
  error instanceof HttpError && error.cause instanceof Error && isConnectionError(error.cause)

/** PostgreSQL's own errors are recognised by code: a message may contain a column called `terminated_on`. */
const isConnectionError = (error: Error) =>
  !(error instanceof pg.DatabaseError) && LOST_CONNECTION.test(error.message)

export const LOCK_NOT_AVAILABLE = '55P03'

/** Too many connections, deadlock, lock timeout: the database is up but busy. */
const BUSY = /^(53300|40|55P03)/
/** pg's message for an exhausted pool. */
const POOL_IS_EMPTY = /^timeout exceeded when trying to connect/
/** No connection, shutting down, read-only after a failover, disk full: retry. */
const UNAVAILABLE = /^(08|57P|53|25006|3D000|28|E[A-Z]+$)/
const LOST_CONNECTION = /terminated|timeout|not queryable|Connection ended|closed/i
