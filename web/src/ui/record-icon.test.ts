// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordIcons } from '../../icon-files.ts'

const SOURCES = join(import.meta.dirname, '..')
/** Where names of the file's icons stand. */
const NAMES = [
  { file: /\.tsx$/, name: /<RecordIcon name="([\w-]+)"/g },
  { file: /staff-pages\.ts$/, name: /icon: '([\w-]+)'/g },
  { file: /ui\/model-icon\.tsx$/, name: /: '([\w-]+)',$|\?\? '([\w-]+)'/gm },
]

test('every icon that record and staff pages name is in the file of symbols', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const names = NAMES.flatMap(({ file, name }) =>
    files
      .filter((path) => file.test(path))
      .flatMap((path) => [...readFileSync(join(SOURCES, path), 'utf8').matchAll(name)])
      .map(([, one, other]) => one ?? other ?? ''),
  )
  expect(names.length).toBeGreaterThan(15)
  const missing = names.filter((name) => !recordIcons.text.includes(`<symbol id="${name}"`))
  expect(missing).toEqual([])
})
