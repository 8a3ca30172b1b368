import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { buildManifest, type Manifest, type Model, type SiteConfig } from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import type { Env } from '#platform/env.ts'
import { SetupError } from '#platform/errors.ts'
import { todayIn } from '#platform/site-config.ts'
import { rewriteDraft, writeFirstDraft } from './write-version.ts'
import { findInstalledDrift, hasVersions, newestOf, readVersions } from './versions.ts'

type Guarded = {
  models: Model[]
  config: SiteConfig
  stores: Manifest['stores']
  env: Pick<Env, 'isProduction' | 'noticeDrift' | 'noticeFolder' | 'siteFile'>
  logger: Pick<FastifyBaseLogger, 'error' | 'info' | 'warn'>
}

/**
 * The versions of the notice, the newest of which matches the program. A separate folder is filled once, from the site's folder or,
 * if that has no version, with a first draft. A draft is rewritten; a released version that doesn't match
 * fails the start, in production only; NOTICE_DRIFT=warn overrides it.
 */
export function openNotice({ models, config, stores, env, logger }: Guarded) {
  const folder = env.noticeFolder
  const source = new URL('notice/', pathToFileURL(env.siteFile))
  const manifest = buildManifest({ models, config, stores })
  if (!hasVersions(folder) && folder.href !== source.href) {
    mkdirSync(folder, { recursive: true })
    if (hasVersions(source)) copyFiles(source, folder)
    else writeFirstDraft({ manifest, folder, today: todayIn(config.site) })
  }
  const versions = readVersions(folder)
  const drift = findInstalledDrift(versions, manifest)
  if (drift.length === 0) return versions
  const { version, released } = newestOf(versions)
  if (!released) {
    rewriteDraft({ manifest, folder })
    logger.info({ version, drift }, 'the draft of the privacy notice is rewritten')
    return readVersions(folder)
  }
  const message = 'The privacy notice doesn’t match the program'
  if (!env.isProduction) logger.warn({ drift }, `${message}: npm run notice:check`)
  else if (env.noticeDrift === 'warn') logger.error({ drift }, message)
  else
    throw new SetupError(
      `${message}. Write a new version (npm run notice:write -- --date 2026-01-31 --summary "…"; on a server gatehouse notice, with containers ./gatehouse notice, with the same options; for another release give its upgrade --notice "…"), or set NOTICE_DRIFT=warn in an emergency:\n${drift.join('\n')}`,
    )
  return versions
}

/** Afterwards the folder is a history of its own: a version in the site's folder no longer counts. */
function copyFiles(source: URL, folder: URL) {
  for (const name of readdirSync(source)) copyFileSync(new URL(name, source), new URL(name, folder))
}
