import { refreeze } from '../../api/src/privacy/notice/freeze.ts'
import { fileOf, readSources } from './sources.ts'

/** Makes the newest version of the notice again, with the date it has, as long as nobody was shown it. */
try {
  const { version } = refreeze({ manifest: readSources().manifest })
  console.log(`Updated ${fileOf(version)}.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
