import { describe, expect, test } from 'vitest'
import type { Field } from '#definition/fields.ts'
import type { Model } from '#definition/model.ts'
import { np } from '#definition/privacy.ts'
import { mistakesOf, relation, things, withField, wrong } from './invalid-models.ts'

describe('invalid fields', () => {
  const unfit = 'default must be a valid value'
  const misstamped = 'stamp must fit the type'
  const unwritable =
    'required needs a default, or write access for everyone who may create a record'
  const unstamped = 'required needs a stamp that always has a value'
  const unread = 'computed: sql excludes sortable, searchable, unique and required'
  const unhidden = 'hidden excludes sortable, searchable, required, stamp and visibleTo'
  const unreplaced = 'requiredUnless needs required, and must name a field'
  const onRead = { computed: 'sql' } as const
  const toOrganisation = { type: 'relation', to: 'organisations' } as const

  test.each<[sentence: string, invalid: Partial<Field>]>([
    ['unknown type "colour"', { type: wrong('colour') }],
    ['label must not be empty', { label: '' }],
    [
      'visibleTo and writableBy must be public, user, admin or owner, not "staff"',
      { visibleTo: wrong('staff') },
    ],
    [
      'visibleTo and writableBy must be public, user, admin or owner, not "staff"',
      { writableBy: wrong('staff') },
    ],
    ['min, max and step are for numbers only', { min: 0 }],
    ['min, max and step are for numbers only', { max: 0 }],
    ['min, max and step are for numbers only', { step: 1 }],
    ['min and max must fit the column', { type: 'integer', max: 3e9 }],
    ['min and max must fit the column', { type: 'decimal', min: -1e12 }],
    ['min must not be greater than max', { type: 'integer', min: 2, max: 1 }],
    ['step must be greater than 0', { type: 'decimal', step: 0 }],
    ['maxLength is for text only', { type: 'date', maxLength: 10 }],
    ['pattern is for text fields only', { type: 'tel', pattern: '^a$', help: 'An a.' }],
    ['pattern must be a valid regular expression', { pattern: '(', help: 'Nothing.' }],
    ['help must explain the pattern', { pattern: '^a$' }],
    ['a field of type tel can’t be sortable', { type: 'tel', sortable: true }],
    [
      'a field of type markdown can’t be sortable',
      { type: 'markdown', sortable: true, maxLength: 9 },
    ],
    ['a field of type date can’t be searchable', { type: 'date', searchable: true }],
    ['a field of type textarea can’t be unique', { type: 'textarea', unique: true }],
    ['a field of type boolean can’t be unique', { type: 'boolean', unique: true }],
    [
      'a field of type multiselect can’t be unique',
      { type: 'multiselect', free: true, unique: true },
    ],
    ['maxLength must be at most 500 if sortable or unique', { type: 'url', unique: true }],
    ['maxLength must be at most 500 if sortable or unique', { sortable: true, maxLength: 501 }],
    ['sequence is for integers only', { sequence: true }],
    ['formerly: "email" is a present or former name of another field', { formerly: ['email'] }],
    ['formerly: "field" is its present name', { formerly: ['field'] }],
    ['formerly: "id": name must not be the name of a system column', { formerly: ['id'] }],
    ['replaces must name a retired field', { replaces: 'email' }],
    ['replaces must name a retired field', { replaces: 'none' }],
    [unhidden, { hidden: true, sortable: true }],
    [unhidden, { hidden: true, searchable: true }],
    [unhidden, { hidden: true, visibleTo: 'admin' }],
    [unreplaced, { requiredUnless: 'email' }],
    [unreplaced, { required: true, requiredUnless: 'nothing' }],
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
    ['must be readOnly, because it is stamped for everyone', { stamp: 'author' }],
    ['writableBy must be admin, because it is stamped for everyone else', { stamp: 'name' }],
    ['options and free are for select and multiselect only', { options: [{ value: 'a' }] }],
    ['options and free are for select and multiselect only', { free: true }],
    ['options must not be empty', { type: 'select' }],
    ['options must not be empty', { type: 'multiselect', options: [] }],
    ['free is for multiselect only', { type: 'select', free: true }],
    ['option must not be empty', { type: 'select', options: [{ value: ' ' }] }],
    ['options must be unique', { type: 'select', options: [{ value: 'a' }, { value: 'a' }] }],
    ['scale is for select only', { type: 'multiselect', free: true, scale: true }],
    [
      'scopedSort requires sortable and a column that is never null',
      { sortable: true, scopedSort: true },
    ],
    [
      'scopedSort requires sortable and a column that is never null',
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
    ['currency is for decimals without a unit', { type: 'integer', currency: '@site.currency' }],
    [
      'currency is for decimals without a unit',
      { type: 'decimal', unit: 'h', currency: '@site.currency' },
    ],
    [
      'currency must name a select field, or be @site.currency',
      { type: 'decimal', currency: 'colour' },
    ],
    ['to, onDelete and covers are for relations only', { to: 'organisations' }],
    ['to, onDelete and covers are for relations only', { onDelete: 'unlink' }],
    ['to, onDelete and covers are for relations only', { covers: ['name'] }],
    [
      'covers must name columns, not "colour"',
      { ...toOrganisation, onDelete: 'unlink', covers: ['colour'] },
    ],
    [
      'covers must name columns, not "field"',
      { ...toOrganisation, onDelete: 'unlink', covers: ['field'], computed: 'sql' },
    ],
    ['relation to unknown model "colours"', { ...relation('colours') }],
    ['onDelete must be restrict, unlink or cascade', { ...toOrganisation }],
    ['onDelete must be restrict, unlink or cascade', { ...toOrganisation, onDelete: wrong('set') }],
    [
      'a required relation can’t have onDelete: unlink',
      { ...relation('organisations'), required: true },
    ],
  ])('a field is rejected: %s', (sentence, invalid) => {
    expect(mistakesOf(withField('field', invalid))).toEqual([`things: field "field": ${sentence}`])
  })

  test.each(['Name', 'snake_case', '', 'constructor', 'isPrototypeOf', 'a'.repeat(42)])(
    'a field is rejected if its name is invalid: "%s"',
    (name) => {
      expect(mistakesOf(withField(name, {}))).toEqual([
        `things: field "${name}": name must be 1 to 41 letters and digits, start with a lower-case letter, and not be inherited (such as constructor)`,
      ])
    },
  )

  test.each(['id', 'version', 'createdAt', 'deletedAt', 'labels'])(
    'a field is rejected if its name is that of a system column: "%s"',
    (name) => {
      expect(mistakesOf(withField(name, {}))).toEqual([
        `things: field "${name}": name must not be the name of a system column`,
      ])
    },
  )

  test('a required field stamped with the account is rejected if anonymous callers may create records', () => {
    const access: Model['access'] = { ...things.access, create: 'public' }
    const invalid = withField('owner', { required: true, privacy: np })
    expect(mistakesOf({ access, ...invalid })).toEqual([`things: field "owner": ${unstamped}`])
    expect(mistakesOf(invalid)).toEqual([])
  })

  test('an unknown field type is reported once, even if a filter uses the field', () => {
    const unknown = withField('name', { type: wrong('colour') })
    expect(mistakesOf({ ...unknown, publicFilter: { all: [['name', 'eq', 'red']] } })).toEqual([
      'things: field "name": unknown type "colour"',
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
])('a field just within the limits is accepted: %j', (field) => {
  expect(mistakesOf(withField('field', field))).toEqual([])
})
