import type { SiteConfig } from '@gatehouse/model'
import type { FastifyInstance } from 'fastify'
import type { Env } from '#env.ts'
import { choiceRoutes } from './choices.ts'
import { noticeRoutes } from './notice-routes.ts'
import { requestRoutes, type RequestOptions } from './requests.ts'
import type { NoticeVersion } from './versions.ts'

type Options = Pick<RequestOptions, 'db' | 'createRequest' | 'renderInquiry'> & {
  config: SiteConfig
  versions: NoticeVersion[]
  limits: Env['limits']
}

/** Everything under /api/privacy. */
export function privacyRoutes(app: FastifyInstance, options: Options) {
  const { db, config, versions, limits, createRequest, renderInquiry } = options
  noticeRoutes(app, { versions, config })
  requestRoutes(app, {
    db,
    site: config.site,
    privacyEmail: config.controller.privacyEmail,
    perHour: limits.inquiriesPerHour,
    createRequest,
    renderInquiry,
  })
  choiceRoutes(app, { db, perHour: limits.choicesPerHour })
}
