import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildNotice } from '../../api/src/privacy/notice/notice.ts'
import { newestOf, readVersions } from '../../api/src/privacy/notice/versions.ts'
import { readSources } from './sources.ts'

/** The notice as the web build needs it, into the file that is named: the newest version, true or not any more. */
const [, , file = ''] = process.argv
const versions = readVersions()
const notice = buildNotice(newestOf(versions), versions, readSources().config)
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, JSON.stringify(notice))
