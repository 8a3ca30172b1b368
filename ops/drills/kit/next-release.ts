import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addSite, copyWorkspace, withoutSite } from '../../../tools/build/workspace.ts'

export const NEXT_VERSION = '99.0.0'
/** A new field: a column, and an index for sorting. */
const FIELD = `    channel: { type: 'text', label: 'Channel', maxLength: 40, writableBy: 'admin', sortable: true, privacy: np },\n`

/** A checkout of a future release: a new version, and a new ticket field with migrations. The site gets its own code. */
export function createNextRelease(place: string, site: string) {
  const copy = copyWorkspace()
  try {
    addField(copy)
    setVersion(copy, NEXT_VERSION)
    cpSync(copy, place, {
      recursive: true,
      filter: (name) => name !== join(copy, 'node_modules'),
    })
    addSite(copy)
    for (const name of ['index.ts', 'models', 'behaviours', 'messages', 'migrations'])
      cpSync(join(copy, 'site', name), join(site, name), { recursive: true })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

export const setVersion = (copy: string, version: string) =>
  rewrite(join(copy, 'package.json'), /"version": "[^"]+"/, `"version": "${version}"`)

export function addField(copy: string) {
  rewrite(join(copy, 'model/src/models/tickets.ts'), /^ {4}tags: /m, `${FIELD}    tags: `)
  execFileSync('npm', ['run', 'db:migration', 'add-channel'], {
    cwd: copy,
    env: withoutSite(),
    stdio: 'pipe',
  })
}

function rewrite(file: string, from: RegExp, to: string) {
  const text = readFileSync(file, 'utf8')
  const other = text.replace(from, to)
  if (other === text) throw new Error(`${file} lacks the text this drill replaces`)
  writeFileSync(file, other)
}
