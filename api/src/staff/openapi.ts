import { reaches, type Access, type JsonSchema } from '@gatehouse/model'
import { body, ID, json, problems } from '#engine/http/openapi-components.ts'
import { FACTORS } from '#platform/identity/directory.ts'
import { BROWSER_NAMES, SYSTEM_NAMES } from './device.ts'
import { CHANGE_SCHEMA, INVITATION_SCHEMA } from './routes.ts'

export const staffPaths = (level: Access): Record<string, JsonSchema> =>
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

export const sessionPaths = (level: Access): Record<string, JsonSchema> =>
  level === 'public'
    ? {}
    : {
        '/api/me/sessions': {
          get: {
            operationId: 'sessions',
            summary: 'List own sessions',
            'x-access': 'user',
            responses: { 200: json(SESSIONS, 'Sessions'), ...problems() },
          },
        },
        '/api/me/sessions/sign-out-others': {
          post: {
            operationId: 'signOutOthers',
            summary: 'Sign out on all other devices',
            'x-access': 'user',
            responses: { 204: { description: 'Signed out' }, ...problems() },
          },
        },
        '/api/me/sessions/{id}/sign-out': {
          parameters: [ID],
          post: {
            operationId: 'signOutSession',
            summary: 'Sign out on one device',
            'x-access': 'user',
            responses: { 204: { description: 'Signed out' }, ...problems(404) },
          },
        },
      }

const SESSIONS: JsonSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          browser: { type: 'string', enum: BROWSER_NAMES },
          system: { type: 'string', enum: SYSTEM_NAMES },
          begunAt: { type: 'string', format: 'date-time' },
          usedAt: { type: 'string', format: 'date-time' },
          isThis: { type: 'boolean' },
        },
        required: ['id', 'browser', 'system', 'begunAt', 'usedAt', 'isThis'],
      },
    },
    factors: { type: ['array', 'null'], items: { type: 'string', enum: [...FACTORS] } },
    canSignOut: { type: 'boolean' },
  },
  required: ['items', 'factors', 'canSignOut'],
}

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
