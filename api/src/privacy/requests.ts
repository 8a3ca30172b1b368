import {
  INQUIRY_SUBJECTS,
  valueSchema,
  type InquirySubject,
  type JsonSchema,
} from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { privacyrequests } from '@gatehouse/model/models'
import type { Engine } from '#engine/engine.ts'
import { runInOperation } from '#engine/operations/transaction.ts'
import { onlyRow, type Runner } from '#platform/db.ts'
import { confirmationHeaders } from '#platform/mail/confirmation-budget.ts'
import { PUBLIC } from '#platform/http/access-level.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { contextOf } from '#platform/site-config.ts'
import { caseCounters } from './privacy-tables.ts'
import { requireBody } from '#platform/http/request-body.ts'
import { responseDeadline } from '#privacy/notice/deadline.ts'
import { countHourly } from './hourly-limit.ts'
import { privacyMails } from './mails.ts'
import {
  buildPages,
  FORM_TYPE,
  isForm,
  keyOfForm,
  parseForm,
  rejectForm,
  requireOwnForm,
  requireOwnKey,
  sendPage,
  whileInFlight,
  type RenderInquiry,
} from './request-form.ts'

const URL = '/api/privacy/requests'
/** Fits a message of 10,000 characters, each up to twelve bytes URL-encoded. */
const BODY_LIMIT_BYTES = 131_072
const RECEIVED_PAGE = '/privacy/received'

type Inquiry = {
  name: string
  email: string
  subject: InquirySubject
  message: string
  website?: string
}

export type RequestOptions = {
  engine: Engine
  /** Address that is notified of new requests. */
  privacyEmail: string
  perHour: number
  renderInquiry: RenderInquiry | null
}

/** The Privacy Inquiry Form. The response never reveals whether an address is known. */
export function requestRoutes(app: FastifyInstance, options: RequestOptions) {
  const makePage = buildPages(options.renderInquiry)

  // Encapsulated, so that no other route parses forms.
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) =>
      done(null, parseForm(String(body))),
    )
    const route = {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { needs: PUBLIC },
      errorHandler: rejectForm({ makePage, fields: Object.keys(LABELS) }),
    }
    scope.post(URL, route, async (request, reply) => {
      requireOwnKey(request)
      if (!isForm(request)) {
        const { isConfirmed, ...received } = await receive(request, options)
        return reply.code(202).headers(confirmationHeaders(isConfirmed)).send(received)
      }
      requireOwnForm(request)
      const { isConfirmed, ...received } = await receive(request, options)
      const page = await makePage(request, { ...received, isEmailed: isConfirmed === true })
      return page === null ? reply.redirect(RECEIVED_PAGE, 303) : sendPage(reply.code(202), page)
    })
  })

  refuseOtherMethods(app, URL, ['POST'], 'POST')
}

async function receive(request: FastifyRequest, options: RequestOptions) {
  const { engine, perHour } = options
  const inquiry = requireBody(request, LABELS, INQUIRY_SCHEMA) as Inquiry
  await countHourly(engine.db, { what: 'requests', address: request.ip, max: perHour })
  if (inquiry.website) return honeypotResponse(engine.db, contextOf(engine.site).today)
  const sent = request.headers['idempotency-key']?.toString()
  const made = await (isForm(request)
    ? whileInFlight(() => create(options, request, { inquiry, key: keyOfForm(inquiry) }))
    : create(options, request, { inquiry, key: sent }))
  const { reference, dueOn } = made.record
  return { reference, dueOn, isConfirmed: made.isConfirmed }
}

type Creation = { inquiry: Inquiry; key: string | undefined }

/** Creates the record and its mails in one transaction; a repeat returns the first record. */
const create = (
  { engine, privacyEmail }: RequestOptions,
  request: FastifyRequest,
  { inquiry, key }: Creation,
) =>
  runInOperation(
    { engine, request, model: privacyrequests, mails: privacyMails },
    ({ tx, records, mail, once }) =>
      once({ key, body: inquiry }, async () => {
        const { today } = contextOf(engine.site)
        const { name, email, subject: kind, message } = inquiry
        const due = { reference: await nextReference(tx, today), dueOn: responseDeadline(today) }
        const record = await records.create({ ...due, kind, name: name.trim(), email, message })
        const data = { requestId: record.id, ...due, kind }
        await mail('privacy-request-opened', privacyEmail, data)
        await mail('request-received', email, data)
        return record
      }),
  )

const text = (type: 'text' | 'email' | 'textarea', label: string) => ({
  type,
  label,
  required: true,
  privacy: { personal: false } as const,
})

const FIELDS = {
  name: text('text', 'Name'),
  email: text('email', 'Email'),
  message: text('textarea', 'Message'),
}

const LABELS = {
  ...FIELDS,
  subject: { label: 'Subject' },
  confirmed: { label: 'The confirmation' },
  website: { label: 'Website' },
}

const schemaWith = (confirmed: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    name: { ...valueSchema(FIELDS.name), minLength: 1 },
    email: { ...valueSchema(FIELDS.email), minLength: 1 },
    subject: { type: 'string', enum: [...INQUIRY_SUBJECTS] },
    message: { ...valueSchema(FIELDS.message), minLength: 1 },
    confirmed,
    website: { type: 'string', maxLength: 200, description: 'Leave empty' },
  },
  required: ['name', 'email', 'subject', 'message', 'confirmed'],
  additionalProperties: false,
})

export const INQUIRY_SCHEMA = schemaWith({ type: 'boolean', enum: [true] })
/** Browsers send a checked box as `on`. */
export const INQUIRY_FORM_SCHEMA = schemaWith({ type: 'string', enum: ['on'] })

/** Honeypot: a bot that fills in the hidden field gets a normal response, and nothing is stored. */
async function honeypotResponse(db: Runner, today: string) {
  const [row] = await db.query(
    sql<{ last: number }>`select last from ${caseCounters} where year = ${yearOf(today)}`,
  )
  const reference = toReference(today, (row?.last ?? 0) + 1)
  return { reference, dueOn: responseDeadline(today), isConfirmed: true }
}

async function nextReference(tx: Runner, today: string) {
  const rows = await tx.query(
    sql<{ last: number }>`insert into ${caseCounters} as counted (year, last)
      values (${yearOf(today)}, 1)
      on conflict (year) do update set last = counted.last + 1 returning last`,
  )
  return toReference(today, onlyRow(rows).last)
}

const toReference = (today: string, number: number) =>
  `PR-${yearOf(today)}-${String(number).padStart(4, '0')}`

const yearOf = (today: string) => Number(today.slice(0, 4))
