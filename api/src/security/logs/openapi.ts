import { reaches, SECURITY_EVENTS, type Access, type JsonSchema } from '@gatehouse/model'
import { json, problems } from '#engine/http/openapi-components.ts'
import { INSTANT_PATTERN } from '#engine/query/column-values.ts'

const UUID = { type: 'string', format: 'uuid' }
const INSTANT = { type: 'string', format: 'date-time' }
const KIND = { type: 'string', enum: Object.keys(SECURITY_EVENTS) }
const TEXT = { type: ['string', 'null'] }

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const page = (item: JsonSchema) =>
  object({
    items: { type: 'array', items: item },
    next: { type: ['string', 'null'], description: 'Pass as `before` for older entries' },
  })

const PERSON: JsonSchema = {
  ...object({ ref: UUID, name: TEXT, isYou: { type: 'boolean' } }),
  type: ['object', 'null'],
  description: 'Without a name where the account is gone',
}
const PLACE: JsonSchema = {
  ...object({
    model: { type: 'string' },
    id: { type: ['string', 'null'], format: 'uuid' },
    label: TEXT,
  }),
  type: ['object', 'null'],
}
const EVENT = object({
  id: UUID,
  at: INSTANT,
  kind: KIND,
  outcome: TEXT,
  by: PERSON,
  about: PERSON,
  record: PLACE,
})
const CHANGE = object({
  id: { type: 'integer' },
  at: INSTANT,
  action: { type: 'string' },
  by: PERSON,
  byKind: { type: 'string', enum: ['anonymous', 'user', 'admin', 'system'] },
  record: PLACE,
  fields: { type: 'array', items: { type: 'string' } },
})
const COUNTS = object({
  hours: {
    type: 'array',
    items: object({
      hour: INSTANT,
      count: { type: 'integer' },
      isRise: { type: 'boolean', description: 'Far more than in a usual hour' },
    }),
  },
  history: {
    ...object({
      at: INSTANT,
      revisions: { type: 'integer' },
      auditRows: { type: 'integer' },
      mismatches: { type: 'integer' },
    }),
    type: ['object', 'null'],
    description: 'The latest comparison of changes and audit rows',
  },
})

const parameter = (name: string, schema: JsonSchema, description?: string): JsonSchema => ({
  name,
  in: 'query',
  schema,
  ...(description ? { description } : {}),
})
const KIND_FILTER = parameter('kind', KIND)
/** Matches `isInstant`: with a time zone, and within PostgreSQL's ranges of hour, minute and second. */
const GIVEN_INSTANT = { ...INSTANT, pattern: INSTANT_PATTERN }
const FILTERS = [
  parameter('from', GIVEN_INSTANT),
  parameter('to', GIVEN_INSTANT),
  parameter('person', { type: 'string' }, 'A reference, the id of an account, or `me`'),
  parameter('model', { type: 'string' }),
  parameter('record', UUID),
]
const BEFORE = parameter('before', { type: 'string', maxLength: 99 })

const CSV = {
  description: 'Rows as CSV. Cells that look like formulas begin with an apostrophe.',
  content: { 'text/csv': { schema: { type: 'string' } } },
}

type Described = { what: string; id: string; filters: JsonSchema[]; item: JsonSchema }

const pathsOf = (url: string, { what, id, filters, item }: Described) => ({
  [url]: {
    get: {
      operationId: id,
      summary: `List ${what}, newest first`,
      'x-access': 'owner',
      parameters: [...filters, BEFORE],
      responses: { 200: json(page(item), 'A page'), ...problems(400) },
    },
  },
  [`${url}/export`]: {
    get: {
      operationId: `${id}Export`,
      summary: `Export ${what}`,
      description: 'Is a security event itself.',
      'x-access': 'owner',
      'x-step-up': 'fresh',
      parameters: filters,
      responses: { 200: CSV, ...problems(400) },
    },
  },
})

export const logPaths = (level: Access): Record<string, JsonSchema> =>
  reaches(level, 'owner')
    ? {
        ...pathsOf('/api/security-events', {
          what: 'security events',
          id: 'securityEvents',
          filters: [KIND_FILTER, ...FILTERS],
          item: EVENT,
        }),
        '/api/security-events/counts': {
          get: {
            operationId: 'securityEventCounts',
            summary: 'Count security events of the last seven days, by hour',
            'x-access': 'owner',
            parameters: [KIND_FILTER],
            responses: { 200: json(COUNTS, 'Counts'), ...problems(400) },
          },
        },
        ...pathsOf('/api/changes', {
          what: 'changes of all models',
          id: 'changes',
          filters: FILTERS,
          item: CHANGE,
        }),
      }
    : {}
