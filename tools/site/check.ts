import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SITE_SCHEMA } from '@gatehouse/model'
import { format } from 'prettier'
import { SITE_FOLDER } from '../../api/src/platform/root.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { mistakesOf } from '../../web/brand.ts'
import { checkSamples } from '../doctor/configuration.ts'
import { readInstallation } from '../doctor/installation.ts'
import { CHECKOUT } from '../stack/settings.ts'

/**
 * Is the deployer's file complete, can its colours be read, and does its schema (an editor's help) say what the program asks? `--write` renews the
 * schema; sample content is a warning, and `--production` refuses it: a made-up certificate on a real site would be a lie.
 */
const SCHEMA_FILE = join(CHECKOUT, 'model/site.schema.json')
const SITE_DIR = fileURLToPath(SITE_FOLDER)
const SITE_FILE = join(SITE_DIR, 'site.json')
const config = readConfig(SITE_FILE)
const schema = await format(JSON.stringify(SITE_SCHEMA), {
  parser: 'json',
  printWidth: 100,
})

if (process.argv.includes('--write')) writeFileSync(SCHEMA_FILE, schema)
const isProduction = process.argv.includes('--production')
const samples = samplesLeft()
const mistakes = [
  ...mistakesOf(config.brand, SITE_DIR),
  ...(readFileSync(SCHEMA_FILE, 'utf8') === schema
    ? []
    : ['model/site.schema.json is out of date: npm run site:check -- --write']),
  ...(isProduction ? samples : []),
]
if (!isProduction) for (const sample of samples) console.warn(`Warning: ${sample}`)
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exit(1)
console.log(`${SITE_FILE} is complete.`)

/** As the doctor finds them on a server. */
function samplesLeft() {
  return checkSamples(readInstallation({ ...process.env, NODE_ENV: 'production' }))
    .filter((finding) => finding.level !== 'ok')
    .map(({ what, todo }) => `${what}: ${todo}`)
}
