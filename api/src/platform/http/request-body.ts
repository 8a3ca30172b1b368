import { fieldMessages, problemMessages, violationText, type Violation } from '@gatehouse/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Row } from '#platform/db.ts'
import { badRequest, invalidRecord, type FieldError } from '#platform/errors.ts'

const BODY_DEPTH_MAX = 8
const SURROGATE = /\\u[dD][89a-fA-F]/

/** JSON bodies only, unless a route adds a parser. */
export function parseBodies(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    if (nesting(text) > BODY_DEPTH_MAX)
      return done(badRequest(problemMessages.tooDeep(BODY_DEPTH_MAX)))
    return parseJson(_request, text, (error, value) =>
      done(error, error || !SURROGATE.test(text) ? value : JSON.parse(text, toWellFormed)),
    )
  })
}

/** Lone surrogates, as from a cut emoji: text columns replace them, JSON columns reject them. */
const toWellFormed = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value

/** Nesting depth of JSON, without parsing it. */
function nesting(text: string) {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isText && character === '\\') at++
    else if (character === '"') isText = !isText
    else if (!isText && (character === '{' || character === '['))
      deepest = Math.max(deepest, ++depth)
    else if (!isText && (character === '}' || character === ']')) depth--
  }
  return deepest
}

type Labels = Record<string, { label: string }>

type SchemaError = Omit<Violation, 'isPart'> & {
  instancePath: string
  params: { additionalProperty?: string; missingProperty?: string }
}

type Candidate = { body: unknown; labels: Labels; schema: object }

/** The validated body; throws one message per field otherwise. */
export const requireBody = (request: FastifyRequest, labels: Labels, schema: object): Row =>
  validateBody(request, { body: request.body, labels, schema })

/** The body, or an empty one if none was sent; `null` is a body, and rejected. */
export const bodyOrEmpty = ({ body }: Pick<FastifyRequest, 'body'>) =>
  body === undefined ? {} : body

/** Like `requireBody`, for a given body, such as one that may be absent. */
export function validateBody(request: FastifyRequest, candidate: Candidate): Row {
  const { body, errors } = findErrors(request, candidate)
  return requireNone(body, errors, candidate.labels)
}

/** Like `validate`, for an update: an unchanged `stored` value may violate a newer pattern. */
export async function requireChange(
  request: FastifyRequest,
  { stored, ...candidate }: Candidate & { stored: () => Promise<Row | null> },
): Promise<Row> {
  const { body, errors } = findErrors(request, candidate)
  const before = errors.some(isPattern) ? await stored() : null
  const broken = errors.filter((error) => !(isPattern(error) && isUnchanged(error, body, before)))
  return requireNone(body, broken, candidate.labels)
}

function findErrors(request: FastifyRequest, { body, schema }: Candidate) {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest(problemMessages.notAnObject)
  const check = checks.get(schema) ?? request.compileValidationSchema(schema, 'body')
  checks.set(schema, check)
  const errors = check(body) ? [] : ((check.errors ?? []) as SchemaError[])
  return { body: body as Row, errors }
}

function requireNone(body: Row, errors: SchemaError[], labels: Labels) {
  if (errors.length === 0) return body
  throw invalidRecord(firstPerField(errors.map((error) => toFieldError(labels, error))))
}

const isPattern = ({ keyword }: SchemaError) => keyword === 'pattern'

/** Entry by entry for lists: adding a tag doesn't touch the others. */
function isUnchanged({ instancePath }: SchemaError, body: Row, before: Row | null) {
  const [, name = '', part] = instancePath.split('/')
  const [sent, previous] = [body[name], before?.[name]]
  if (part === undefined) return sent === previous
  return Array.isArray(sent) && Array.isArray(previous) && previous.includes(sent[Number(part)])
}

/** Lazy cache per schema: Fastify would compile it for every route. */
const checks = new WeakMap<object, ReturnType<FastifyRequest['compileValidationSchema']>>()

function toFieldError(labels: Labels, error: SchemaError): FieldError {
  const { params } = error
  const name = String(
    params.additionalProperty ?? params.missingProperty ?? error.instancePath.split('/')[1],
  )
  const field = Object.hasOwn(labels, name) ? labels[name] : undefined
  // Unknown, hidden and read-only fields get the same error: none of them is in the schema.
  if (error.keyword === 'additionalProperties')
    return { field: name, message: fieldMessages.notSettable(name) }
  const isPart = error.instancePath.split('/').length > 2
  const label = field?.label ?? `"${name}"`
  return { field: name, message: `${label} ${violationText({ ...error, isPart })}.` }
}

const firstPerField = (errors: FieldError[]) =>
  [...new Map(errors.toReversed().map((error) => [error.field, error])).values()].toReversed()
