import { buildManifest } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { readConfig } from '../../api/src/platform/site-config.ts'

/** The deployer's configuration, and the manifest it makes with the models as they are now. */
export function readSources() {
  const file =
    process.env['SITE_FILE'] ?? new URL('../../config/site.json', import.meta.url).pathname
  const config = readConfig(file)
  return { config, manifest: buildManifest({ models, config }) }
}
