import type { Access, JsonSchema } from '@gatehouse/model'
import { json, problems } from '#engine/http/openapi-components.ts'

export const clientPaths = (level: Access): Record<string, JsonSchema> =>
  level === 'public'
    ? {}
    : {
        '/api/me': {
          get: {
            operationId: 'me',
            summary: 'Get current user',
            'x-access': 'user',
            responses: { 200: json(ME, 'Current user'), ...problems() },
          },
        },
      }

const ME: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: ['string', 'null'] },
    link: { type: 'string', enum: ['none', 'asked', 'approved', 'refused'] },
    portalRole: { type: ['string', 'null'], enum: ['none', 'viewer', 'manager', null] },
    organisation: {
      type: ['object', 'null'],
      properties: { id: { type: 'string', format: 'uuid' }, name: { type: 'string' } },
      required: ['id', 'name'],
      additionalProperties: false,
    },
  },
  required: ['name', 'link', 'portalRole', 'organisation'],
  additionalProperties: false,
}
