import { expect, test } from 'vitest'
import type { Worklist } from '#definition/model.ts'
import { mistakesOf, things } from './spoil.ts'

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

test('a worklist in order is accepted', () => {
  expect(mistakesOf({ fields, worklists: [sound] })).toEqual([])
})

test.each<[sentence: string, spoiled: Partial<Worklist>]>([
  ['has a name that can not be used', { name: 'New ones' }],
  ['is sorted by "email", which is not sortable', { by: 'email' }],
  ['keeps "colour", which is no column', { also: ['colour'] }],
  ['asks for "shown", which is no column', { where: { all: [['shown', 'eq', 'x']] } }],
  [
    'may only say all of eq, in and empty, with values that stay',
    { where: { all: [['name', 'ne', 'x']] } },
  ],
  [
    'may only say all of eq, in and empty, with values that stay',
    { where: { any: [['name', 'eq', 'x']] } },
  ],
  [
    'may only say all of eq, in and empty, with values that stay',
    { where: { all: [['owner', 'eq', '@me']] } },
  ],
])('a worklist %s', (sentence, spoiled) => {
  const worklist = { ...sound, ...spoiled }
  expect(mistakesOf({ fields, worklists: [worklist] })).toEqual([
    `things: worklist "${worklist.name}" ${sentence}`,
  ])
})

test('two worklists of one name, and a filter of one that makes no sense, are told', () => {
  expect(mistakesOf({ fields, worklists: [sound, sound] })).toEqual([
    'things: two worklists have the same name',
  ])
  const worklist: Worklist = { ...sound, where: { all: [['colour', 'eq', 'red']] } }
  expect(mistakesOf({ fields, worklists: [worklist] })).toEqual([
    'things: a filter names "colour", which is not a field',
  ])
})

test('a limit of creations is a whole number from 1', () => {
  expect(mistakesOf({ createPerMinute: 5 })).toEqual([])
  for (const createPerMinute of [0, 1.5, -1])
    expect(mistakesOf({ createPerMinute })).toEqual([
      'things: createPerMinute must be a whole number from 1',
    ])
})
