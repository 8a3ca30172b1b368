import { parseArgs } from 'node:util'
import {
  addVersion,
  releaseDraft,
  rewriteDraft,
} from '../../api/src/privacy/notice/write-version.ts'
import { contextOf } from '../../api/src/platform/site-config.ts'
import { readSources } from './sources.ts'

/**
 * Rewrites the draft of the privacy notice; with `--release` and `--date`, releases it; with `--summary`, adds a released version,
 * of today without `--date`.
 */
const { values } = parseArgs({
  options: { release: { type: 'boolean' }, date: { type: 'string' }, summary: { type: 'string' } },
})

try {
  const { version } = write()
  console.log(
    `Wrote version ${version} of the privacy notice. Read it on the page; commit it where the site is in a repository.`,
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

function write() {
  const { config, manifest } = readSources()
  const { today } = contextOf(config.site)
  const { release, date, summary } = values
  if (release) return releaseDraft({ manifest, date: date ?? '', today })
  if (date === undefined && summary === undefined) return rewriteDraft({ manifest })
  return addVersion({ manifest, date: date ?? today, summary: summary ?? '', today })
}
