import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyWorkspace, runIn } from '../../../tools/build/workspace.ts'
import { OWN_ARCHITECTURE } from '../../../tools/release/debian-base.ts'
import { PACKAGES, packPrograms } from '../../../tools/release/program-archive.ts'
import { addField, NEXT_VERSION, setVersion } from './next-release.ts'

const CODE = ['index.ts', 'models', 'behaviours']

/**
 * Archives of this release and of the next one with SHA256SUMS, as `npm run release -- build` writes them, but built on this machine
 * instead of in an image.
 */
export function buildServerReleases(folder: string, { version }: { version: string }) {
  // Of this process: another drill may build them too.
  const unfinished = `${folder}.${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const sums = [version, NEXT_VERSION].map((one) => {
    const name = `gatehouse-${one}.tar.gz`
    const copy = copyWorkspace()
    try {
      if (one === NEXT_VERSION) {
        addField(copy)
        setVersion(copy, one)
        runIn(copy, 'notice:write')
      }
      withoutCode(copy)
      runIn(copy, 'site:build')
      packPrograms({
        version: one,
        app: copy,
        machines: {
          [OWN_ARCHITECTURE]: { node: process.execPath, packages: join(copy, PACKAGES) },
        },
        file: join(unfinished, name),
      })
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
    const sum = createHash('sha256')
      .update(readFileSync(join(unfinished, name)))
      .digest('hex')
    return `${sum}  ${name}\n`
  })
  writeFileSync(join(unfinished, 'SHA256SUMS'), sums.join(''))
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
}

/** A site without code, which every other such site replaces, as in the Containerfile. */
function withoutCode(copy: string) {
  rmSync(join(copy, 'site'), { recursive: true, force: true })
  for (const name of CODE) rmSync(join(copy, 'sample', name), { recursive: true, force: true })
}
