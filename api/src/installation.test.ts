import { choices, defineModel, extendModel, np } from '@gatehouse/model'
import { organisations, tickets } from '@gatehouse/model/models'
import { getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { defineBehaviour, extendBehaviour } from './behaviour.ts'
import { checkDefinitions } from './app.ts'
import { install } from './installation.ts'
import { DEFINED } from './product.ts'
import type { Site } from './site.ts'
import { buildTables } from '#engine/build-tables.ts'

const facts = {
  name: 'Visit',
  title: 'Visits',
  displayField: 'purpose',
  access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
  privacy: { subject: 'none', retention: 'customer', onErase: 'row' },
  fields: {
    purpose: { type: 'text', label: 'Purpose', required: true, privacy: np },
    outcome: { type: 'select', label: 'Outcome', options: choices('Planned'), privacy: np },
  },
} as const
const visits = () => defineModel({ ...facts, path: 'visits' })
const number = { type: 'text', label: 'Customer number', privacy: np } as const
const extended = extendModel(organisations, {
  fields: { xCustomerNumber: number },
  actions: { call: { label: 'Call', access: 'admin', done: 'Called.' } },
})
const calling = extendBehaviour(extended, { actions: { call: () => {} } })

const mistakesOf = (site: Site) => {
  const { models, behaviours, mistakes } = install(site)
  return [...mistakes, ...checkDefinitions(models, { ...DEFINED, behaviours })]
}

test('a site without code gets the product unchanged', () => {
  expect(mistakesOf({})).toEqual([])
  expect(install({}).models.map(({ path }) => path)).toContain('tickets')
})

test('a site’s models come last with their own tables; it adds fields and actions to the product’s', () => {
  const site = { models: [visits()], extensions: [extended], behaviours: [calling] }
  expect(mistakesOf(site)).toEqual([])
  const { models } = install(site)
  expect(models.at(-1)).toMatchObject({ path: 'visits', table: 'site_visits' })
  const tables = buildTables(models)
  const visit = tables.get('visits')
  expect(visit && getTableName(visit)).toBe('site_visits')
  expect(Object.keys(tables.get('organisations') ?? {})).toContain('xCustomerNumber')
  const { fields, actions } = models.find(({ path }) => path === 'organisations') ?? {}
  expect(Object.keys(fields ?? {}).at(-1)).toBe('xCustomerNumber')
  expect(actions).toHaveProperty('call')
  expect(organisations.fields).not.toHaveProperty('xCustomerNumber')
})

test('a site replaces how a product model is shown, key by key; without it the product’s stays', () => {
  const list = { columns: ['subject', 'tags'] }
  const glance = [{ field: 'dueAt' }]
  const site = {
    extensions: [extendModel(tickets, { list }), extendModel(tickets, { glance, icon: 'box' })],
  }
  expect(mistakesOf(site)).toEqual([])
  const found = install(site).models.find(({ path }) => path === 'tickets')
  expect(found).toMatchObject({ list, glance, icon: 'box', sections: tickets.sections })
  expect(found?.list).not.toHaveProperty('empty')
  expect(tickets.list?.columns).not.toEqual(list.columns)
})

test('behaviours of one model run product first, then site', () => {
  const { behaviours } = install({ behaviours: [extendBehaviour(tickets, { validate: () => [] })] })
  const own = behaviours.filter(({ path }) => path === 'tickets')
  expect(own).toHaveLength(2)
  expect(own[0]?.actions).toHaveProperty('close')
})

test.each<[name: string, site: Site, mistake: string]>([
  [
    'an address that is the product’s',
    { models: [defineModel({ ...facts, path: 'tickets' })] },
    `site: the address "tickets" is the product's. Give your model another path, and keep its table with table: 'site_tickets'`,
  ],
  [
    'a route name that is the product’s',
    { models: [defineModel({ ...facts, path: 'visits', routeName: 'assets' })] },
    `site: the address "assets" is the product's. Give your model another path, and keep its table with table: 'site_visits'`,
  ],
  [
    'a table among the product’s',
    { models: [defineModel({ ...facts, path: 'visits', table: 'visits' })] },
    'site: the table of "visits" must begin with site_',
  ],
  [
    'a field without the site’s prefix',
    { extensions: [extendModel(organisations, { fields: { customerNumber: number } })] },
    'site: field "customerNumber" added to "organisations" must begin with x, as in xCustomerNumber',
  ],
  [
    'an action the product has',
    {
      extensions: [
        extendModel(tickets, {
          actions: { close: { label: 'End', access: 'admin', done: 'Ended.' } },
        }),
      ],
    },
    'site: action "close" of "tickets" is the product\'s',
  ],
  [
    'an unknown field as a column',
    { extensions: [extendModel(tickets, { list: { columns: ['subject', 'colour'] } })] },
    'tickets: list columns: unknown field "colour"',
  ],
  [
    'an extension of a missing model',
    { extensions: [extendModel(visits(), { fields: { xOne: number } })] },
    'site: there is no model "visits" to extend',
  ],
  [
    'an action without a function',
    { extensions: [extended] },
    'organisations: action "call" has no function in a behaviour',
  ],
  [
    'an action written twice',
    { extensions: [extended], behaviours: [calling, calling] },
    'organisations: action "call" has two functions',
  ],
  [
    'a computed field written twice',
    { behaviours: [extendBehaviour(tickets, { computed: { closedAt: () => null } })] },
    'tickets: computed field "closedAt" has two functions',
  ],
  [
    'a behaviour without its model',
    { behaviours: [defineBehaviour(visits(), {})] },
    'visits: behaviour without a model',
  ],
])('a site with %s is rejected with an error that names it', (_name, site, mistake) => {
  expect(mistakesOf(site)).toContain(mistake)
})
