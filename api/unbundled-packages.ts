import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Loads its binary from a path beside itself, so it can't be part of a bundle. */
export const UNBUNDLED = 'sharp'

const PACKAGES = join(import.meta.dirname, '../node_modules')
const TARGET = join(import.meta.dirname, 'dist/node_modules')
/** The binary comes in a package of its own; these would build another. */
const SOURCES = ['src', 'install']

/** Copies the package, and all it needs on the processor that npm installed for, beside the built programs. Returns their folders. */
export function copyUnbundledPackages() {
  const names = withDependencies([UNBUNDLED])
  // A process that runs keeps the files that it has opened.
  const fresh = `${TARGET}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  for (const name of names)
    cpSync(join(PACKAGES, name), join(fresh, name), {
      recursive: true,
      dereference: true,
      filter: (source) => !SOURCES.some((one) => source === join(PACKAGES, UNBUNDLED, one)),
    })
  rmSync(TARGET, { recursive: true, force: true })
  renameSync(fresh, TARGET)
  return names.map((name) => join(PACKAGES, name))
}

/** A package of libraries names their licences in its README, and doesn't contain the texts. */
export const missingTexts = (folder: string, licence: string) =>
  licence.startsWith('LGPL-3.0')
    ? [
        join(folder, 'README.md'),
        ...['lgpl-3.0.txt', 'gpl-3.0.txt'].map((name) =>
          join(import.meta.dirname, 'licences', name),
        ),
      ].map((file) => readFileSync(file, 'utf8').trim())
    : []

type Manifest = {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Optional ones are those of other processors too: npm installed only those of its own. */
function withDependencies(names: string[]) {
  const found = new Set<string>()
  const next = [...names]
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    const file = join(PACKAGES, name, 'package.json')
    if (found.has(name) || !existsSync(file)) continue
    found.add(name)
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    next.push(
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.optionalDependencies ?? {}),
    )
  }
  return [...found].toSorted()
}

// For another processor the packages alone are replaced: what is bundled is the same.
if (import.meta.main)
  console.log(
    copyUnbundledPackages()
      .map((path) => basename(path))
      .join(', '),
  )
