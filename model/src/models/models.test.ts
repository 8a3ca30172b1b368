import { expect, test } from 'vitest'
import { ACTIONS } from '#access.ts'
import { FIELD_TYPES, isServerOnly, type Field } from '#fields.ts'
import { fieldsOf, type Model } from '#model.ts'
import { kitchensink, models } from './index.ts'
import { BEYOND, OPTIONS, TABLES } from './design.ts'

const everyModel: [string, Model][] = [...models, kitchensink].map((model) => [model.path, model])
const tables = Object.entries(TABLES)

test.each(everyModel)('%s is plain data: it equals its own JSON round trip', (_, model) => {
  expect(JSON.parse(JSON.stringify(model))).toStrictEqual(model)
})

test.each(tables)(
  '%s has the fields of the table, in its order, as the table has them',
  (path, table) => {
    const asked = table.fields.trim().split('\n').map(readLine)
    const said = asked.map(([name, facts]) => [name, { ...facts, ...BEYOND[`${path}.${name}`] }])
    expect(
      fieldsOf(modelOf(path)).map(([name, field]) => [name, factsIn(field, modelOf(path))]),
    ).toEqual(said)
  },
)

test.each(tables)(
  '%s: display field, access, scope and privacy are those of its heading',
  (path, table) => {
    const { displayField, access, rowScope, privacy } = modelOf(path)
    const letters = { public: 'P', user: 'U', admin: 'A' }
    expect({
      display: displayField,
      access: ACTIONS.map((action) => letters[access[action]]).join(''),
      scope: rowScope,
      subject: privacy.subject,
      ...(privacy.subject === 'none' ? {} : { retention: privacy.retention }),
      role: privacy.role ?? 'controller',
    }).toEqual({
      display: table.display,
      access: table.access,
      scope: table.scope,
      subject: table.subject,
      ...(table.subject === 'none' ? {} : { retention: table.retention }),
      role: table.role ?? 'controller',
    })
  },
)

test.each(Object.entries(OPTIONS))('%s offers exactly what the table lists', (place, options) => {
  expect(fieldAt(place).options?.map((option) => option.value)).toEqual(options.split(', '))
})

test('the types of contact carry the words of the contact form', () => {
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
])('%s keeps to its limits', (place, limits) => {
  expect(fieldAt(place)).toMatchObject(limits)
})

test.each([
  ['contacts.jobTitle', 'client'],
  ['contacts.userSub', 'idp'],
])('%s says that it comes from: %s', (place, source) => {
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

test('a contract ends after it starts, and can not be deleted once it has started', () => {
  const { rules, deleteOnly } = modelOf('contracts')
  expect(rules).toEqual([['endOn', 'gte', 'startOn']])
  expect(deleteOnly).toEqual({
    when: { all: [['startOn', 'gt', '@today']] },
    message: "A contract that has started can't be deleted. Set its end date instead.",
  })
})

test('deleting takes only the messages of a ticket along: what else must refer to a record forbids it, what may is unlinked', () => {
  for (const model of models)
    for (const [name, field] of fieldsOf(model).filter(([, one]) => one.type === 'relation'))
      expect([model.path, name, field.onDelete]).toEqual([
        model.path,
        name,
        model.path === 'messages' ? 'cascade' : field.required ? 'restrict' : 'unlink',
      ])
})

test('an internal message is for admins alone, and nobody says who wrote one', () => {
  const { publicFilter, fields } = modelOf('messages')
  expect(publicFilter).toEqual({ all: [['internal', 'eq', false]] })
  expect(fields['fromStaff']).toMatchObject({ readOnly: true, stamp: '@me.isStaff' })
  expect(fields['authorName']).toMatchObject({ readOnly: true, stamp: '@me.author' })
})

test('a person opens at most 5 tickets a minute and writes at most 20 messages', () => {
  const limits = models.map(({ path, createPerMinute }) => [path, createPerMinute])
  expect(limits.filter(([, limit]) => limit !== null)).toEqual([
    ['tickets', 5],
    ['messages', 20],
  ])
})

test('nobody creates or deletes an account by hand, and the menu leaves accounts out', () => {
  expect(modelOf('accounts')).toMatchObject({ without: ['create', 'delete'], menu: false })
})

test('nobody creates or deletes a privacy request by hand; admins find them in the menu', () => {
  expect(modelOf('privacyrequests')).toMatchObject({ without: ['create', 'delete'], menu: true })
})

test('all 14 field types are exercised, by the product and by the kitchen sink alone', () => {
  const types = Object.keys(FIELD_TYPES).sort()
  expect(types).toHaveLength(14)
  expect(typesIn(models)).toEqual(types)
  expect(typesIn([kitchensink])).toEqual(types)
})

test('the kitchen sink is no model of the product, and its path differs from its routeName', () => {
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

/** A field, reduced to what a line of a table says. */
const factsIn = (field: Field, model: Model) => ({
  type: field.type,
  to: field.to ?? null,
  required: Boolean(field.required),
  default: field.default === undefined ? null : String(field.default),
  unique: Boolean(field.unique),
  by: writerOf(field),
  privacy: privacyOf(field, model),
})

function writerOf(field: Field) {
  if (isServerOnly(field)) return 'system'
  if (field.visibleTo === 'admin' && field.writableBy === 'admin') return 'admin'
  if (field.stamp) return 'server'
  return field.writableBy === 'admin' ? 'staff' : 'form'
}

function privacyOf({ privacy }: Field, model: Model) {
  if (!privacy.personal) return 'np'
  const erase = privacy.erase ?? model.privacy.onErase
  const freeText = privacy.freeText ? '/freeText' : ''
  return `${privacy.category}/${privacy.purposes.join('+')}/${erase}${freeText}`
}

/** `organisation relation→organisations! unique =default admin np` */
function readLine(line: string): [string, ReturnType<typeof factsIn>] {
  const [name = '', type = '', ...words] = line.trim().split(/\s+/)
  const [, kind = '', to = null, mark] = /^(\w+)(?:→(\w+))?(!)?$/.exec(type) ?? []
  return [
    name,
    {
      type: kind as Field['type'],
      to,
      required: mark === '!',
      default: words.find((word) => word.startsWith('='))?.slice(1) ?? null,
      unique: words.includes('unique'),
      by: words.find((word) => /^(system|server|staff|admin)$/.test(word)) ?? 'form',
      privacy: words.at(-1) ?? '',
    },
  ]
}
