import {
  INQUIRY_SUBJECTS,
  valueSchema,
  type InquirySubject,
  type JsonSchema,
} from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db, Row, Runner } from '#db.ts'
import { addConfirmation, confirmationHeaders } from '#mail-budget.ts'
import { refuseOthers } from '#methods.ts'
import { addMail } from '#outbox.ts'
import { contextOf, type Site } from '#site.ts'
import { caseCounters } from '#table.ts'
import { requireBody } from '#validate.ts'
import { dueOn } from './deadline.ts'
import { countHourly } from './limit.ts'
import {
  buildPages,
  FORM_TYPE,
  isForm,
  keyOfForm,
  parseForm,
  refuseForm,
  requireOwnForm,
  requireOwnKey,
  sendPage,
  whileInFlight,
  type RenderInquiry,
} from './request-form.ts'

const URL = '/api/privacy/requests'
/** A message of 10,000 characters, each up to twelve bytes in a form's encoding. */
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
  db: Db
  site: Site
  /** Who at the provider is told of a request. */
  privacyEmail: string
  perHour: number
  /** Makes the record, and what belongs to it, in one transaction; a repetition gets the first one again. */
  createRequest: (creation: {
    request: FastifyRequest
    key?: string | undefined
    body: unknown
    values: (tx: Runner) => Promise<Row>
    after: (tx: Runner, record: Row) => Promise<boolean>
  }) => Promise<{ record: Row; isConfirmed: boolean | null }>
  renderInquiry: RenderInquiry | null
}

/** The Privacy Inquiry Form. Everybody gets the same answer: it never tells whether we know an address. */
export function requestRoutes(app: FastifyInstance, options: RequestOptions) {
  const makePage = buildPages(options.renderInquiry)

  // Encapsulated: no other address reads what a form posts.
  void app.register(async (scope) => {
    scope.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) =>
      done(null, parseForm(String(body))),
    )
    const route = {
      bodyLimit: BODY_LIMIT_BYTES,
      errorHandler: refuseForm({ makePage, fields: Object.keys(LABELS) }),
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

  refuseOthers(app, URL, ['POST'], 'POST')
}

async function receive(request: FastifyRequest, options: RequestOptions) {
  const { db, site, privacyEmail, perHour, createRequest } = options
  const inquiry = requireBody(request, LABELS, INQUIRY_SCHEMA) as Inquiry
  await countHourly(db, { what: 'requests', address: request.ip, max: perHour })
  const { today } = contextOf(site)
  if (inquiry.website) return decoy(db, today)
  const create = (key?: string) =>
    createRequest({
      request,
      key,
      body: inquiry,
      values: async (tx) => ({
        reference: await nextReference(tx, today),
        kind: inquiry.subject,
        name: inquiry.name.trim(),
        email: inquiry.email,
        message: inquiry.message,
        dueOn: dueOn(today),
      }),
      after: async (tx, record) => {
        const data = {
          requestId: String(record['id']),
          reference: String(record['reference']),
          kind: inquiry.subject,
          dueOn: String(record['dueOn']),
        }
        await addMail(tx, { kind: 'privacy-request-opened', recipient: privacyEmail, data })
        const mail = { kind: 'request-received', recipient: inquiry.email, data } as const
        return addConfirmation(tx, { form: 'privacy', visitor: request.visitor, mail })
      },
    })
  const { record, isConfirmed } = await (isForm(request)
    ? whileInFlight(() => create(keyOfForm(inquiry)))
    : create())
  return { reference: record['reference'], dueOn: record['dueOn'], isConfirmed }
}

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

/** What may be sent: exactly the form, all of it required but the field that only programs fill in. */
const schemaWith = (confirmed: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    name: { ...valueSchema(FIELDS.name), minLength: 1 },
    email: { ...valueSchema(FIELDS.email), minLength: 1 },
    subject: { type: 'string', enum: [...INQUIRY_SUBJECTS] },
    message: { ...valueSchema(FIELDS.message), minLength: 1 },
    confirmed,
    website: { type: 'string', maxLength: 200, description: 'Leave it empty' },
  },
  required: ['name', 'email', 'subject', 'message', 'confirmed'],
  additionalProperties: false,
})

export const INQUIRY_SCHEMA = schemaWith({ type: 'boolean', enum: [true] })
/** The same as a browser encodes it. */
export const INQUIRY_FORM_SCHEMA = schemaWith({ type: 'string', enum: ['on'] })

/** Whoever fills in the field nobody sees learns nothing from the answer, and nothing is kept. */
async function decoy(db: Runner, today: string) {
  const [row] = await db.query(sql`select last from ${caseCounters} where year = ${yearOf(today)}`)
  const reference = toReference(today, Number(row?.['last'] ?? 0) + 1)
  return { reference, dueOn: dueOn(today), isConfirmed: true }
}

async function nextReference(tx: Runner, today: string) {
  const [row] = await tx.query(
    sql`insert into ${caseCounters} as counted (year, last) values (${yearOf(today)}, 1)
      on conflict (year) do update set last = counted.last + 1 returning last`,
  )
  return toReference(today, Number(row?.['last']))
}

const toReference = (today: string, number: number) =>
  `PR-${yearOf(today)}-${String(number).padStart(4, '0')}`

const yearOf = (today: string) => Number(today.slice(0, 4))
