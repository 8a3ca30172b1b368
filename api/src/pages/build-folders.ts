import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { stampsFileOf } from './page-stamps.ts'
import { COPIES } from './write-file.ts'

/** Other files in the directory are not ours to remove. */
const BUILD_ID = /^[0-9a-f]{12}$/

/** The folder of a build's pages. Its date is that of the last start. */
export function openBuildFolder(directory: string, build: string) {
  const folder = join(directory, build)
  mkdirSync(folder, { recursive: true })
  utimesSync(folder, new Date(), new Date())
  return folder
}

/** Keeps the build started last besides this one: its front proxy may still serve it, or serve it again. */
export function removeOldBuilds(directory: string, build: string) {
  const others = readdirSync(directory)
    .filter((name) => name !== build && BUILD_ID.test(name))
    // Another replica may have removed it meanwhile.
    .map((name) => ({ name, startedAt: mtimeOf(join(directory, name)) }))
    .toSorted((a, b) => b.startedAt - a.startedAt)
  for (const { name } of others.slice(1)) {
    rmSync(stampsFileOf(join(directory, name)), { force: true })
    rmSync(join(directory, name), { recursive: true, force: true })
  }
}

const mtimeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Removes pages of records that are no longer published, with their compressed copies, which a killed process may have left. */
export function removeUnpublished(folder: string, recordFolders: string[], written: Set<string>) {
  for (const records of recordFolders)
    for (const name of foldersIn(join(folder, records))) {
      const page = `${records}/${name}/index.html`
      if (written.has(page)) continue
      for (const ending of ['', ...COPIES.map(({ ending }) => ending)])
        rmSync(join(folder, page + ending), { force: true })
    }
}

const foldersIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : []
