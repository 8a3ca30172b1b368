import { describe, expect, test } from 'vitest'
import { checkFilter } from './check-filter.ts'
import type { Field } from '#definition/fields.ts'
import type { Filter } from '#definition/filter.ts'
import type { Model } from '#definition/model.ts'
import { np } from '#definition/privacy.ts'
import { mistakesOf, things, wrong } from './invalid-models.ts'

const rich: Model = {
  ...things,
  fields: {
    ...things.fields,
    ...fieldsOfTypes({ count: 'integer', price: 'decimal', done: 'boolean', day: 'date' }),
    ...fieldsOfTypes({ at: 'datetime' }),
    state: { type: 'select', label: 'State', options: [{ value: 'open' }], privacy: np },
    tags: { type: 'multiselect', label: 'Tags', free: true, privacy: np },
    shown: { type: 'text', label: 'Shown', computed: 'sql', privacy: np },
  },
}

function fieldsOfTypes(types: Record<string, Field['type']>): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, { type, label: name, privacy: np }]),
  )
}

describe('invalid filters of a definition', () => {
  const can = (field: string, type: string) => `filter value of "${field}" must fit ${type}`

  test.each<[sentence: string, filter: Filter]>([
    ['filter: unknown field "colour"', { all: [['colour', 'eq', 'red']] }],
    ['filter: operator "lt" is not possible for "name" (text)', { all: [['name', 'lt', 'x']] }],
    ['filter: "empty" on "name" must be true or false', { all: [['name', 'empty', 'yes']] }],
    ['filter: "in" on "name" must be a list', { any: [{ all: [['name', 'in', 'x']] }] }],
    ['filter must have at least one condition', { any: [] }],
    ['filter must have at least one condition', { all: [{ any: [] }] }],
    [can('name', 'text'), { all: [['name', 'eq', null]] }],
    [can('name', 'text'), { all: [['name', 'contains', 7]] }],
    [can('name', 'text'), { all: [['name', 'in', []]] }],
    [can('count', 'integer'), { all: [['count', 'eq', 1.5]] }],
    [can('price', 'decimal'), { all: [['price', 'gt', '1']] }],
    [can('done', 'boolean'), { all: [['done', 'eq', 'yes']] }],
    [can('day', 'date'), { all: [['day', 'gt', '@tomorrow']] }],
    [can('at', 'datetime'), { all: [['at', 'gt', '@today']] }],
    [can('state', 'select'), { all: [['state', 'in', ['open', 'shut']]] }],
    [can('tags', 'multiselect'), { all: [['tags', 'has', 3]] }],
    [can('organisation', 'relation'), { all: [['organisation', 'eq', 'acme']] }],
  ])('a filter of a definition is rejected: %s', (sentence, filter) => {
    const when = { when: filter, message: 'No' }
    for (const invalid of [{ publicFilter: filter }, { deleteOnly: when }])
      expect(mistakesOf({ ...rich, ...invalid })).toEqual([`things: ${sentence}`])
  })
})

test('valid filters of a definition are accepted', () => {
  const id = '018f3b1c-0000-7000-8000-000000000000'
  const filter: Filter = {
    any: [
      ['name', 'startsWith', 'A'],
      ['name', 'eq', '@me'],
      ['name', 'empty', false],
      { all: [['count', 'in', wrong([1, 2])]] },
      ['price', 'lte', 9.5],
      ['done', 'eq', false],
      ['day', 'gte', '@today-7d'],
      ['day', 'lt', '2026-01-31'],
      ['at', 'gte', '@now+2h'],
      ['at', 'lt', '2026-01-31T10:00:00.000Z'],
      ['state', 'eq', 'open'],
      ['tags', 'has', 'anything'],
      ['organisation', 'eq', id],
    ],
  }
  // @me isn't allowed with a rowScope; without one only admins may read personal data.
  const access = { ...rich.access, list: 'admin', get: 'admin' } as const
  expect(mistakesOf({ ...rich, access, rowScope: null, publicFilter: filter })).toEqual([])
})

test('a filter from a query string may be empty', () => {
  expect(checkFilter(things, { all: [] })).toEqual([])
})
