import type { JsonSchema } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { ADMIN } from './access-level.ts'
import { refuseOtherMethods } from './resource.ts'
import { backupFinishedAt, type MetricSources } from './metric-collectors.ts'
import { migrationNames } from '#platform/migrate.ts'
import { countMails } from '#platform/mail/outbox.ts'
import { API_VERSION } from '#platform/version.ts'

const URL = '/api/system'

/**
 * `late`: the provider's log can't be read at present. `unknown`: no service account. Tokens are then valid until they expire.
 */
export type RevocationState = 'checked' | 'late' | 'unknown'

type System = MetricSources & {
  revocation: () => Promise<RevocationState>
  release: string
  hasRelay: boolean
  refusedPurges: () => Promise<{ count: number; records: object[] }>
}

/** System status for admins; Prometheus reads the same data at /metrics. */
export function systemRoutes(app: FastifyInstance, system: System) {
  const startedAt = new Date().toISOString()

  app.get(URL, { config: { needs: ADMIN } }, async () => {
    const { db, verifier, noticeVersion, release, hasRelay } = system
    // Sequential: a request has one connection.
    const migrations = await migrationsOf(system)
    const jobs = await system.jobCounts(db)
    const mails = await countMails(db)
    const refused = await system.refusedPurges()
    const revocation = await system.revocation()
    const backup = await backupFinishedAt(system.backupStatusFile)
    const files = (await system.files?.state()) ?? null
    const { isUp, confirmedAt } = verifier.keys()
    return {
      release,
      api: API_VERSION,
      notice: noticeVersion,
      startedAt,
      migrations,
      jobs,
      mails: { ...mails, hasRelay },
      trash: { refused },
      identity: { isUp, confirmedAt: toInstant(confirmedAt), revocation },
      backup: { isWatched: backup !== null, finishedAt: toInstant((backup ?? 0) * 1000) },
      files,
    }
  })

  refuseOtherMethods(app, URL, ['GET'], 'GET')
}

/** Migrations this code has and the database lacks, and vice versa after a rollback. */
async function migrationsOf({ db }: MetricSources) {
  const rows = await db.query(sql<{ name: string }>`select name from migrations order by name`)
  const applied = rows.map(({ name }) => name)
  const known = migrationNames()
  return {
    latest: applied.at(-1) ?? null,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

const toInstant = (ms: number) => (ms > 0 ? new Date(ms).toISOString() : null)

const instant = { type: ['string', 'null'], format: 'date-time' }
const names = { type: 'array', items: { type: 'string' } }

const SYSTEM_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    release: { type: 'string' },
    api: { type: 'string' },
    notice: { type: 'string' },
    startedAt: { type: 'string', format: 'date-time' },
    migrations: {
      type: 'object',
      properties: { latest: { type: ['string', 'null'] }, missing: names, unknown: names },
      required: ['latest', 'missing', 'unknown'],
    },
    jobs: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          waiting: { type: 'integer' },
          failed: { type: 'integer' },
        },
        required: ['name', 'waiting', 'failed'],
      },
    },
    mails: {
      type: 'object',
      properties: {
        waiting: { type: 'integer' },
        oldestSeconds: { type: 'number' },
        dead: { type: 'integer', description: 'Undelivered, can be sent again' },
        hasRelay: { type: 'boolean' },
      },
      required: ['waiting', 'oldestSeconds', 'dead', 'hasRelay'],
    },
    trash: {
      type: 'object',
      properties: {
        refused: {
          type: 'object',
          description: 'Records whose permanent deletion failed three times or more',
          properties: {
            count: { type: 'integer' },
            records: {
              type: 'array',
              description: 'The first 20',
              items: {
                type: 'object',
                properties: {
                  model: { type: 'string' },
                  id: { type: 'string', format: 'uuid' },
                  refusals: { type: 'integer' },
                  reason: { type: 'string' },
                  triedAt: { type: 'string', format: 'date-time' },
                },
                required: ['model', 'id', 'refusals', 'reason', 'triedAt'],
              },
            },
          },
          required: ['count', 'records'],
        },
      },
      required: ['refused'],
    },
    identity: {
      type: 'object',
      properties: {
        isUp: { type: 'boolean' },
        confirmedAt: instant,
        revocation: {
          type: 'string',
          enum: ['checked', 'late', 'unknown'],
          description:
            'Whether tokens end when someone is disabled or signed out at the provider: checked, not at present, or never',
        },
      },
      required: ['isUp', 'confirmedAt', 'revocation'],
    },
    backup: {
      type: 'object',
      properties: { isWatched: { type: 'boolean' }, finishedAt: instant },
      required: ['isWatched', 'finishedAt'],
    },
    files: {
      type: ['object', 'null'],
      description: 'Null if files are refused',
      properties: {
        store: { type: 'string', enum: ['disk', 'bucket'] },
        freeShare: {
          type: ['number', 'null'],
          description: 'Free share of the disk; uploads are refused below 0.05',
        },
        scanner: { type: 'string', enum: ['up', 'down', 'none'] },
        unchecked: { type: 'integer', description: 'Files that wait for the virus scanner' },
        infected: {
          type: 'integer',
          description: 'Files in which the scanner found something after they were attached',
        },
        infectedIn: {
          type: 'array',
          description: 'Up to ten records with such files',
          items: {
            type: 'object',
            properties: { model: { type: 'string' }, id: { type: 'string', format: 'uuid' } },
            required: ['model', 'id'],
          },
        },
      },
      required: ['store', 'freeShare', 'scanner', 'unchecked', 'infected', 'infectedIn'],
    },
  },
  required: [
    'release',
    'api',
    'notice',
    'startedAt',
    'migrations',
    'jobs',
    'mails',
    'trash',
    'identity',
    'backup',
    'files',
  ],
}

export const SYSTEM_PATH = {
  url: URL,
  operationId: 'system',
  summary: 'Get system status',
  schema: SYSTEM_SCHEMA,
}
