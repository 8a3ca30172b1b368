import { describe, expect, test } from 'vitest'
import { checkModels } from './checks.ts'
import type { Model } from './model.ts'
import { mistakesOf, organisations, parts, relation, things, withField } from './spoil.ts'

// Registration is open, so "signed in" means "anyone".
describe('a row scope is refused when', () => {
  const exposed =
    'anyone who registers may read the personal field "email"; a rowScope must say whose rows are whose'
  const organisation = (name: string) =>
    `rowScope "${name}" must be a relation to organisations; only organisations may say id`

  test.each<[sentence: string, spoiled: Partial<Model>]>([
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
    ['rowScope must name an owner, an organisation or a relation to go by', { rowScope: {} }],
    ['rowScope owner "organisation" must be a text field', { rowScope: { owner: 'organisation' } }],
    ['rowScope owner "colour" must be a text field', { rowScope: { owner: 'colour' } }],
    [
      'rowScope owner "name" must be stamped with @me.sub, or people would own nothing they create',
      { rowScope: { owner: 'name' } },
    ],
    [organisation('name'), { rowScope: { org: 'name' } }],
    [organisation('colour'), { rowScope: { orgManagers: 'colour' } }],
    [organisation('id'), { rowScope: { org: 'id' } }],
    [
      organisation('thing'),
      {
        rowScope: { org: 'thing' },
        ...withField('thing', { type: 'relation', to: 'things', onDelete: 'unlink' }),
      },
    ],
    [
      'rowScope org and orgManagers must name one field',
      {
        rowScope: { org: 'organisation', orgManagers: 'client' },
        ...withField('client', relation('organisations')),
      },
    ],
    [
      'publicFilter can not say @me beside a rowScope, which says whose rows are whose',
      { publicFilter: { any: [['name', 'eq', '@me'], { all: [['name', 'in', ['x']]] }] } },
    ],
    [
      'publicFilter can not say @me beside a rowScope, which says whose rows are whose',
      { publicFilter: { all: [{ any: [['name', 'in', ['x', '@me']]] }] } },
    ],
    ['rowScope via "name" must be a relation', { rowScope: { via: 'name' } }],
    ['rowScope via "colour" must be a relation', { rowScope: { via: 'colour' } }],
  ])('%s', (sentence, spoiled) => {
    expect(mistakesOf(spoiled)).toEqual([`things: ${sentence}`])
  })

  test('its parent is itself scoped by a parent', () => {
    const scraps = {
      ...parts,
      path: 'scraps',
      routeName: 'scraps',
      rowScope: { via: 'part' },
      fields: { ...parts.fields, part: relation('parts') },
    }
    expect(checkModels([organisations, things, parts, scraps])).toEqual([
      'scraps: rowScope via "part" leads to a model that is itself scoped by a parent',
    ])
  })

  test('its parent is no model, which is told once, at the relation', () => {
    const scraps = withField('scrap', relation('scraps'))
    expect(mistakesOf({ rowScope: { via: 'scrap' }, ...scraps })).toEqual([
      'things: field "scrap" leads to "scraps", which is no model',
    ])
  })

  test('everyone may read its parent', () => {
    const open = { ...organisations, rowScope: null }
    const spoiled = { ...parts, rowScope: { via: 'organisation' } }
    const fields = { ...parts.fields, organisation: relation('organisations') }
    expect(checkModels([open, things, { ...spoiled, fields }])).toEqual([
      'parts: rowScope via "organisation" leads to a model everyone may read, so it protects no personal field',
    ])
  })
})

test('both kinds of members may go by one field, and a filter may say @me where there is no row scope', () => {
  expect(mistakesOf({ rowScope: { org: 'organisation', orgManagers: 'organisation' } })).toEqual([])
  const publicFilter: Model['publicFilter'] = { all: [['name', 'eq', '@me']] }
  expect(checkModels([{ ...organisations, rowScope: null, publicFilter }])).toEqual([])
})

test('no row scope is needed where only admins read, or nothing personal is there', () => {
  const byAdmins: Model['access'] = { ...things.access, list: 'admin', get: 'admin' }
  expect(mistakesOf({ rowScope: null, access: byAdmins })).toEqual([])
  expect(mistakesOf({ rowScope: null, without: ['list', 'get'] })).toEqual([])
  expect(checkModels([{ ...organisations, rowScope: null }])).toEqual([])
})
