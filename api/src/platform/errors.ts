import { STATUS_CODES } from 'node:http'

/** One thing that is wrong with one field. */
export type FieldError = { field: string; message: string }

type Extra = { errors?: FieldError[]; headers?: Record<string, string>; current?: unknown }

/** An answer that is not a success: becomes problem details (RFC 9457) in app.ts. The detail is for people. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Extra
  constructor(
    status: number,
    code: string,
    detail: string,
    extra: Extra & { cause?: unknown } = {},
  ) {
    super(detail, { cause: extra.cause })
    this.status = status
    this.code = code
    this.extra = extra
  }
}

/** Why the process can't start, for its operator: the one kind of error whose message is logged. */
export class SetupError extends Error {}

/** The body of every error this API answers with. */
export const toProblem = (error: HttpError, requestId: string) => ({
  type: 'about:blank',
  title: STATUS_CODES[error.status] ?? 'Error',
  status: error.status,
  detail: error.message,
  code: error.code,
  requestId,
  ...(error.extra.errors ? { errors: error.extra.errors } : {}),
  ...(error.extra.current === undefined ? {} : { current: error.extra.current }),
})

const RETRY_SOON = { 'retry-after': '2' }

export const badRequest = (detail: string) => new HttpError(400, 'bad-request', detail)
export const invalidQuery = (detail: string) => new HttpError(400, 'invalid-query', detail)
/** Fits the description of the API and still can not be answered: a cursor of another list, too many conditions. */
export const unusableQuery = (detail: string) => new HttpError(422, 'invalid-query', detail)
export const signInRequired = () =>
  new HttpError(401, 'sign-in-required', 'Sign in to do this', {
    headers: { 'www-authenticate': 'Bearer' },
  })
export const invalidToken = () =>
  new HttpError(
    401,
    'invalid-token',
    'Your sign-in has ended or is not valid here. Sign in again.',
    {
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
    },
  )
export const forbidden = () => new HttpError(403, 'forbidden', 'Only an admin may do this')
export const crossSiteForm = () =>
  new HttpError(
    403,
    'cross-site-form',
    'The form was sent from another website. Please fill it in here.',
  )
export const routeNotFound = () =>
  new HttpError(404, 'not-found', 'There is nothing at this address')
export const recordNotFound = () => new HttpError(404, 'record-not-found', 'Record not found')
export const operationNotFound = () =>
  new HttpError(404, 'operation-not-found', 'There is nothing to undo')
export const unsupportedAction = (allow: string) =>
  new HttpError(405, 'unsupported-action', 'Unsupported action', { headers: { allow } })
export const conflict = (code: string, detail: string, errors?: FieldError[]) =>
  new HttpError(409, code, detail, errors ? { errors } : {})
export const inFlight = () =>
  new HttpError(409, 'in-flight', 'The first request with this key is still being worked on', {
    headers: RETRY_SOON,
  })
export const recordGone = () =>
  new HttpError(410, 'record-erased', 'The record this request made was erased')
export const changedMeanwhile = (current: unknown) =>
  new HttpError(412, 'changed-meanwhile', 'Someone changed this record since you opened it', {
    current,
  })
export const tooLarge = () => new HttpError(413, 'too-large', 'The request is too large')
export const invalidRecord = (errors: FieldError[]) =>
  new HttpError(422, 'invalid-record', errors.map((error) => error.message).join(' '), { errors })
export const keyReused = () =>
  new HttpError(422, 'key-reused', 'This Idempotency-Key was used for a different request')
export const listTooSlow = () =>
  new HttpError(
    422,
    'list-too-slow',
    'This list took longer than 2 seconds. Narrow it with a filter or choose another order.',
  )
export const tooManyRequests = (seconds: number) =>
  new HttpError(429, 'too-many-requests', `Too many requests. Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  })
export const internalError = () =>
  new HttpError(
    500,
    'internal-error',
    'Something went wrong on our side. Try again, and tell us if it stays.',
  )
export const unavailable = (code: string, detail: string, cause?: unknown) =>
  new HttpError(503, code, detail, { headers: RETRY_SOON, cause })
export const overloaded = (cause?: unknown) =>
  unavailable('overloaded', 'The server is busy. Try again in a moment.', cause)
export const databaseUnavailable = (cause?: unknown) =>
  unavailable(
    'database-unavailable',
    'The records can not be reached right now. Try again in a moment.',
    cause,
  )
/** The server's limit struck, mostly while waiting for somebody else's change: worth another try. */
export const tooSlow = (cause?: unknown) =>
  unavailable('too-slow', 'This took longer than 2 seconds. Try again in a moment.', cause)
export const outcomeUnknown = () =>
  unavailable(
    'outcome-unknown',
    'The change may or may not have been kept. Send it again with the same key.',
  )
export const keysUnavailable = (cause?: unknown) =>
  unavailable(
    'keys-unavailable',
    'Your sign-in can not be checked right now. Try again in a moment.',
    cause,
  )
