import { describe, expect, test } from 'vitest'
import type { Field } from '#definition/fields.ts'
import type { Model } from '#definition/model.ts'
import { np } from '#definition/privacy.ts'
import { mistakesOf, relation, things, withField, wrong } from './spoil.ts'

describe('a field is refused when it', () => {
  const unfit = 'has a default that it can not hold'
  const misstamped = 'has a stamp that it can not hold'
  const unwritable =
    'is required, but people who may create a record may not write it and it has no default'
  const unstamped = 'is required, but the server may have nothing to stamp it with'
  const unread = 'is computed when read, so it can not be sorted by, searched, unique or required'
  const onRead = { computed: 'sql' } as const
  const toOrganisation = { type: 'relation', to: 'organisations' } as const

  test.each<[sentence: string, spoiled: Partial<Field>]>([
    ['has the unknown type "colour"', { type: wrong('colour') }],
    ['has no label', { label: '' }],
    ['is for "staff", which is none of public, user and admin', { visibleTo: wrong('staff') }],
    ['is for "staff", which is none of public, user and admin', { writableBy: wrong('staff') }],
    ['has min, max or step, which only numbers have', { min: 0 }],
    ['has min, max or step, which only numbers have', { max: 0 }],
    ['has min, max or step, which only numbers have', { step: 1 }],
    ['has a min or max that a column can not hold', { type: 'integer', max: 3e9 }],
    ['has a min or max that a column can not hold', { type: 'decimal', min: -1e12 }],
    ['has min above max', { type: 'integer', min: 2, max: 1 }],
    ['has a step that leads nowhere', { type: 'decimal', step: 0 }],
    ['has a maxLength, which only texts have', { type: 'date', maxLength: 10 }],
    [
      'has a pattern, which only the type text can have',
      { type: 'tel', pattern: '^a$', help: 'An a.' },
    ],
    ['has a pattern that is none', { pattern: '(', help: 'Nothing.' }],
    ['has a pattern, so help must say it in words', { pattern: '^a$' }],
    ['is a tel, which can not be sorted by', { type: 'tel', sortable: true }],
    [
      'is a markdown, which can not be sorted by',
      { type: 'markdown', sortable: true, maxLength: 9 },
    ],
    ['is a date, which can not be searched', { type: 'date', searchable: true }],
    ['is a textarea, which can not be unique', { type: 'textarea', unique: true }],
    ['is a boolean, which can not be unique', { type: 'boolean', unique: true }],
    [
      'is a multiselect, which can not be unique',
      { type: 'multiselect', free: true, unique: true },
    ],
    [
      'is unique or sorted by, so it may hold at most 500 characters',
      { type: 'url', unique: true },
    ],
    [
      'is unique or sorted by, so it may hold at most 500 characters',
      { sortable: true, maxLength: 501 },
    ],
    ['has a sequence, which only integers have', { sequence: true }],
    [unread, { ...onRead, sortable: true }],
    [unread, { ...onRead, searchable: true }],
    [unread, { ...onRead, unique: true }],
    [unread, { ...onRead, required: true }],
    [unwritable, { required: true, writableBy: 'admin' }],
    [unwritable, { required: true, visibleTo: 'admin' }],
    [unwritable, { required: true, readOnly: true }],
    [unstamped, { required: true, writableBy: 'admin', stamp: 'name' }],
    [misstamped, { stamp: 'email', writableBy: 'admin' }],
    [misstamped, { stamp: 'organisation', writableBy: 'admin' }],
    [misstamped, { ...toOrganisation, onDelete: 'unlink', stamp: 'contact', writableBy: 'admin' }],
    [misstamped, { ...toOrganisation, onDelete: 'unlink', stamp: 'account', writableBy: 'admin' }],
    [misstamped, { ...relation('things'), stamp: 'organisation', writableBy: 'admin' }],
    [misstamped, { stamp: 'isStaff', readOnly: true }],
    ['is stamped by the server for everyone, so it must be readOnly', { stamp: 'author' }],
    [
      'is stamped by the server for everyone but admins, so writableBy must be admin',
      { stamp: 'name' },
    ],
    ['has options, which only select and multiselect have', { options: [{ value: 'a' }] }],
    ['has options, which only select and multiselect have', { free: true }],
    ['has no options', { type: 'select' }],
    ['has no options', { type: 'multiselect', options: [] }],
    ['is free, which only a multiselect can be', { type: 'select', free: true }],
    ['has an option that says nothing', { type: 'select', options: [{ value: ' ' }] }],
    ['has the same option twice', { type: 'select', options: [{ value: 'a' }, { value: 'a' }] }],
    ['is a scale, which only a select can be', { type: 'multiselect', free: true, scale: true }],
    [
      'is sorted by in scope, so it must be sortable and never empty',
      { sortable: true, scopedSort: true },
    ],
    [
      'is sorted by in scope, so it must be sortable and never empty',
      { required: true, scopedSort: true },
    ],
    [unfit, { default: 7 }],
    [unfit, { default: 'four', maxLength: 3 }],
    [unfit, { default: '@now' }],
    [unfit, { type: 'integer', default: 1.5 }],
    [unfit, { type: 'integer', default: 1, min: 2 }],
    [unfit, { type: 'decimal', default: '1' }],
    [unfit, { type: 'decimal', default: 3, max: 2 }],
    [unfit, { type: 'boolean', default: 'yes' }],
    [unfit, { type: 'select', options: [{ value: 'a' }], default: 'b' }],
    [unfit, { type: 'multiselect', options: [{ value: 'a' }], default: ['a', 'b'] }],
    [unfit, { type: 'multiselect', free: true, default: 'a' }],
    [unfit, { type: 'date', default: '2026-01-31' }],
    [unfit, { type: 'date', default: '@now' }],
    [unfit, { type: 'datetime', default: '@today' }],
    [unfit, { ...toOrganisation, onDelete: 'unlink', default: 'acme' }],
    ['has "to" or "onDelete", which only relations have', { to: 'organisations' }],
    ['has "to" or "onDelete", which only relations have', { onDelete: 'unlink' }],
    ['leads to "colours", which is no model', { ...relation('colours') }],
    ['must say onDelete: restrict, unlink or cascade', { ...toOrganisation }],
    [
      'must say onDelete: restrict, unlink or cascade',
      { ...toOrganisation, onDelete: wrong('set') },
    ],
    ['is required, so it can not be unlinked', { ...relation('organisations'), required: true }],
  ])('%s', (sentence, spoiled) => {
    expect(mistakesOf(withField('field', spoiled))).toEqual([`things: field "field" ${sentence}`])
  })

  test.each(['Name', 'snake_case', '', 'constructor', 'isPrototypeOf', 'a'.repeat(42)])(
    'has a name that can not be used: "%s"',
    (name) => {
      expect(mistakesOf(withField(name, {}))).toEqual([
        `things: field "${name}" has a name that can not be used`,
      ])
    },
  )

  test.each(['id', 'version', 'createdAt', 'deletedAt', 'labels'])(
    'takes the name of a system column: "%s"',
    (name) => {
      expect(mistakesOf(withField(name, {}))).toEqual([
        `things: field "${name}" takes the name of a system column`,
      ])
    },
  )

  test('is required and stamped with the account, where people may create without one', () => {
    const access: Model['access'] = { ...things.access, create: 'public' }
    const spoiled = withField('owner', { required: true, privacy: np })
    expect(mistakesOf({ access, ...spoiled })).toEqual([`things: field "owner" ${unstamped}`])
    expect(mistakesOf(spoiled)).toEqual([])
  })

  test('has an unknown type, also where others rely on it', () => {
    const unknown = withField('name', { type: wrong('colour') })
    expect(mistakesOf({ ...unknown, publicFilter: { all: [['name', 'eq', 'red']] } })).toEqual([
      'things: field "name" has the unknown type "colour"',
    ])
  })
})

test.each<Partial<Field>>([
  { type: 'integer', min: 1, max: 1, default: 1 },
  { type: 'integer', min: -2_147_483_647, max: 2_147_483_647 },
  { type: 'decimal', default: 0.5 },
  { sortable: true, maxLength: 500 },
  { default: 'four', maxLength: 4 },
  { pattern: '^a$', help: 'An a.' },
  { type: 'date', default: '@today' },
  { type: 'datetime', default: '@now' },
  { default: '@site.country' },
  { type: 'select', options: [{ value: 'IE' }], default: '@site.currency' },
  { type: 'multiselect', options: [{ value: 'a' }, { value: 'b' }], default: ['a', 'b'] },
  { type: 'multiselect', free: true, default: ['anything'] },
  { required: true, readOnly: true, default: 'x' },
  { required: true, computed: 'column' },
])('a field that keeps just within the limits is accepted: %j', (field) => {
  expect(mistakesOf(withField('field', field))).toEqual([])
})
