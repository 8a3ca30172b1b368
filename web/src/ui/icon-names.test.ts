// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIconFiles } from '../../icon-files.ts'

const SOURCES = join(import.meta.dirname, '..')
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
const read = (path: string) => readFileSync(join(SOURCES, path), 'utf8')

/** Where names of icons stand. */
type Place = { file: RegExp; name: RegExp }
const namesIn = (places: Place[]) =>
  places.flatMap(({ file, name }) =>
    files
      .filter((path) => file.test(path))
      .flatMap((path) => [...read(path).matchAll(name)])
      .map(([, one = '']) => one),
  )

test('every icon that record and staff pages name is in the file of symbols', () => {
  const names = namesIn([
    { file: /\.tsx$/, name: /<RecordIcon name="([\w-]+)"/g },
    { file: /staff-pages\.ts$/, name: /icon: '([\w-]+)'/g },
    { file: /ui\/model-icon\.tsx$/, name: /name = '([\w-]+)'/g },
  ])
  expect(names.length).toBeGreaterThan(10)
  const { addresses, files: drawn } = buildIconFiles([])
  const { text = '' } = drawn.find(({ address }) => address === addresses.record) ?? {}
  const missing = names.filter((name) => !text.includes(`<symbol id="${name}"`))
  expect(missing).toEqual([])
})

test.each([
  ['Icon', 'ui/icon.tsx'],
  ['TopicIcon', 'ui/topic-icon.tsx'],
])('every name given to %s is an icon it has', (component, path) => {
  const names = namesIn([
    { file: /(?<!\.test)\.tsx$/, name: new RegExp(`<${component} name="([\\w-]+)"`, 'g') },
  ])
  const bundled = /'\.\/\{([^}]+)\}\.svg'/.exec(read(path))?.[1]?.split(',') ?? []
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !bundled.includes(name))).toEqual([])
})
