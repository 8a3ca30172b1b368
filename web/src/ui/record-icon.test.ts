// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildRecordIcons } from '../../icon-files.ts'

const SOURCES = join(import.meta.dirname, '..')
/** Where names of the file's icons stand. */
const NAMES = [
  { file: /\.tsx$/, name: /<RecordIcon name="([\w-]+)"/g },
  { file: /staff-pages\.ts$/, name: /icon: '([\w-]+)'/g },
  { file: /ui\/model-icon\.tsx$/, name: /name = '([\w-]+)'/g },
]

test('every icon that record and staff pages name is in the file of symbols', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const names = NAMES.flatMap(({ file, name }) =>
    files
      .filter((path) => file.test(path))
      .flatMap((path) => [...readFileSync(join(SOURCES, path), 'utf8').matchAll(name)])
      .map(([, one = '']) => one),
  )
  expect(names.length).toBeGreaterThan(10)
  const { text } = buildRecordIcons([])
  const missing = names.filter((name) => !text.includes(`<symbol id="${name}"`))
  expect(missing).toEqual([])
})
