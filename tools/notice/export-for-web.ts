import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { models } from '../../api/src/installation.ts'
import { publicDefinitions } from '../../api/src/pages/public-definitions.ts'
import { buildNotice } from '../../api/src/privacy/notice/notice.ts'
import { newestOf, readVersions } from '../../api/src/privacy/notice/versions.ts'
import { readSources } from './sources.ts'

/** Writes for the web build: the newest version of the notice, even if it doesn't match the program, the models' icons and public definitions. */
const [, , folder = ''] = process.argv
const versions = readVersions()
const { config } = readSources()
const notice = buildNotice(newestOf(versions), versions, config)
const definitions = publicDefinitions(models, config.site)
const icons = models.flatMap(({ icon }) => icon ?? [])
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'notice.json'), JSON.stringify(notice))
writeFileSync(join(folder, 'icons.json'), JSON.stringify(icons))
writeFileSync(join(folder, 'definitions.json'), JSON.stringify(definitions))
