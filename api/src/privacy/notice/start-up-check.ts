import { buildManifest, type Manifest, type Model, type SiteConfig } from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import type { Env } from '#platform/env.ts'
import { SetupError } from '#platform/errors.ts'
import { findDrift, type NoticeVersion } from './versions.ts'

type Guarded = {
  models: Model[]
  config: SiteConfig
  stores: Manifest['stores']
  versions: NoticeVersion[]
  env: Pick<Env, 'isProduction' | 'noticeDrift'>
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

/** Fails in production only; NOTICE_DRIFT=warn overrides it. */
export function requireCurrentNotice({ models, config, stores, versions, env, logger }: Guarded) {
  const drift = findDrift(versions, buildManifest({ models, config, stores }))
  if (drift.length === 0) return
  const message = 'The privacy notice doesn’t match the program'
  if (!env.isProduction) return logger.warn({ drift }, `${message}: npm run notice:check`)
  if (env.noticeDrift === 'warn') return logger.error({ drift }, message)
  throw new SetupError(
    `${message}. Write a new version (npm run notice:write -- --date 2026-01-31 --summary "…"), or set NOTICE_DRIFT=warn in an emergency:\n${drift.join('\n')}`,
  )
}
