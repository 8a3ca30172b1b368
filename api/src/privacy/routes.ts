import type { SiteConfig } from '@gatehouse/model'
import type { FastifyInstance } from 'fastify'
import type { Limits } from '#platform/env.ts'
import { choiceRoutes } from './cookie-choices.ts'
import { noticeRoutes } from '#privacy/notice/routes.ts'
import { requestRoutes, type RequestOptions } from './requests.ts'
import type { NoticeVersion } from '#privacy/notice/versions.ts'

type Options = Pick<RequestOptions, 'engine' | 'renderInquiry'> & {
  config: SiteConfig
  versions: NoticeVersion[]
  limits: Limits
}

export function privacyRoutes(app: FastifyInstance, options: Options) {
  const { engine, config, versions, limits, renderInquiry } = options
  noticeRoutes(app, { versions, config })
  requestRoutes(app, {
    engine,
    privacyEmail: config.controller.privacyEmail,
    perHour: limits.inquiriesPerHour,
    renderInquiry,
  })
  choiceRoutes(app, { db: engine.db, perHour: limits.choicesPerHour })
}
