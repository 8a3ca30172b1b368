import { problemMessages } from '@gatehouse/model'
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { badRequest, crossSiteForm, HttpError, type FieldError } from '#platform/errors.ts'
import { networkOf } from '#platform/admission-control/client-network.ts'
import { sendProblem, toHttpError } from '#platform/http/problems.ts'

/** The Privacy Inquiry Form posted without scripts: same rules as JSON, but responses are pages. */
export const FORM_TYPE = 'application/x-www-form-urlencoded'
const IN_FLIGHT_TRIES = 10
const IN_FLIGHT_PAUSE_MS = 300
/** Rendering a page takes 16 ms of CPU, so pages are limited per network and in total. */
const PAGES_PER_MINUTE = { network: 30, all: 600 }
const MINUTE_MS = 60_000
const FORM_KEY_PREFIX = 'form-'
/** Also used as a JSON Schema pattern. */
export const OWN_KEY_PATTERN = `^(?!${FORM_KEY_PREFIX})[\\x21-\\x7e]+$`
export const KEY_MAX_LENGTH = 255
const OWN_KEY = new RegExp(OWN_KEY_PATTERN)

/** CSP: our own files only, and no fetch, as the page runs no app. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

type Refusal = { values: Record<string, string>; errors: FieldError[]; text: string }

type Received = { reference: unknown; dueOn: unknown; isEmailed: boolean }

/** Called with null if the outcome is unknown. */
export type RenderInquiry = (answer: Refusal | Received | null) => Promise<string>

export const isForm = ({ headers }: FastifyRequest) =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() === FORM_TYPE

/** Empty fields count as missing; forms end lines with CRLF. */
export function parseForm(text: string): Record<string, unknown> {
  const sent = [...new URLSearchParams(text)].filter(([, value]) => value !== '')
  return Object.fromEntries(
    sent.map(([name, value]) => [
      name,
      name === 'confirmed' && value === 'on' ? true : value.replaceAll('\r\n', '\n'),
    ]),
  )
}

/**
 * CSRF guard. Origin is "null" under no-referrer, even on our own pages, so Sec-Fetch-Site decides; older browsers are checked
 * by an Origin that names a host.
 */
export function requireOwnForm({ headers }: FastifyRequest) {
  const site = headers['sec-fetch-site']
  const { origin } = headers
  const isOwn = site
    ? site === 'same-origin' || site === 'none'
    : !origin || origin === 'null' || URL.parse(origin)?.host === headers.host
  if (!isOwn) throw crossSiteForm()
}

/** Forms have no Idempotency-Key: the same text, submitted or reloaded twice, is the same request. */
export const keyOfForm = (inquiry: object) =>
  `${FORM_KEY_PREFIX}${createHash('sha256').update(JSON.stringify(inquiry)).digest('hex')}`

/** Anonymous callers share a key space, so a guessed key must not block another caller's form. */
export function requireOwnKey({ headers }: FastifyRequest) {
  const key = headers['idempotency-key']?.toString()
  if (key !== undefined && (key.length > KEY_MAX_LENGTH || !OWN_KEY.test(key)))
    throw badRequest(
      key.startsWith(FORM_KEY_PREFIX)
        ? problemMessages.reservedKey(FORM_KEY_PREFIX)
        : problemMessages.invalidKey,
    )
}

/** A double submit waits for the first and gets its response, since the browser shows the second. */
export async function whileInFlight<T>(create: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await create()
    } catch (error) {
      const isInFlight = error instanceof HttpError && error.code === 'in-flight'
      if (!isInFlight || tries === IN_FLIGHT_TRIES) throw error
      await setTimeout(IN_FLIGHT_PAUSE_MS)
    }
}

/** Null if rate-limited, if the site isn't built, or if rendering fails. */
export function buildPages(render: RenderInquiry | null) {
  const mayRender = buildPageLimit()
  return async (request: FastifyRequest, ...[answer]: Parameters<RenderInquiry>) =>
    render && mayRender(networkOf(request.ip)) ? render(answer).catch(() => null) : null
}

export const sendPage = (reply: FastifyReply, page: string) =>
  reply.header('content-security-policy', PAGE_POLICY).type('text/html; charset=utf-8').send(page)

type Refusing = { makePage: ReturnType<typeof buildPages>; fields: string[] }

export const rejectForm =
  ({ makePage, fields }: Refusing) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const problem = toHttpError(error)
    const refusal = toRefusal(problem, { body: request.body, fields })
    const page = isForm(request) ? await makePage(request, refusal) : null
    if (page === null) return sendProblem(error, request, reply)
    if (problem.status >= 500) request.log.error({ err: error }, 'request failed')
    return sendPage(reply.code(problem.status).headers(problem.extra.headers ?? {}), page)
  }

function buildPageLimit() {
  let since = 0
  let all = 0
  let counts = new Map<string, number>()
  return (network: string) => {
    if (Date.now() - since > MINUTE_MS) {
      since = Date.now()
      all = 0
      counts = new Map()
    }
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    return count <= PAGES_PER_MINUTE.network && ++all <= PAGES_PER_MINUTE.all
  }
}

function toRefusal(
  { code, message, extra }: HttpError,
  { body, fields }: { body: unknown; fields: string[] },
): Refusal | null {
  if (code === 'outcome-unknown') return null
  // Input from another website must not appear as the visitor's own.
  const sent = code === 'cross-site-form' ? {} : Object(body)
  const values = fields.flatMap((name) => {
    const value: unknown = sent[name]
    if (value === true) return [[name, 'on']]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return {
    values: Object.fromEntries(values),
    errors: (extra.errors ?? []).filter(({ field }) => fields.includes(field)),
    text: message,
  }
}
