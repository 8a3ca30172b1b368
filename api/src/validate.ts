import type { FastifyRequest } from 'fastify'
import type { Row } from './db.ts'
import { badRequest, invalidRecord, type FieldError } from './errors.ts'

/** What a refusal calls the fields of a body. */
type Labels = Record<string, { label: string }>

type SchemaError = { keyword: string; instancePath: string; params: Record<string, unknown> }

/** The body, once it fits the schema; otherwise one sentence per field. */
export const requireBody = (request: FastifyRequest, labels: Labels, schema: object): Row =>
  requireFit(request, { body: request.body, labels, schema })

/** The same for what is not sent but put together here, and must keep the rules of what is sent. */
export function requireFit(
  request: FastifyRequest,
  { body, labels, schema }: { body: unknown; labels: Labels; schema: object },
): Row {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('Send the fields as one JSON object')
  const check = checks.get(schema) ?? request.compileValidationSchema(schema, 'body')
  checks.set(schema, check)
  if (check(body)) return body as Row
  const errors = (check.errors ?? []) as SchemaError[]
  throw invalidRecord(firstPerField(errors.map((error) => toFieldError(labels, error))))
}

/** Compiled on first use, once per schema: Fastify would compile it again for every route that uses it. */
const checks = new WeakMap<object, ReturnType<FastifyRequest['compileValidationSchema']>>()

function toFieldError(labels: Labels, error: SchemaError): FieldError {
  const { params } = error
  const name = String(
    params['additionalProperty'] ?? params['missingProperty'] ?? error.instancePath.split('/')[1],
  )
  const field = Object.hasOwn(labels, name) ? labels[name] : undefined
  // One sentence for what does not exist, what is hidden and what may not be written: it must not tell them apart.
  if (error.keyword === 'additionalProperties' || !field)
    return { field: name, message: `"${name}" can not be set.` }
  return { field: name, message: `${field.label} ${words(error)}.` }
}

function words({ keyword, params, instancePath }: SchemaError) {
  const limit = String(params['limit'])
  const isPart = instancePath.split('/').length > 2
  switch (keyword) {
    case 'required':
    case 'minLength':
      return 'is required'
    case 'maxLength':
      return isPart
        ? `may hold at most ${limit} characters each`
        : `may have at most ${limit} characters`
    case 'maxItems':
      return `may hold at most ${limit} values`
    case 'uniqueItems':
      return 'holds the same value twice'
    case 'enum':
      return 'must be one of the choices'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`
    case 'type':
      return `must be ${TYPE_WORDS[String(params['type']).split(',')[0] ?? ''] ?? 'something else'}`
    case 'format':
      return `must be ${FORMAT_WORDS[String(params['format'])] ?? 'written differently'}`
    default:
      return 'is blank or holds characters that are not allowed'
  }
}

const TYPE_WORDS: Record<string, string> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
}

const FORMAT_WORDS: Record<string, string> = {
  email: 'an e-mail address',
  uri: 'a web address that begins with https:// or http://',
  date: 'a day written as 2026-01-31',
  'date-time': 'a date and time with its time zone',
  uuid: 'the id of a record',
}

const firstPerField = (errors: FieldError[]) =>
  [...new Map(errors.toReversed().map((error) => [error.field, error])).values()].toReversed()
