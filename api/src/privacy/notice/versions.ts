import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { differences, toCanonicalText, type Manifest } from '@gatehouse/model'
import { SetupError } from '#platform/errors.ts'
import { noticeFolderOf } from '#platform/paths.ts'

/** A version of the notice with its manifest; never edited after release. */
export type NoticeVersion = {
  version: string
  /** A calendar date: 2025-06-15. */
  lastUpdated: string
  /** While false, the newest version may still be regenerated. */
  released: boolean
  summary: string
  /** Hash of the previous version's file, or null: editing an old version breaks the chain. */
  previousFile: string | null
  manifest: Manifest
  manifestHash: string
}

export const VERSIONS_FOLDER = noticeFolderOf(process.env)

const VERSION_FILE = /^\d+\.\d+\.json$/

export const hasVersions = (folder = VERSIONS_FOLDER) =>
  existsSync(folder) && readdirSync(folder).some((name) => VERSION_FILE.test(name))

/** Every version, oldest first. Edited files are rejected. */
export function readVersions(folder = VERSIONS_FOLDER): NoticeVersion[] {
  const files = readdirSync(folder)
    .filter((name) => VERSION_FILE.test(name))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
  if (files.length === 0) throw new SetupError('No version of the notice found')
  const versions = files.map(({ text }) => JSON.parse(text) as NoticeVersion)
  const errors = versions.flatMap((version, index) => {
    const { name = '' } = files[index] ?? {}
    const before = files[index - 1]
    return checkVersion(version, {
      name,
      previousFile: before ? hashOf(before.text) : null,
      previous: versions[index - 1],
    })
  })
  if (errors.length > 0) throw new SetupError(`Invalid notice versions:\n${errors.join('\n')}`)
  return versions
}

export const newestOf = (versions: NoticeVersion[]): NoticeVersion => {
  const newest = versions.at(-1)
  if (!newest) throw new SetupError('No version of the notice found')
  return newest
}

export function findDrift(versions: NoticeVersion[], manifest: Manifest): string[] {
  const newest = newestOf(versions)
  if (newest.manifestHash === hashOfManifest(manifest)) return []
  return differences(newest.manifest, manifest)
}

/**
 * The same for an installation, where the program may be one release behind: it serves during an upgrade, or was gone back to. The
 * newest version then names what the later release stores as well, and its columns stay; the program stores nothing unnamed.
 */
export function findInstalledDrift(versions: NoticeVersion[], manifest: Manifest): string[] {
  const drift = findDrift(versions, manifest)
  const hash = hashOfManifest(manifest)
  const wasPublished = versions.some(({ manifestHash }) => manifestHash === hash)
  return wasPublished && drift.every(isOnlyInNotice) ? [] : drift
}

const isOnlyInNotice = (difference: string) => difference.startsWith('-')

export const hashOfManifest = (manifest: Manifest) => hashOf(toCanonicalText(manifest))

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

function checkVersion(
  { version, lastUpdated, manifest, manifestHash, previousFile }: NoticeVersion,
  expected: { name: string; previousFile: string | null; previous: NoticeVersion | undefined },
) {
  const errors = []
  if (`${version}.json` !== expected.name) errors.push(`says it is version ${version}`)
  if (hashOfManifest(manifest) !== manifestHash)
    errors.push('was edited: its manifest doesn’t match its hash')
  if (previousFile !== expected.previousFile)
    errors.push('does not follow from the previous version, which was edited or is missing')
  if (expected.previous && lastUpdated < expected.previous.lastUpdated)
    errors.push('is dated before the previous version')
  return errors.map((error) => `${expected.name} ${error}`)
}
