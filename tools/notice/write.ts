import { parseArgs } from 'node:util'
import { addVersion, rewriteDraft } from '../../api/src/privacy/notice/write-version.ts'
import { contextOf } from '../../api/src/platform/site-config.ts'
import { fileOf, readSources } from './sources.ts'

/** Rewrites the draft of the privacy notice; with `--date` and `--summary`, adds a released version instead. */
const { values } = parseArgs({ options: { date: { type: 'string' }, summary: { type: 'string' } } })
const { config, manifest } = readSources()

try {
  const { version } =
    values.date === undefined && values.summary === undefined
      ? rewriteDraft({ manifest })
      : addVersion({
          manifest,
          date: values.date ?? '',
          summary: values.summary ?? '',
          today: contextOf(config.site).today,
        })
  console.log(`Wrote ${fileOf(version)}. Read it on the page before you commit it.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
