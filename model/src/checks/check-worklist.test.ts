import { expect, test } from 'vitest'
import type { Worklist } from '#definition/model.ts'
import { mistakesOf, things } from './invalid-models.ts'

const name = things.fields['name'] ?? {
  type: 'text' as const,
  label: 'Name',
  privacy: { personal: false as const },
}
const shown = { ...name, computed: 'sql' as const, required: false }
const fields = { ...things.fields, name: { ...name, sortable: true }, shown }
const sound: Worklist = {
  name: 'new',
  by: 'name',
  also: ['owner'],
  where: { all: [['owner', 'empty', true]] },
}

test('a valid worklist is accepted', () => {
  expect(mistakesOf({ fields, worklists: [sound] })).toEqual([])
})

test.each<[sentence: string, invalid: Partial<Worklist>]>([
  ['name must be 2 to 21 lower-case letters and digits', { name: 'New ones' }],
  ['by must be a sortable field, not "email"', { by: 'email' }],
  ['also must name columns, not "colour"', { also: ['colour'] }],
  ['where must name columns, not "shown"', { where: { all: [['shown', 'eq', 'x']] } }],
  [
    'where must be "all" of eq, in and empty with constant values',
    { where: { all: [['name', 'ne', 'x']] } },
  ],
  [
    'where must be "all" of eq, in and empty with constant values',
    { where: { any: [['name', 'eq', 'x']] } },
  ],
  [
    'where must be "all" of eq, in and empty with constant values',
    { where: { all: [['owner', 'eq', '@me']] } },
  ],
])('a worklist is rejected: %s', (sentence, invalid) => {
  const worklist = { ...sound, ...invalid }
  expect(mistakesOf({ fields, worklists: [worklist] })).toEqual([
    `things: worklist "${worklist.name}": ${sentence}`,
  ])
})

test('duplicate worklist names and invalid filters are reported', () => {
  expect(mistakesOf({ fields, worklists: [sound, sound] })).toEqual([
    'things: worklist names must be unique',
  ])
  const worklist: Worklist = { ...sound, where: { all: [['colour', 'eq', 'red']] } }
  expect(mistakesOf({ fields, worklists: [worklist] })).toEqual([
    'things: filter: unknown field "colour"',
  ])
})

test('createPerMinute must be a positive integer', () => {
  expect(mistakesOf({ createPerMinute: 5 })).toEqual([])
  for (const createPerMinute of [0, 1.5, -1])
    expect(mistakesOf({ createPerMinute })).toEqual([
      'things: createPerMinute must be a whole number of at least 1',
    ])
})
