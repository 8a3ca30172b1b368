import {
  findDrift,
  findInstalledDrift,
  newestOf,
  readVersions,
} from '../../api/src/privacy/notice/versions.ts'
import { readSources } from './sources.ts'

const versions = readVersions()
// The history of an installation, which may be that of a later release.
const find = process.env['NOTICE_DIR'] ? findInstalledDrift : findDrift
const drift = find(versions, readSources().manifest)
const { version, released } = newestOf(versions)

if (drift.length > 0) {
  console.error(
    `Version ${version} of the privacy notice doesn’t match the program:\n${drift.map((line) => `  ${line}`).join('\n')}`,
  )
  console.error(
    released
      ? 'Write a new one: npm run notice:write -- --date 2026-01-31 --summary "…"'
      : 'It is not released yet, so it can be rewritten: npm run notice:write',
  )
  process.exit(1)
}
console.log(`Version ${version} of the privacy notice matches the program.`)
