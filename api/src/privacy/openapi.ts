import type { JsonSchema } from '@gatehouse/model'
import { CONFIRMATION_HEADERS } from '#platform/mail-budget.ts'
import { CHOICE_SCHEMA } from './choices.ts'
import { FORM_TYPE, KEY_MAX_LENGTH, OWN_KEY_PATTERN } from './request-form.ts'
import { INQUIRY_FORM_SCHEMA, INQUIRY_SCHEMA } from './requests.ts'

const PROBLEM = { $ref: '#/components/responses/Problem' }

/** To a form the same as a page, with what was typed. */
const PROBLEM_OR_PAGE = {
  description: 'A problem',
  content: {
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    'text/html': { schema: { type: 'string' } },
  },
}

const problems = (statuses: number[], answer: JsonSchema = PROBLEM) =>
  Object.fromEntries([...statuses, 405, 429, 431, 500, 503].map((status) => [status, answer]))

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

/** Who has no token is welcome too; one that is sent must be valid. */
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
              description: 'A text, a list of items, or a table with caption, columns and rows',
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

/** What openapi.json says about the addresses under /api/privacy. */
export const privacyPaths: Record<string, JsonSchema> = {
  '/api/privacy/notice': {
    get: {
      operationId: 'notice',
      summary: 'The privacy notice',
      tags: OPEN.tags,
      'x-access': 'public',
      security: [],
      parameters: [
        {
          name: 'version',
          in: 'query',
          description: 'An older version; the newest unless it is named',
          schema: text,
        },
      ],
      responses: {
        200: {
          description: 'Done',
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
      summary: 'Open a privacy request',
      ...OPEN,
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'Repeats with the same key and body get the first answer, for 24 hours',
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
        'A browser without scripts posts the form as it is and gets HTML pages: one with the reference, or the form again with what was typed. Such a form is refused with 403 when it comes from another website.',
      responses: {
        303: {
          description:
            'Received, sent as a form: a page that says so, where none with the reference can be made',
          headers: { location: { schema: text } },
        },
        202: {
          description: 'Received; whether we know the address is not told',
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
      summary: 'Keep proof of an answer to the cookie question, without identity',
      ...OPEN,
      requestBody: { required: true, content: json(CHOICE_SCHEMA) },
      responses: { 204: { description: 'Kept' }, ...problems([400, 401, 413, 415, 422]) },
    },
  },
}
