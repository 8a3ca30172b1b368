import type { Model } from '@gatehouse/model'
import { models, tickets } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { BEHAVIOURS } from '#product.ts'
import { checkBehaviours, type AnyBehaviour } from './compile-behaviours.ts'

const others = BEHAVIOURS.filter(({ path }) => path !== tickets.path)
const [own] = BEHAVIOURS.filter(({ path }) => path === tickets.path)
const without = (invalid: Partial<AnyBehaviour>) => ({ path: 'tickets', ...own, ...invalid })

test('the product’s behaviours implement everything its models declare', () => {
  expect(checkBehaviours(models, BEHAVIOURS)).toEqual([])
})

test('a declared but unimplemented function is reported at start-up', () => {
  expect(checkBehaviours([tickets], [])).toEqual([
    'tickets: computed field "contactDiffers" has no function in a behaviour',
    'tickets: computed field "dueAt" has no function in a behaviour',
    'tickets: computed field "closedAt" has no function in a behaviour',
    ...['reply', 'note', 'close', 'reopen'].map(
      (name) => `tickets: action "${name}" has no function in a behaviour`,
    ),
  ])
})

test('a function without a definition is reported, and inherited properties don’t count', () => {
  const invalid = without({
    expressions: { status: () => sql`true` },
    actions: { ...own?.actions, escalate: () => {} },
  })
  expect(checkBehaviours(models, [...others, invalid])).toEqual([
    'tickets: computed field "status" has no definition',
    'tickets: action "escalate" has no definition',
  ])
  const say = { label: 'Say', access: 'user', done: 'Said.' } as const
  const model: Model = { ...tickets, actions: { toString: say } }
  expect(checkBehaviours([model], [without({ actions: {} })])).toEqual([
    'tickets: action "toString" has no function in a behaviour',
  ])
})

test('duplicate functions and behaviours without a model are reported', () => {
  const second: AnyBehaviour = { path: 'tickets', actions: { close: () => {} } }
  expect(checkBehaviours(models, [...BEHAVIOURS, second])).toEqual([
    'tickets: action "close" has two functions',
  ])
  const mails = own?.mails ?? {}
  expect(checkBehaviours(models, [...BEHAVIOURS, { path: 'messages', mails }])).toEqual(
    Object.keys(mails).map((kind) => `mails: "${kind}" is defined twice`),
  )
  expect(checkBehaviours(models, [...BEHAVIOURS, { path: 'ghosts' }])).toEqual([
    'ghosts: behaviour without a model',
  ])
})

test('a model whose behaviour sends mail must declare the mail relay as a privacy recipient', () => {
  const about = sql`null`
  const assetMail = { about, facts: async () => null, text: () => ({ subject: '', text: '' }) }
  const mailing: AnyBehaviour = { path: 'assets', mails: { 'asset-gone': assetMail } }
  expect(checkBehaviours(models, [...BEHAVIOURS, mailing])).toEqual([
    "assets: privacy.recipients must include 'mail', because its behaviour sends email",
  ])
})
