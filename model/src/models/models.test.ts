import { expect, test } from 'vitest'
import { ACTIONS } from '#definition/access.ts'
import { FIELD_TYPES } from '#definition/field-types.ts'
import type { Field } from '#definition/fields.ts'
import { conditionsOf } from '#definition/filter.ts'
import { fieldsOf, type Model } from '#definition/model.ts'
import { kitchensink, models } from './index.ts'

const everyModel: [string, Model][] = [...models, kitchensink].map((model) => [model.path, model])

test.each(everyModel)('%s is plain data: it equals its own JSON round trip', (_, model) => {
  expect(JSON.parse(JSON.stringify(model))).toStrictEqual(model)
})

/**
 * Rights that neither migrations, the admins' OpenAPI nor the notice would show. Repeated by hand, so that an error in a model
 * fails the test.
 */
const RIGHTS: Record<string, Rights> = {
  organisations: {
    display: 'name',
    access: 'UUAAA',
    scope: { member: 'id' },
    adminsSee: 'notes documents',
    defaults: {
      soleTrader: false,
      industry: 'Other',
      country: '@site.country',
      slaTier: 'None',
      lastContactOn: '@today',
    },
  },
  contacts: {
    display: 'fullName',
    access: 'UUAAA',
    scope: { account: 'userSub', manager: 'organisation' },
    adminsSee: 'notes',
    defaults: { portalRole: 'none', active: true, lastContactOn: '@today' },
  },
  services: {
    display: 'name',
    access: 'PPAAA',
    scope: null,
    adminsSee: 'internalCost',
    ownersWrite: 'published',
    defaults: {
      currency: '@site.currency',
      billingPeriod: 'monthly',
      priceUnit: 'flat',
      published: false,
      sortOrder: 100,
    },
  },
  contracts: {
    display: 'reference',
    access: 'UUAAA',
    scope: { manager: 'organisation' },
    ownersWrite: 'monthlyFee currency',
    defaults: { autoRenew: false, noticeDays: 30, currency: '@site.currency' },
  },
  tickets: {
    display: 'subject',
    access: 'UUUAA',
    scope: { account: 'clientId', manager: 'organisation' },
    adminsSee: 'contactDiffers internalNotes',
    adminsWrite:
      'clientId clientName contact organisation status priority callbackAt minutesSpent billable tags resolution',
    stamps: {
      clientId: 'account',
      clientName: 'name',
      contact: 'contact',
      organisation: 'organisation',
    },
    defaults: {
      contactType: 'Query',
      status: 'New',
      priority: 'Normal',
      openedAt: '@now',
      lastContactAt: '@now',
      minutesSpent: 0,
      billable: false,
    },
  },
  messages: {
    display: 'body',
    access: 'UUUAA',
    scope: { via: 'ticket' },
    adminsSee: 'internal',
    stamps: { fromStaff: 'isStaff', authorName: 'author' },
    defaults: { internal: false },
  },
  assets: {
    display: 'name',
    access: 'UUAAA',
    scope: { member: 'organisation' },
    adminsSee: 'purchasePrice',
    defaults: { managed: true },
  },
  incidents: {
    display: 'title',
    access: 'UUAAA',
    scope: { member: 'organisation' },
    adminsSee: 'actions',
    defaults: { severity: 'Medium', status: 'New', personalDataBreach: false },
  },
  articles: {
    display: 'title',
    access: 'PPAAA',
    scope: null,
    ownersWrite: 'expiresOn published',
    defaults: { pinned: false, published: false },
  },
  privacyrequests: {
    display: 'reference',
    access: 'OOOOO',
    scope: null,
    defaults: { status: 'received', receivedAt: '@now' },
  },
  accounts: {
    display: 'name',
    access: 'AAAAA',
    scope: null,
    ownersWrite: 'staff',
    defaults: { staff: 'none', link: 'none' },
  },
}

type Rights = {
  display: string
  /** P, U or A for list, get, create, update and delete. */
  access: string
  scope: Model['rowScope']
  adminsSee?: string
  /** Visible to non-admins, but read-only. */
  adminsWrite?: string
  ownersWrite?: string
  stamps?: Record<string, string>
  defaults: Record<string, Field['default']>
}

test.each(Object.entries(RIGHTS))(
  '%s has the expected access, ownership and defaults',
  (path, rights) => {
    const { displayField, access, rowScope } = modelOf(path)
    const letters = { public: 'P', user: 'U', admin: 'A', owner: 'O' }
    expect({
      display: displayField,
      access: ACTIONS.map((action) => letters[access[action]]).join(''),
      scope: rowScope,
      adminsSee: namesOf(path, ({ visibleTo }) => visibleTo !== undefined),
      adminsWrite: namesOf(
        path,
        ({ visibleTo, writableBy }) => !visibleTo && writableBy === 'admin',
      ),
      ownersWrite: namesOf(path, ({ writableBy }) => writableBy === 'owner'),
      stamps: factsOf(path, ({ stamp }) => stamp),
      defaults: factsOf(path, (field) => field.default),
    }).toEqual({ adminsSee: '', adminsWrite: '', ownersWrite: '', stamps: {}, ...rights })
  },
)

const namesOf = (path: string, has: (field: Field) => boolean) =>
  fieldsOf(modelOf(path))
    .filter(([, field]) => has(field))
    .map(([name]) => name)
    .join(' ')

const factsOf = (path: string, fact: (field: Field) => unknown) =>
  Object.fromEntries(
    fieldsOf(modelOf(path))
      .map(([name, field]) => [name, fact(field)])
      .filter(([, value]) => value !== undefined),
  )

test('contact types have the labels of the contact form', () => {
  expect(fieldAt('tickets.contactType').options).toEqual([
    { value: 'Query' },
    { value: 'Callback', label: 'Callback Request' },
    { value: 'Report', label: 'Client Report' },
  ])
})

test.each<[place: string, limits: Partial<Field>]>([
  ['organisations.name', { maxLength: 120 }],
  ['organisations.employees', { min: 0 }],
  ['services.summary', { maxLength: 160 }],
  ['services.priceFrom', { min: 0 }],
  ['incidents.cvss', { min: 0, max: 10, step: 0.1 }],
  ['articles.summary', { maxLength: 200 }],
])('%s has the expected limits', (place, limits) => {
  expect(fieldAt(place)).toMatchObject(limits)
})

test.each([
  ['contacts.jobTitle', 'client'],
  ['contacts.userSub', 'idp'],
])('%s declares its source: %s', (place, source) => {
  expect(fieldAt(place).privacy).toMatchObject({ source })
})

test('only published services and unexpired published articles are public', () => {
  expect(modelOf('services').publicFilter).toEqual({ all: [['published', 'eq', true]] })
  expect(modelOf('articles').publicFilter).toEqual({
    all: [
      ['published', 'eq', true],
      {
        any: [
          ['expiresOn', 'empty', true],
          ['expiresOn', 'gte', '@today'],
        ],
      },
    ],
  })
})

test('only owners can write fields of a public filter', () => {
  const open = models.filter(({ access, publicFilter }) => access.list === 'public' && publicFilter)
  expect(open.map(({ path }) => path)).toEqual(['services', 'articles'])
  for (const { path, publicFilter } of open)
    for (const [name] of publicFilter ? conditionsOf(publicFilter) : [])
      expect(fieldAt(`${path}.${name}`).writableBy, `${path}.${name}`).toBe('owner')
})

test('a contract can’t end before it starts, or be deleted once it has started', () => {
  const { rules, deleteOnly } = modelOf('contracts')
  expect(rules).toEqual([['endOn', 'gte', 'startOn']])
  expect(deleteOnly).toEqual({
    when: { all: [['startOn', 'gt', '@today']] },
    message: 'A contract that has started can’t be deleted. Set its end date instead.',
  })
})

test('only a ticket’s messages cascade: other required relations restrict, optional ones unlink', () => {
  for (const model of models)
    for (const [name, field] of fieldsOf(model).filter(([, one]) => one.type === 'relation'))
      expect([model.path, name, field.onDelete]).toEqual([
        model.path,
        name,
        model.path === 'messages' ? 'cascade' : field.required ? 'restrict' : 'unlink',
      ])
})

test('internal messages are for admins only, and their author can’t be set', () => {
  const { publicFilter, fields } = modelOf('messages')
  expect(publicFilter).toEqual({ all: [['internal', 'eq', false]] })
  expect(fields['fromStaff']).toMatchObject({ readOnly: true, stamp: 'isStaff' })
  expect(fields['authorName']).toMatchObject({ readOnly: true, stamp: 'author' })
})

test('a person can create 5 tickets and 20 messages per minute', () => {
  const limits = models.map(({ path, createPerMinute }) => [path, createPerMinute])
  expect(limits.filter(([, limit]) => limit !== null)).toEqual([
    ['tickets', 5],
    ['messages', 20],
  ])
})

test('accounts can’t be created or deleted, and aren’t in the menu', () => {
  expect(modelOf('accounts')).toMatchObject({ without: ['create', 'delete'], menu: false })
})

test('privacy requests can’t be created or deleted, and are in the admins’ menu', () => {
  expect(modelOf('privacyrequests')).toMatchObject({ without: ['create', 'delete'], menu: true })
})

test('the kitchen sink has a field of every type', () => {
  expect(typesIn([kitchensink])).toEqual(Object.keys(FIELD_TYPES).sort())
})

test('the kitchen sink isn’t part of the product, and its path differs from its routeName', () => {
  expect(models).not.toContain(kitchensink)
  expect(kitchensink.path).not.toBe(kitchensink.routeName)
})

const typesIn = (some: Model[]) =>
  [...new Set(some.flatMap((model) => fieldsOf(model).map(([, field]) => field.type)))].sort()

function modelOf(path: string) {
  const model = models.find((one) => one.path === path)
  if (!model) throw new Error(`there is no model ${path}`)
  return model
}

function fieldAt(place: string) {
  const [path = '', name = ''] = place.split('.')
  const field = modelOf(path).fields[name]
  if (!field) throw new Error(`there is no field ${place}`)
  return field
}
