import { describe, expect, test } from 'vitest'
import type { Field } from '#definition/fields.ts'
import { defineModel, type Model } from '#definition/model.ts'
import {
  mistakesIn,
  mistakesOf,
  organisations,
  parts,
  relation,
  things,
  withField,
} from './invalid-models.ts'

// Registration is open, so "signed in" restricts nothing.
describe('invalid row scopes', () => {
  const exposed = 'rowScope is required: any registered user could read the personal field "email"'
  const organisation = (claim: string, name: string) =>
    `rowScope ${claim} "${name}" must be a relation to organisations, or id on organisations itself`

  test.each<[sentence: string, invalid: Partial<Model>]>([
    [exposed, { rowScope: null }],
    [exposed, { rowScope: null, access: { ...things.access, list: 'public', get: 'public' } }],
    [exposed, { rowScope: null, access: { ...things.access, list: 'admin' } }],
    [exposed, { rowScope: null, access: { ...things.access, get: 'admin' } }],
    [
      exposed,
      {
        rowScope: null,
        access: { ...things.access, list: 'public', get: 'public' },
        ...withField('email', { visibleTo: 'user' }),
      },
    ],
    ['rowScope must name a claim or a relation', { rowScope: {} }],
    ['rowScope: unknown claim "owner"', { rowScope: { owner: 'name' } }],
    [
      'rowScope account "organisation" must be a text field',
      { rowScope: { account: 'organisation' } },
    ],
    ['rowScope account "colour" must be a text field', { rowScope: { account: 'colour' } }],
    [
      'rowScope account "name" must be stamped with account, so that people own what they create',
      { rowScope: { account: 'name' } },
    ],
    [organisation('member', 'name'), { rowScope: { member: 'name' } }],
    [organisation('manager', 'colour'), { rowScope: { manager: 'colour' } }],
    [organisation('organisation', 'colour'), { rowScope: { organisation: 'colour' } }],
    [organisation('member', 'id'), { rowScope: { member: 'id' } }],
    [
      organisation('member', 'thing'),
      {
        rowScope: { member: 'thing' },
        ...withField('thing', { type: 'relation', to: 'things', onDelete: 'unlink' }),
      },
    ],
    [
      'rowScope member and manager must name the same field, because revisions keep them in one column',
      {
        rowScope: { member: 'organisation', manager: 'client' },
        ...withField('client', relation('organisations')),
      },
    ],
    [
      'publicFilter must not use @me together with rowScope',
      { publicFilter: { any: [['name', 'eq', '@me'], { all: [['name', 'in', ['x']]] }] } },
    ],
    [
      'publicFilter must not use @me together with rowScope',
      { publicFilter: { all: [{ any: [['name', 'in', ['x', '@me']]] }] } },
    ],
    ['rowScope via "name" must be a relation', { rowScope: { via: 'name' } }],
    ['rowScope via "colour" must be a relation', { rowScope: { via: 'colour' } }],
  ])('a row scope is rejected: %s', (sentence, invalid) => {
    expect(mistakesOf(invalid)).toEqual([`things: ${sentence}`])
  })

  test('a row scope is rejected if its parent is itself scoped by a parent', () => {
    const scraps = {
      ...parts,
      path: 'scraps',
      routeName: 'scraps',
      rowScope: { via: 'part' },
      fields: { ...parts.fields, part: relation('parts') },
    }
    expect(mistakesIn([organisations, things, parts, scraps])).toEqual([
      'scraps: rowScope via "part" must not lead to a model that is scoped by a parent itself',
    ])
  })

  test('a row scope whose parent is an unknown model is reported once, at the relation', () => {
    const scraps = withField('scrap', relation('scraps'))
    expect(mistakesOf({ rowScope: { via: 'scrap' }, ...scraps })).toEqual([
      'things: field "scrap": relation to unknown model "scraps"',
    ])
  })

  test.each<[sentence: string, invalid: Partial<Field>]>([
    [
      'rowScope via "thing" must stay immutable: a record moved to another parent would be shown to others',
      { immutable: false },
    ],
    [
      'rowScope via "thing" must not unlink when its parent is deleted: the relation is immutable',
      { onDelete: 'unlink' },
    ],
  ])('a row scope by parent is rejected: %s', (sentence, invalid) => {
    const thing = { ...parts.fields.thing, ...invalid }
    const fields = { ...parts.fields, thing }
    expect(mistakesIn([organisations, things, { ...parts, fields }])).toEqual([
      `parts: ${sentence}`,
    ])
    // The same through `defineModel`, as in a site.
    expect(mistakesIn([organisations, things, defineModel({ ...parts, fields })])).toEqual([
      `parts: ${sentence}`,
    ])
  })

  test('a row scope is rejected if its parent is public', () => {
    const open = { ...organisations, rowScope: null }
    const invalid = { ...parts, rowScope: { via: 'organisation' } }
    const fields = { ...parts.fields, organisation: relation('organisations') }
    expect(mistakesIn([open, things, { ...invalid, fields }])).toEqual([
      'parts: rowScope via "organisation" must lead to a scoped model, because fields are personal',
    ])
  })
})

test('the relation of a row scope by parent is immutable by default', () => {
  expect(parts.fields.thing).toMatchObject({ immutable: true })
  expect(parts.fields.note).not.toHaveProperty('immutable')
  expect(mistakesIn([organisations, things, parts])).toEqual([])
})

test('two claims of a row scope may share a field, and a filter may use @me without a row scope', () => {
  expect(mistakesOf({ rowScope: { member: 'organisation', manager: 'organisation' } })).toEqual([])
  const publicFilter: Model['publicFilter'] = { all: [['name', 'eq', '@me']] }
  expect(mistakesIn([{ ...organisations, rowScope: null, publicFilter }])).toEqual([])
})

test('no row scope is needed if only admins read, or nothing is personal', () => {
  const byAdmins: Model['access'] = { ...things.access, list: 'admin', get: 'admin' }
  expect(mistakesOf({ rowScope: null, access: byAdmins })).toEqual([])
  expect(mistakesOf({ rowScope: null, without: ['list', 'get'] })).toEqual([])
  expect(mistakesIn([{ ...organisations, rowScope: null }])).toEqual([])
})

test('a row scope is rejected if revisions don’t store its claim', () => {
  const claims = { thing: { holds: { idOf: 'things' }, keptIn: null } } as const
  const scoped = { ...parts, rowScope: { thing: 'thing' } }
  expect(mistakesIn([organisations, things, scoped], claims)).toEqual([
    'parts: rowScope thing "thing": revisions don’t keep this claim, so no scope can use it',
  ])
})

test('a site’s claims are checked like the product’s', () => {
  const claims = { holder: { holds: { idOf: 'things' }, keptIn: 'org' } } as const
  const scoped = (field: string) => ({ ...parts, rowScope: { holder: field } })
  expect(mistakesIn([organisations, things, scoped('thing')], claims)).toEqual([])
  expect(mistakesIn([organisations, things, scoped('note')], claims)).toEqual([
    'parts: rowScope holder "note" must be a relation to things, or id on things itself',
  ])
})

test('a claim needs an existing model and no reserved name', () => {
  const claims = {
    via: { holds: { idOf: 'things' }, keptIn: 'org' },
    author: { holds: 'sub', keptIn: 'owner' },
    region: { holds: { idOf: 'regions' }, keptIn: 'org' },
  } as const
  expect(mistakesIn([organisations, things], claims)).toEqual([
    'claim "via": name is reserved in rowScope and stamp',
    'claim "author": name is reserved in rowScope and stamp',
    'claim "region": unknown model "regions"',
  ])
})
