import { STATUS_CODES } from 'node:http'
import { problemMessages as texts } from '@gatehouse/model'

export type FieldError = { field: string; message: string }

type Extra = { errors?: FieldError[]; headers?: Record<string, string>; current?: unknown }

/** Any error response, sent as problem details (RFC 9457). `detail` is shown to users. */
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

/** Start-up failure, for the operator: the only error whose message is logged. */
export class SetupError extends Error {}

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
const TOO_SLOW = 'too-slow'

export const badRequest = (detail: string) => new HttpError(400, 'bad-request', detail)
export const invalidQuery = (detail: string) => new HttpError(400, 'invalid-query', detail)
/** Passes the schema but can't be executed: a cursor of another list, too many conditions. */
export const unusableQuery = (detail: string) => new HttpError(422, 'invalid-query', detail)
export const signInRequired = () =>
  new HttpError(401, 'sign-in-required', texts.signInRequired, {
    headers: { 'www-authenticate': 'Bearer' },
  })
export const invalidToken = () =>
  new HttpError(401, 'invalid-token', texts.invalidToken, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })
export const forbidden = () => new HttpError(403, 'forbidden', texts.forbidden)
export const ownersOnly = () => new HttpError(403, 'forbidden', texts.ownersOnly)
/** RFC 9470: the same request succeeds after a sign-in with these values. */
export const stepUpRequired = (challenge: string) =>
  new HttpError(401, 'insufficient_user_authentication', texts.stepUpRequired, {
    headers: {
      'www-authenticate': `Bearer error="insufficient_user_authentication", ${challenge}`,
    },
  })
/** The identity provider doesn't respond or rejects us, or we have no service account. */
export const identityUnavailable = (cause?: unknown) =>
  new HttpError(503, 'identity-unavailable', texts.identityUnavailable, {
    headers: RETRY_SOON,
    cause,
  })
/** Keycloak sends it within the request, past our outbox. */
export const invitationNotSent = (cause?: unknown) =>
  new HttpError(503, 'invitation-not-sent', texts.invitationNotSent, { cause })
export const crossSiteForm = () => new HttpError(403, 'cross-site-form', texts.crossSiteForm)
export const routeNotFound = () => new HttpError(404, 'not-found', texts.routeNotFound)
export const recordNotFound = () => new HttpError(404, 'record-not-found', texts.recordNotFound)
export const operationNotFound = () =>
  new HttpError(404, 'operation-not-found', texts.operationNotFound)
export const unsupportedAction = (allow: string) =>
  new HttpError(405, 'unsupported-action', texts.unsupportedAction, { headers: { allow } })
export const conflict = (code: string, detail: string, errors?: FieldError[]) =>
  new HttpError(409, code, detail, errors ? { errors } : {})
export const inFlight = () =>
  new HttpError(409, 'in-flight', texts.inFlight, { headers: RETRY_SOON })
export const recordGone = () => new HttpError(410, 'record-erased', texts.recordErased)
export const metricsMoved = (port: number) =>
  new HttpError(410, 'metrics-moved', texts.metricsMoved(port))
export const changedMeanwhile = (current: unknown) =>
  new HttpError(412, 'changed-meanwhile', texts.changedMeanwhile, { current })
export const tooLarge = () => new HttpError(413, 'too-large', texts.tooLarge)
export const invalidRecord = (errors: FieldError[]) =>
  new HttpError(422, 'invalid-record', errors.map((error) => error.message).join(' '), { errors })
export const keyReused = () => new HttpError(422, 'key-reused', texts.keyReused)
export const listTooSlow = () => new HttpError(422, 'list-too-slow', texts.listTooSlow)
export const tooManyRequests = (seconds: number) =>
  new HttpError(429, 'too-many-requests', texts.tooManyRequests(seconds), {
    headers: { 'retry-after': String(seconds) },
  })
export const internalError = () => new HttpError(500, 'internal-error', texts.internalError)
export const unavailable = (code: string, detail: string, cause?: unknown) =>
  new HttpError(503, code, detail, { headers: RETRY_SOON, cause })
export const overloaded = (cause?: unknown) => unavailable('overloaded', texts.overloaded, cause)
export const databaseUnavailable = (cause?: unknown) =>
  unavailable('database-unavailable', texts.databaseUnavailable, cause)
/** PostgreSQL's statement timeout, mostly while waiting for another transaction's lock: worth a retry. */
export const tooSlow = (cause?: unknown) => unavailable(TOO_SLOW, texts.tooSlow, cause)
export const isTooSlow = (error: unknown) => error instanceof HttpError && error.code === TOO_SLOW
export const outcomeUnknown = () => unavailable('outcome-unknown', texts.outcomeUnknown)
export const keysUnavailable = (cause?: unknown) =>
  unavailable('keys-unavailable', texts.keysUnavailable, cause)
