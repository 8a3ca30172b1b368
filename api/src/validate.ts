import { complaintWords } from '@gatehouse/model'
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
  const isPart = error.instancePath.split('/').length > 2
  return { field: name, message: `${field.label} ${complaintWords({ ...error, isPart })}.` }
}

const firstPerField = (errors: FieldError[]) =>
  [...new Map(errors.toReversed().map((error) => [error.field, error])).values()].toReversed()
