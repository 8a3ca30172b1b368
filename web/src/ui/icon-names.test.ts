// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildRecordIcons } from '../../icon-files.ts'

const SOURCES = join(import.meta.dirname, '..')
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.test)\.tsx$/.test(name))
  .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
  .join('\n')
const namesIn = (component: string) => [
  ...new Set(
    [...sources.matchAll(new RegExp(`<${component} name="([a-z0-9-]+)"`, 'g'))].map(
      ([, name = '']) => name,
    ),
  ),
]
/** The names of the component's glob. */
const bundledIn = (file: string) =>
  /'\.\/\{([^}]+)\}\.svg'/.exec(readFileSync(join(SOURCES, file), 'utf8'))?.[1]?.split(',') ?? []
const symbols = [...buildRecordIcons([]).text.matchAll(/symbol id="([^"]+)"/g)].map(
  ([, name = '']) => name,
)

test.each([
  ['Icon', bundledIn('ui/icon.tsx')],
  ['TopicIcon', bundledIn('ui/topic-icon.tsx')],
  ['RecordIcon', symbols],
])('every name given to %s is an icon it has', (component, has) => {
  const names = namesIn(component)
  expect(names.length).toBeGreaterThan(0)
  expect(names.filter((name) => !has.includes(name))).toEqual([])
})
