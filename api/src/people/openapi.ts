import { reaches, type Access, type JsonSchema } from '@gatehouse/model'
import { body, ID, json, problems } from '#engine/http/openapi-parts.ts'
import { CHANGE_SCHEMA, INVITATION_SCHEMA } from './routes.ts'

/** OpenAPI paths of staff, which are for owners. */
export const peoplePaths = (level: Access): Record<string, JsonSchema> =>
  reaches(level, 'owner')
    ? {
        '/api/people': {
          get: {
            operationId: 'people',
            summary: 'List staff',
            'x-access': 'owner',
            responses: { 200: json(PEOPLE, 'Staff'), ...problems() },
          },
          post: {
            operationId: 'invite',
            summary: 'Invite colleague',
            description:
              'Sends an email with a link. Replaces an account nobody has confirmed. 409 for staff, and for anyone else with an account unless `existing` is true: they become staff with it, and are told by email.',
            'x-access': 'owner',
            'x-step-up': 'fresh',
            requestBody: body(INVITATION_SCHEMA),
            responses: { 202: { description: 'Invited' }, ...problems(400, 409, 413, 415, 422) },
          },
        },
        '/api/people/{id}': {
          parameters: [ID],
          put: {
            operationId: 'changePerson',
            summary: 'Change level of colleague, disable or enable them',
            description:
              'Level `none` takes them off staff. Ends their sessions. 409 for the last owner.',
            'x-access': 'owner',
            'x-step-up': 'fresh',
            requestBody: body(CHANGE_SCHEMA),
            responses: {
              204: { description: 'Changed' },
              ...problems(400, 404, 409, 413, 415, 422),
            },
          },
        },
        '/api/people/{id}/sign-out': {
          parameters: [ID],
          post: {
            operationId: 'signOutPerson',
            summary: 'Sign colleague out everywhere',
            'x-access': 'owner',
            responses: { 204: { description: 'Signed out' }, ...problems(404) },
          },
        },
      }
    : {}

const PEOPLE: JsonSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          name: { type: ['string', 'null'] },
          email: { type: ['string', 'null'] },
          level: { type: 'string', enum: ['technician', 'owner'] },
          state: { type: 'string', enum: ['active', 'invited', 'disabled', 'gone'] },
          lastSeenOn: { type: ['string', 'null'], format: 'date' },
          isYou: { type: 'boolean' },
        },
        required: ['id', 'name', 'email', 'level', 'state', 'lastSeenOn', 'isYou'],
      },
    },
  },
  required: ['items'],
}
