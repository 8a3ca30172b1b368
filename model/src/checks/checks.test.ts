import { describe, expect, test } from 'vitest'
import type { ModelAction } from '#definition/action.ts'
import { checkModels, RESERVED_PATHS } from './checks.ts'
import type { Model } from '#definition/model.ts'
import { claims, kitchensink, models } from '#models/index.ts'
import { np } from '#definition/privacy.ts'
import { mistakesIn, organisations, parts, things, withField, wrong } from './spoil.ts'

const sound = [organisations, things, parts]

test('a sound set of definitions has no mistakes', () => {
  expect(mistakesIn(sound)).toEqual([])
})

test('the models of the product have no mistakes, with and without the kitchen sink', () => {
  expect(checkModels(models, claims)).toEqual([])
  expect(checkModels([...models, kitchensink], claims)).toEqual([])
})

test('several mistakes are reported all at once, each with its place', () => {
  const spoiled = [
    { ...things, ...withField('name', { label: ' ' }), displayField: 'colour' },
    { ...parts, title: '' },
  ]
  expect(mistakesIn([organisations, ...spoiled])).toEqual([
    'things: displayField "colour" is not a field',
    'things: field "name" has no label',
    'parts: name and title must say something',
  ])
})

test('no address the site needs is left to the models', () => {
  const pages =
    'profile contact privacy security login unauthorised msp msp-services requests desk system'
  const signIn = 'signin-callback logout-callback silent-renew.html'
  const server = 'api me healthz readyz .well-known static models openapi.json operations'
  expect(RESERVED_PATHS.toSorted()).toEqual(`${pages} ${signIn} ${server}`.split(' ').toSorted())
})

test.each(RESERVED_PATHS)('the address "%s" belongs to the site itself', (path) => {
  for (const spoiled of [
    { ...things, path },
    { ...things, routeName: path },
  ])
    expect(mistakesIn([organisations, spoiled])).toContain(
      `${spoiled.path}: the address "${path}" belongs to the site itself`,
    )
})

describe('a model is refused when', () => {
  const counted: Model['fields'] = {
    ...things.fields,
    day: { type: 'date', label: 'Day', privacy: np },
    count: { type: 'integer', label: 'Count', privacy: np },
    age: { type: 'integer', label: 'Age', computed: 'sql', privacy: np },
  }

  test.each<[sentence: string, spoiled: Partial<Model>]>([
    ['the address "parts" is already taken by parts', { routeName: 'parts' }],
    [address('Things'), { routeName: 'Things' }],
    [address('t'), { routeName: 't' }],
    ['name and title must say something', { name: ' ' }],
    ['name and title must say something', { title: '' }],
    ['displayField "colour" is not a field', { displayField: 'colour' }],
    ['displayField "toString" is not a field', { displayField: 'toString' }],
    ['displayField "organisation" must be a text', { displayField: 'organisation' }],
    [
      'displayField "name" is hidden from people who may read the records',
      withField('name', { visibleTo: 'admin' }),
    ],
    [
      'displayField "name" is computed when read, so no relation could show it',
      withField('name', { computed: 'sql' }),
    ],
    [
      'access for "delete" must be public, user or admin',
      { access: { ...things.access, delete: wrong('staff') } },
    ],
    ['purge must be public, user or admin', { purge: wrong('staff') }],
    ['without names "remove", which is not an action', { without: [wrong('remove')] }],
    ['defaultSort "name" is not a sortable field', { defaultSort: '-name' }],
    ['defaultSort "colour" is not a sortable field', { defaultSort: 'colour' }],
    [
      'defaultSort "rank" is hidden from people who may read the records',
      {
        defaultSort: 'rank',
        ...withField('rank', { type: 'integer', sortable: true, visibleTo: 'admin' }),
      },
    ],
    [
      'a rule names "end", which is not a field',
      { rules: [['start', 'lt', 'end']], ...withField('start', { type: 'date' }) },
    ],
    [
      'a rule names "begin", which is not a field',
      { rules: [['begin', 'lt', 'start']], ...withField('start', { type: 'date' }) },
    ],
    [
      'a rule says "before", which is none of lt, lte, gt and gte',
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
        `action "${name}" has a name that can not be used`,
        withAction(name, {}),
      ],
    ),
    ['action "Close" has a name that can not be used', withAction('Close', {})],
    ['action "close" has no label', withAction('close', { label: ' ' })],
    ['action "close" does not say that it is done', withAction('close', { done: '' })],
    ['action "close" asks an empty question', withAction('close', { confirm: ' ' })],
    [
      'action "close" depends on "rank", which not everyone who may do it can see',
      {
        ...withAction('close', { when: { all: [['rank', 'eq', 1]] } }),
        ...withField('rank', { type: 'integer', visibleTo: 'admin' }),
      },
    ],
    [
      'action "close" field "at" is filled in by the server',
      withAction('close', {
        fields: { at: { type: 'datetime', label: 'At', readOnly: true, privacy: np } },
      }),
    ],
    [
      'action "close" has an access that is none of public, user and admin',
      withAction('close', { access: wrong('staff') }),
    ],
    [
      'a filter names "colour", which is not a field',
      withAction('close', { when: { all: [['colour', 'eq', 'red']] } }),
    ],
    [
      'action "close" field "body" has no label',
      withAction('close', { fields: { body: { type: 'textarea', label: '', privacy: np } } }),
    ],
  ])('%s', (sentence, spoiled) => {
    const models = [organisations, parts, { ...things, ...spoiled }]
    expect(mistakesIn(models)).toEqual([`things: ${sentence}`])
  })

  test('its path is taken', () => {
    expect(mistakesIn([...sound, { ...things, path: 'parts', routeName: 'parts' }])).toEqual([
      'parts: the address "parts" is already taken by parts',
    ])
  })

  test('its path is no address', () => {
    expect(
      mistakesIn([organisations, { ...things, path: 'my_things', routeName: 'things' }]),
    ).toEqual([`my_things: ${address('my_things')}`])
  })
})

function withAction(name: string, action: Partial<ModelAction>): Partial<Model> {
  return { actions: { [name]: { label: 'Close', access: 'user', done: 'Closed.', ...action } } }
}

function address(name: string) {
  return `"${name}" is no address: lower-case letters, digits and hyphens, 2 to 41 of them`
}

function comparison(left: string, right: string) {
  return `a rule compares "${left}" with "${right}", which must be two numbers or two dates of one type, kept in columns`
}
