import { describe, expect, test } from 'vitest'
import type { ModelAction } from '#definition/action.ts'
import { checkModels, RESERVED_PATHS } from './checks.ts'
import type { Model } from '#definition/model.ts'
import { claims, kitchensink, models } from '#models/index.ts'
import { np } from '#definition/privacy.ts'
import { mistakesIn, organisations, parts, things, withField, wrong } from './invalid-models.ts'

const sound = [organisations, things, parts]

test('valid definitions have no errors', () => {
  expect(mistakesIn(sound)).toEqual([])
})

test('the product’s models have no errors, with and without the kitchen sink', () => {
  expect(checkModels(models, claims)).toEqual([])
  expect(checkModels([...models, kitchensink], claims)).toEqual([])
})

test('errors of several definitions are reported together, each with its model', () => {
  const invalid = [
    { ...things, ...withField('name', { label: ' ' }), displayField: 'colour' },
    { ...parts, title: '' },
  ]
  expect(mistakesIn([organisations, ...invalid])).toEqual([
    'things: displayField: unknown field "colour"',
    'things: field "name": label must not be empty',
    'parts: name and title must not be empty',
  ])
})

test('all paths of the site’s own pages are reserved', () => {
  const pages = 'profile contact privacy security login unauthorised msp msp-services'
  const product = 'requests sessions desk system people security-events changes'
  const signIn = 'signin-callback logout-callback silent-renew.html'
  const server = 'api me healthz readyz .well-known static models openapi.json operations'
  expect(RESERVED_PATHS.toSorted()).toEqual(
    `${pages} ${product} ${signIn} ${server}`.split(' ').toSorted(),
  )
})

test.each(RESERVED_PATHS)('the path "%s" is reserved', (path) => {
  for (const invalid of [
    { ...things, path },
    { ...things, routeName: path },
  ])
    expect(mistakesIn([organisations, invalid])).toContain(
      `${invalid.path}: "${path}" is reserved for the site`,
    )
})

describe('invalid models', () => {
  const counted: Model['fields'] = {
    ...things.fields,
    day: { type: 'date', label: 'Day', privacy: np },
    count: { type: 'integer', label: 'Count', privacy: np },
    age: { type: 'integer', label: 'Age', computed: 'sql', privacy: np },
  }

  test.each<[sentence: string, invalid: Partial<Model>]>([
    ['"parts" is already the path or routeName of parts', { routeName: 'parts' }],
    [address('Things'), { routeName: 'Things' }],
    [address('t'), { routeName: 't' }],
    ['name and title must not be empty', { name: ' ' }],
    ['name and title must not be empty', { title: '' }],
    ['displayField: unknown field "colour"', { displayField: 'colour' }],
    ['displayField: unknown field "toString"', { displayField: 'toString' }],
    ['displayField "organisation" must be text', { displayField: 'organisation' }],
    [
      'displayField "name" must be visible to everyone who may read the records',
      withField('name', { visibleTo: 'admin' }),
    ],
    [
      'displayField "name" must be stored, so that relations can show it',
      withField('name', { computed: 'sql' }),
    ],
    [
      'access for "delete" must be public, user, admin or owner',
      { access: { ...things.access, delete: wrong('staff') } },
    ],
    ['purge must be public, user, admin or owner', { purge: wrong('staff') }],
    ['without: unknown action "remove"', { without: [wrong('remove')] }],
    ['defaultSort "name" must be a sortable field', { defaultSort: '-name' }],
    ['defaultSort "colour" must be a sortable field', { defaultSort: 'colour' }],
    [
      'defaultSort "rank" must be visible to everyone who may read the records',
      {
        defaultSort: 'rank',
        ...withField('rank', { type: 'integer', sortable: true, visibleTo: 'admin' }),
      },
    ],
    [
      'rule: unknown field "end"',
      { rules: [['start', 'lt', 'end']], ...withField('start', { type: 'date' }) },
    ],
    [
      'rule: unknown field "begin"',
      { rules: [['begin', 'lt', 'start']], ...withField('start', { type: 'date' }) },
    ],
    [
      'rule: unknown operator "before"',
      { rules: [['start', wrong('before'), 'start']], ...withField('start', { type: 'date' }) },
    ],
    [
      comparison('start', 'name'),
      { rules: [['start', 'lt', 'name']], ...withField('start', { type: 'date' }) },
    ],
    [comparison('name', 'name'), { rules: [['name', 'lt', 'name']] }],
    [comparison('day', 'count'), { rules: [['day', 'lt', 'count']], fields: counted }],
    [comparison('age', 'count'), { rules: [['age', 'lt', 'count']], fields: counted }],
    [comparison('count', 'age'), { rules: [['count', 'lt', 'age']], fields: counted }],
    ...['about', 'history', 'neighbours', 'restore', 'purge', 'form-metadata'].map(
      (name): [string, Partial<Model>] => [
        `action "${name}": name must be 2 to 40 lower-case letters and none of about, history, neighbours, restore, purge, form-metadata`,
        withAction(name, {}),
      ],
    ),
    [
      'action "Close": name must be 2 to 40 lower-case letters and none of about, history, neighbours, restore, purge, form-metadata',
      withAction('Close', {}),
    ],
    ['action "close": label must not be empty', withAction('close', { label: ' ' })],
    ['action "close": done must not be empty', withAction('close', { done: '' })],
    ['action "close": confirm must not be empty', withAction('close', { confirm: ' ' })],
    [
      'action "close": when uses "rank", which must be visible to everyone who may do it',
      {
        ...withAction('close', { when: { all: [['rank', 'eq', 1]] } }),
        ...withField('rank', { type: 'integer', visibleTo: 'admin' }),
      },
    ],
    [
      'action "close": field "at": must not be filled in by the server',
      withAction('close', {
        fields: { at: { type: 'datetime', label: 'At', readOnly: true, privacy: np } },
      }),
    ],
    [
      'action "close": access must be public, user, admin or owner',
      withAction('close', { access: wrong('staff') }),
    ],
    [
      'filter: unknown field "colour"',
      withAction('close', { when: { all: [['colour', 'eq', 'red']] } }),
    ],
    [
      'action "close": field "body": label must not be empty',
      withAction('close', { fields: { body: { type: 'textarea', label: '', privacy: np } } }),
    ],
  ])('a model is rejected: %s', (sentence, invalid) => {
    const models = [organisations, parts, { ...things, ...invalid }]
    expect(mistakesIn(models)).toEqual([`things: ${sentence}`])
  })

  test('a model is rejected if its path is taken', () => {
    expect(mistakesIn([...sound, { ...things, path: 'parts', routeName: 'parts' }])).toEqual([
      'parts: "parts" is already the path or routeName of parts',
    ])
  })

  test('a model is rejected if its path is not valid in a URL', () => {
    expect(
      mistakesIn([organisations, { ...things, path: 'my_things', routeName: 'things' }]),
    ).toEqual([`my_things: ${address('my_things')}`])
  })
})

function withAction(name: string, action: Partial<ModelAction>): Partial<Model> {
  return { actions: { [name]: { label: 'Close', access: 'user', done: 'Closed.', ...action } } }
}

function address(name: string) {
  return `path "${name}" must be 2 to 41 lower-case letters, digits and hyphens`
}

function comparison(left: string, right: string) {
  return `rule: "${left}" and "${right}" must be stored numbers or dates of the same type`
}
