import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Manifest } from '@gatehouse/model'
import {
  findDrift,
  hashOf,
  hashOfManifest,
  newestOf,
  readVersions,
  VERSIONS_FOLDER,
  type NoticeVersion,
} from './versions.ts'

type NoticeSource = { manifest: Manifest; folder?: URL }

export function addVersion({
  manifest,
  folder = VERSIONS_FOLDER,
  date,
  summary,
  today,
}: NoticeSource & { date: string; summary: string; today: string }) {
  const versions = readVersions(folder)
  const newest = newestOf(versions)
  checkDate(date, { earliest: newest.lastUpdated, today })
  if (!summary.trim())
    throw new Error('--summary must say what changed, for the people whose data it is')
  if (findDrift(versions, manifest).length === 0)
    throw new Error('Nothing has changed since the last version')
  const [major = '1', minor = '0'] = newest.version.split('.')
  return write(folder, {
    version: `${major}.${Number(minor) + 1}`,
    lastUpdated: date,
    released: true,
    summary: summary.trim(),
    previousFile: hashOf(readFileSync(fileOf(folder, newest.version), 'utf8')),
    manifest,
    manifestHash: hashOfManifest(manifest),
  })
}

/** The first version, of a site that has none yet. */
export const firstDraft = (manifest: Manifest, today: string): NoticeVersion => ({
  version: '1.0',
  lastUpdated: today,
  released: false,
  summary: 'First published version',
  previousFile: null,
  manifest,
  manifestHash: hashOfManifest(manifest),
})

export const writeFirstDraft = ({
  manifest,
  folder = VERSIONS_FOLDER,
  today,
}: NoticeSource & { today: string }) => write(folder, firstDraft(manifest, today))

/** Gives the draft its date; from then on it is never edited. */
export function releaseDraft({
  manifest,
  folder = VERSIONS_FOLDER,
  date,
  today,
}: NoticeSource & { date: string; today: string }) {
  const draft = rewriteDraft({ manifest, folder })
  checkDate(date, { earliest: versionBefore(folder)?.lastUpdated, today })
  return write(folder, { ...draft, lastUpdated: date, released: true })
}

const versionBefore = (folder: URL) => readVersions(folder).at(-2)

export function rewriteDraft({ manifest, folder = VERSIONS_FOLDER }: NoticeSource) {
  const newest = newestOf(readVersions(folder))
  if (newest.released)
    throw new Error(
      `Version ${newest.version} is released and can’t be changed; write a new one: npm run notice:write -- --date 2026-01-31 --summary "…"`,
    )
  return write(folder, { ...newest, manifest, manifestHash: hashOfManifest(manifest) })
}

/** By rename: a replica that starts meanwhile reads either the old file or the new one. */
function write(folder: URL, version: NoticeVersion) {
  const file = fileURLToPath(fileOf(folder, version.version))
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, `${JSON.stringify(version, null, 2)}\n`)
  renameSync(unfinished, file)
  return version
}

const fileOf = (folder: URL, version: string) => new URL(`${version}.json`, folder)

function checkDate(
  date: string,
  { earliest = '', today }: { earliest?: string | undefined; today: string },
) {
  if (!isDay(date)) throw new Error(`--date must be a date such as 2026-01-31, not "${date}"`)
  if (date < earliest)
    throw new Error(`--date must not be before ${earliest}, the date of the last version`)
  if (date > today) throw new Error(`--date must not be in the future: today is ${today}`)
}

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)
