import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildNotice } from '../../api/src/privacy/notice/notice.ts'
import { newestOf, readVersions } from '../../api/src/privacy/notice/versions.ts'
import { readSources } from './sources.ts'

/** Writes the newest version of the notice for the web build, even if it doesn't match the program. */
const [, , file = ''] = process.argv
const versions = readVersions()
const notice = buildNotice(newestOf(versions), versions, readSources().config)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, JSON.stringify(notice))
