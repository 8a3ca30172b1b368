import { parseArgs } from 'node:util'
import { addVersion } from '../../api/src/privacy/notice/freeze.ts'
import { contextOf } from '../../api/src/platform/site-config.ts'
import { fileOf, readSources } from './sources.ts'

/** Writes the next version of the privacy notice. Read it on the page before you commit it. */
const { values } = parseArgs({ options: { date: { type: 'string' }, summary: { type: 'string' } } })
const { config, manifest } = readSources()

try {
  const { version } = addVersion({
    manifest,
    date: values.date ?? '',
    summary: values.summary ?? '',
    today: contextOf(config.site).today,
  })
  console.log(`Wrote ${fileOf(version)}.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
