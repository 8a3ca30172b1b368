import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Ids of ASVS 5.0.0, chapters V6, V7, V10 and V16, by section. Its text is not repeated here.
const LEVEL_1: Record<string, number[]> = {
  '6.1': [1],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8],
  '6.3': [1, 2],
  '6.4': [1, 2],
  '7.2': [1, 2, 3, 4],
  '7.4': [1, 2],
  '10.4': [1, 2, 3, 4, 5],
}
const LEVEL_2: Record<string, number[]> = {
  '6.1': [2, 3],
  '6.2': [9, 10, 11, 12],
  '6.3': [3, 4],
  '6.4': [3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.3': [1, 2],
  '7.4': [3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '10.1': [1, 2],
  '10.2': [1, 2],
  '10.3': [1, 2, 3, 4],
  '10.4': [6, 7, 8, 9, 10, 11],
  '10.5': [1, 2, 3, 4, 5],
  '10.6': [1, 2],
  '10.7': [1, 2, 3],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
}
const ROOT = resolve(import.meta.dirname, '../..')
const STATES = ['met', 'n/a', 'open']
const TEXT = readFileSync(join(ROOT, 'docs/security/asvs.md'), 'utf8')

type Row = { id: string; level: string; state: string; how: string }
const ROWS: Row[] = [
  ...TEXT.matchAll(/^\| (\d+\.\d+\.\d+) +\| (\d) +\| (\S+) +\| (.*?) *\|$/gm),
].map(([, id = '', level = '', state = '', how = '']) => ({ id, level, state, how }))

test.each([
  ['1', LEVEL_1],
  ['2', LEVEL_2],
])('docs/security/asvs.md lists every ASVS requirement of level %s once', (level, sections) => {
  const ids = ROWS.filter((row) => row.level === level).map(({ id }) => id)
  const wanted = Object.entries(sections).flatMap(([section, numbers]) =>
    numbers.map((number) => `${section}.${number}`),
  )
  expect(ids.toSorted()).toEqual(wanted.toSorted())
})

test('every row of docs/security/asvs.md has a state and an explanation', () => {
  expect(ROWS.filter(({ state, how }) => !STATES.includes(state) || how === '')).toEqual([])
})

test('no ASVS requirement of level 1 is open, and at most one in ten of level 2', () => {
  const openOf = (level: string) =>
    ROWS.filter((row) => row.level === level && row.state === 'open').map(({ id }) => id)
  expect(openOf('1')).toEqual([])
  const all = ROWS.filter(({ level }) => level === '2').length
  expect(openOf('2').length).toBeLessThanOrEqual(all / 10)
})

test('every file named in docs/security/asvs.md exists', () => {
  const named = ROWS.flatMap(({ how }) => how.match(/(?<=`)[\w-]+\/[\w./-]+(?=`)/g) ?? [])
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
