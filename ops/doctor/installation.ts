import { fileURLToPath } from 'node:url'
import { readEnv, type Env } from '../../api/src/platform/env.ts'
import { siteFolderOf } from '../../api/src/platform/paths.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import type { Installation } from './finding.ts'

const LOG_PLACES = ['/var/log', '/opt/keycloak/data/log']

type Elsewhere = { siteUrl?: string | undefined; logPlaces?: string[] }

/** Reads what it can; the checks report the rest. */
export function readInstallation(
  env: NodeJS.ProcessEnv,
  { siteUrl, logPlaces = LOG_PLACES }: Elsewhere = {},
): Installation {
  const siteFile = fileURLToPath(new URL('site.json', siteFolderOf(env)))
  const config = orNull(() => readConfig(siteFile))
  return {
    env,
    settings: orNull((): Env => readEnv(env)),
    siteFile,
    config,
    siteUrl: siteUrl ?? config?.site.url ?? null,
    logPlaces,
  }
}

function orNull<T>(read: () => T) {
  try {
    return read()
  } catch {
    return null
  }
}
