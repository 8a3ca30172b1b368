import { problemMessages } from '@gatehouse/model'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { badRequest, HttpError, internalError, toProblem, tooLarge } from '#platform/errors.ts'

const TYPE = 'application/problem+json'

/** Sends any error as problem details; causes of 5xx are only logged. Shed requests have no cause and are counted instead. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = toHttpError(error)
  request.isShed = problem.code === 'overloaded' && problem.cause === undefined
  if (problem.status >= 500 && !request.isShed) request.log.error({ err: error }, 'request failed')
  return reply
    .code(problem.status)
    .headers(problem.extra.headers ?? {})
    .type(TYPE)
    .send(JSON.stringify(toProblem(problem, request.id)))
}

/** For connections without a request: not HTTP, headers too large or too slow. */
export function rejectConnection(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const problem = CONNECTION_PROBLEMS[error.code ?? ''] ?? unreadable()
  const body = JSON.stringify(toProblem(problem, crypto.randomUUID()))
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\ncontent-type: ${TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

const CONNECTION_PROBLEMS: Record<string, HttpError> = {
  HPE_HEADER_OVERFLOW: new HttpError(431, 'headers-too-large', problemMessages.headersTooLarge),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'too-slow', problemMessages.requestTooSlow),
}

const unreadable = () => badRequest(problemMessages.malformed)

/** Maps Fastify's own errors to ours; anything else is a 500 without its message. */
export function toHttpError(error: unknown) {
  if (error instanceof HttpError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return tooLarge()
  if (status === 415) return new HttpError(415, 'unsupported-media-type', problemMessages.notJson)
  if (status >= 400 && status < 500) return unreadable()
  return internalError()
}
