import type { JsonSchema } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Db } from '#platform/db.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { cookieChoices } from './privacy-tables.ts'
import { requireBody } from '#platform/http/request-body.ts'
import { countHourly } from './hourly-limit.ts'
import { PUBLIC } from '#platform/http/access-level.ts'

const URL = '/api/privacy/choices'
const BODY_LIMIT_BYTES = 1_024

type Choice = {
  choiceId: string
  choice: 'essential' | 'all'
  switchState: boolean
  gpc: boolean
  noticeVersion: string
  dialogHash: string
}

/** Proof of the cookie choice (GDPR Art. 7(1)), without identifying data. */
export function choiceRoutes(app: FastifyInstance, { db, perHour }: { db: Db; perHour: number }) {
  app.post(
    URL,
    { bodyLimit: BODY_LIMIT_BYTES, config: { needs: PUBLIC } },
    async (request, reply) => {
      const body = requireBody(request, LABELS, CHOICE_SCHEMA) as Choice
      await countHourly(db, { what: 'choices', address: request.ip, max: perHour })
      await db.query(
        sql`insert into ${cookieChoices} (id, choice, switch_state, gpc, notice_version, dialog_hash)
        values (${body.choiceId}, ${body.choice}, ${body.switchState}, ${body.gpc}, ${body.noticeVersion},
          ${body.dialogHash})
        on conflict (id) do nothing`,
        'prepared',
      )
      return reply.code(204).send()
    },
  )

  refuseOtherMethods(app, URL, ['POST'], 'POST')
}

const LABELS = {
  choiceId: { label: 'The id of the choice' },
  choice: { label: 'The choice' },
  switchState: { label: 'The switch' },
  gpc: { label: 'Global Privacy Control' },
  noticeVersion: { label: 'The version of the notice' },
  dialogHash: { label: 'The hash of the dialog' },
}

export const CHOICE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    // The format alone accepts `urn:uuid:…`, which PostgreSQL doesn't.
    choiceId: { type: 'string', format: 'uuid', pattern: '^[0-9a-fA-F-]{36}$' },
    choice: { type: 'string', enum: ['essential', 'all'] },
    switchState: { type: 'boolean' },
    gpc: { type: 'boolean' },
    noticeVersion: { type: 'string', pattern: '^[0-9]{1,4}\\.[0-9]{1,4}$' },
    dialogHash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  },
  required: Object.keys(LABELS),
  additionalProperties: false,
}
