import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addSettingPlaces, lineOfError } from './settings-places.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-settings-'))
const file = join(folder, 'site.json')
afterAll(() => rmSync(folder, { recursive: true }))

test('a setting’s line is that of its own key, not of another with the same name', () => {
  writeFileSync(
    file,
    '{\n  "site": {\n    "url": "a"\n  },\n  "owner": {\n    "url": "b"\n  }\n}\n',
  )
  const places = addSettingPlaces(file, ['/owner/url must be', 'site.url is', 'Nothing known'])
  expect(places.map((sentence) => sentence.replace(`${file}:`, ''))).toEqual([
    '6: /owner/url must be',
    '3: site.url is',
    '1: Nothing known',
  ])
})

test('the line of a syntax error is found in what JSON.parse says', () => {
  const parse = () => JSON.parse('{\n  "site": 1\n  "owner": 2\n}') as unknown
  const thrown = (() => {
    try {
      return String(parse())
    } catch (error) {
      return String(error)
    }
  })()
  expect(lineOfError(thrown)).toBe('3')
})
