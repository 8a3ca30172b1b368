import { isStaff, type Access, type JsonSchema } from '@gatehouse/model'
import { ID, json, problems } from '#engine/http/openapi-components.ts'

export const mailPaths = (level: Access): Record<string, JsonSchema> =>
  isStaff(level)
    ? {
        '/api/system/mails': {
          get: {
            operationId: 'undeliveredMails',
            summary: 'List undelivered emails',
            'x-access': 'admin',
            parameters: PARAMETERS,
            responses: { 200: json(PAGE, 'Undelivered emails'), ...problems(400) },
          },
        },
        '/api/system/mails/{id}/retry': {
          parameters: [ID],
          post: {
            operationId: 'retryMail',
            summary: 'Send undelivered email again',
            'x-access': 'admin',
            responses: { 202: { description: 'Queued' }, ...problems(404, 409) },
          },
        },
      }
    : {}

const PARAMETERS = [
  {
    name: 'after',
    in: 'query',
    description: '`next` of the previous page',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'alerts',
    in: 'query',
    description: 'Undelivered alerts instead, including those still being retried',
    schema: { type: 'boolean' },
  },
]

const MAIL: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    kind: { type: 'string' },
    record: {
      type: ['object', 'null'],
      description: 'Record the email is about; null if no longer known',
      properties: {
        model: { type: 'string' },
        id: { type: 'string', format: 'uuid' },
        reference: { type: ['string', 'null'] },
      },
      required: ['model', 'id', 'reference'],
    },
    code: { type: 'string', description: 'Why the last attempt failed, such as 550 5.1.1' },
    failedAt: {
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it last failed; null while it is being retried',
    },
    attempts: { type: 'integer' },
    canRetry: { type: 'boolean', description: 'False once the address was deleted after 7 days' },
  },
  required: ['id', 'kind', 'record', 'code', 'failedAt', 'attempts', 'canRetry'],
}

const PAGE: JsonSchema = {
  type: 'object',
  properties: {
    items: { type: 'array', items: MAIL },
    next: { type: ['string', 'null'], description: 'Pass as `after` for older emails' },
  },
  required: ['items', 'next'],
}
