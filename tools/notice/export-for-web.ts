import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { models } from '../../api/src/installation.ts'
import { publicDefinitions } from '../../api/src/pages/public-definitions.ts'
import { buildNotice } from '../../api/src/privacy/notice/notice.ts'
import { hasVersions, newestOf, readVersions } from '../../api/src/privacy/notice/versions.ts'
import { firstDraft } from '../../api/src/privacy/notice/write-version.ts'
import { todayIn } from '../../api/src/platform/site-config.ts'
import { readSources } from './sources.ts'

/**
 * Writes for the web build: the newest version of the notice, even if it doesn't match the program, or a first draft; the models'
 * icons and public definitions.
 */
const [, , folder = ''] = process.argv
const { config, manifest } = readSources()
const versions = hasVersions() ? readVersions() : [firstDraft(manifest, todayIn(config.site))]
const notice = buildNotice(newestOf(versions), versions, config)
const definitions = publicDefinitions(models, config.site)
const icons = models.flatMap(({ icon }) => icon ?? [])
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'notice.json'), JSON.stringify(notice))
writeFileSync(join(folder, 'icons.json'), JSON.stringify(icons))
writeFileSync(join(folder, 'definitions.json'), JSON.stringify(definitions))
