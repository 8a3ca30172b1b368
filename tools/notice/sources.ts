import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildManifest } from '@gatehouse/model'
import { models, stores } from '../../api/src/installation.ts'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { VERSIONS_FOLDER } from '../../api/src/privacy/notice/versions.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'

export const fileOf = (version: string) =>
  relative(process.cwd(), fileURLToPath(new URL(`${version}.json`, VERSIONS_FOLDER)))

export function readSources() {
  const config = readConfig(fileURLToPath(new URL('site.json', SITE_FOLDER)))
  return { config, manifest: buildManifest({ models, config, stores }) }
}
