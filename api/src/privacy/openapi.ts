import type { JsonSchema } from '@gatehouse/model'
import { CONFIRMATION_HEADERS } from '#platform/mail/confirmation-budget.ts'
import { CHOICE_SCHEMA } from './cookie-choices.ts'
import { FORM_TYPE, KEY_MAX_LENGTH, OWN_KEY_PATTERN } from './request-form.ts'
import { INQUIRY_FORM_SCHEMA, INQUIRY_SCHEMA } from './requests.ts'

const PROBLEM = { $ref: '#/components/responses/Problem' }

/** A posted form gets the problem as a page that includes its input. */
const PROBLEM_OR_PAGE = {
  description: 'Error',
  content: {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    'text/html': { schema: { type: 'string' } },
  },
}

const problems = (statuses: number[], answer: JsonSchema = PROBLEM) =>
  Object.fromEntries([...statuses, 405, 429, 431, 500, 503].map((status) => [status, answer]))

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

/** A token is optional, but must be valid if sent. */
const OPEN = { tags: ['Privacy'], 'x-access': 'public', security: [{}, { bearer: [] }] }

const text = { type: 'string' }
const texts = { type: 'array', items: text }

const NOTICE: JsonSchema = {
  type: 'object',
  properties: {
    version: text,
    lastUpdated: { type: 'string', format: 'date' },
    manifestHash: text,
    sections: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          title: text,
          blocks: {
            type: 'array',
            items: {
              type: 'object',
              description: 'Text, a list of items, or a table with caption, columns and rows',
              properties: {
                kind: { type: 'string', enum: ['text', 'list', 'table'] },
                text,
                items: texts,
                caption: text,
                columns: texts,
                rows: { type: 'array', items: texts },
              },
              required: ['kind'],
            },
          },
        },
        required: ['id', 'title', 'blocks'],
      },
    },
  },
  required: ['version', 'lastUpdated', 'manifestHash', 'sections'],
}

export const privacyPaths: Record<string, JsonSchema> = {
  '/api/privacy/notice': {
    get: {
      operationId: 'notice',
      summary: 'Get privacy notice',
      tags: OPEN.tags,
      'x-access': 'public',
      security: [],
      parameters: [
        {
          name: 'version',
          in: 'query',
          description: 'Version of the notice; default: the newest.',
          schema: text,
        },
      ],
      responses: {
        200: {
          description: 'Privacy notice',
          headers: { etag: { schema: text } },
          content: json(NOTICE),
        },
        ...problems([400, 404]),
      },
    },
  },
  '/api/privacy/requests': {
    post: {
      operationId: 'request-privacy',
      summary: 'Create privacy request',
      ...OPEN,
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'Makes retries safe: the same key and body return the first response for 24 hours.',
          schema: {
            type: 'string',
            minLength: 1,
            maxLength: KEY_MAX_LENGTH,
            pattern: OWN_KEY_PATTERN,
          },
        },
      ],
      requestBody: {
        required: true,
        content: { ...json(INQUIRY_SCHEMA), [FORM_TYPE]: { schema: INQUIRY_FORM_SCHEMA } },
      },
      description:
        'A browser without scripts posts the form and gets HTML: a page with the reference, or the form again with what was typed. A form sent from another website gets 403.',
      responses: {
        303: {
          description:
            'Received as a form: redirect to a confirmation page, if none with the reference can be rendered',
          headers: { location: { schema: text } },
        },
        202: {
          description: 'Received; doesn’t reveal whether the address is known',
          headers: CONFIRMATION_HEADERS,
          content: {
            ...json({
              type: 'object',
              properties: {
                reference: { type: 'string', pattern: '^PR-[0-9]{4}-[0-9]{4,}$' },
                dueOn: { type: 'string', format: 'date' },
              },
              required: ['reference', 'dueOn'],
              additionalProperties: false,
            }),
            'text/html': { schema: text },
          },
        },
        ...problems([400, 401, 403, 409, 410, 413, 415, 422], PROBLEM_OR_PAGE),
      },
    },
  },
  '/api/privacy/choices': {
    post: {
      operationId: 'choose-cookies',
      summary: 'Record cookie choice',
      description: 'Keeps proof of the choice, without identity.',
      ...OPEN,
      requestBody: { required: true, content: json(CHOICE_SCHEMA) },
      responses: { 204: { description: 'Recorded' }, ...problems([400, 401, 413, 415, 422]) },
    },
  },
}
