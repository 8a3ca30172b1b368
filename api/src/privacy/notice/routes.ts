import { queryMessages } from '@gatehouse/model'
import { createHash } from 'node:crypto'
import type { SiteConfig } from '@gatehouse/model'
import type { FastifyInstance } from 'fastify'
import { badRequest, routeNotFound } from '#platform/errors.ts'
import { PUBLIC } from '#platform/http/access-level.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { buildNotice } from './notice.ts'
import { newestOf, type NoticeVersion } from './versions.ts'

const URL = '/api/privacy/notice'

/** The notice as JSON, built once: it needs no database. `?version=1.0` for an older one. */
export function noticeRoutes(
  app: FastifyInstance,
  { versions, config }: { versions: NoticeVersion[]; config: SiteConfig },
) {
  const answers = new Map(
    versions.map((version, place) => {
      const body = JSON.stringify(buildNotice(version, versions.slice(0, place + 1), config))
      const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
      return [version.version, { body, tag }]
    }),
  )

  app.get<{ Querystring: Record<string, unknown> }>(
    URL,
    { config: { isVital: true, needs: PUBLIC } },
    (request, reply) => {
      const { version = newestOf(versions).version } = request.query
      if (typeof version !== 'string') throw badRequest(queryMessages.once('version'))
      const answer = answers.get(version)
      if (!answer) throw routeNotFound()
      reply.header('etag', answer.tag).header('cache-control', 'public, no-cache')
      const known = request.headers['if-none-match']
        ?.split(',')
        .map((one) => one.trim().replace(/^W\//, ''))
      if (known?.includes(answer.tag)) return reply.code(304).send()
      return reply.type('application/json').send(answer.body)
    },
  )

  refuseOtherMethods(app, URL, ['GET'], 'GET')
}
