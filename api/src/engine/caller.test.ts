import { defineModel, np, type Claims } from '@gatehouse/model'
import { claims as productClaims, models } from '@gatehouse/model/models'
import { afterEach, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Test } from '../../test/kit.ts'
import type { ClaimsOf } from './engine.ts'

// Claims unknown to the product: users belong to teams, and see their team's notes.
const access = {
  list: 'user',
  get: 'user',
  create: 'user',
  update: 'user',
  delete: 'admin',
} as const
const privacy = { subject: 'none', retention: 'relationship', onErase: 'null' } as const
const teams = defineModel({
  name: 'Team',
  title: 'Teams',
  path: 'teams',
  displayField: 'name',
  access: { ...access, create: 'admin', update: 'admin' },
  rowScope: { team: 'id' },
  privacy,
  fields: { name: { type: 'text', label: 'Name', required: true, privacy: np } },
})
const notes = defineModel({
  name: 'Note',
  title: 'Notes',
  path: 'notes',
  displayField: 'text',
  defaultSort: 'text',
  access,
  rowScope: { team: 'team' },
  privacy,
  fields: {
    text: {
      type: 'text',
      label: 'Text',
      required: true,
      sortable: true,
      scopedSort: true,
      privacy: np,
    },
    team: {
      type: 'relation',
      label: 'Team',
      to: 'teams',
      onDelete: 'unlink',
      writableBy: 'admin',
      stamp: 'team',
      privacy: np,
    },
  },
})
const claims: Claims = { ...productClaims, team: { holds: { idOf: 'teams' }, keptIn: 'org' } }

let t: Test
let claimsBySub: Record<string, ClaimsOf>
const ids: Record<'red' | 'blue' | 'green', string> = { red: '', blue: '', green: '' }

async function start(hasLookup: boolean) {
  claimsBySub = {}
  const claimsOf = async ({ sub }: { sub: string }) => claimsBySub[sub] ?? {}
  t = await startTest({
    models: [...models, teams, notes],
    identity: { claims, ...(hasLookup ? { claimsOf } : {}) },
  })
  for (const name of ['red', 'blue', 'green'] as const) {
    ids[name] = (await t.call('POST', '/api/teams', ADMIN, { body: { name } })).json.id
  }
}
afterEach(() => t.stop())

const write = async (text: string, team: string) =>
  (await t.call('POST', '/api/notes', ADMIN, { body: { text, team } })).json.id
const textsOf = async (person: typeof ALICE) =>
  (await t.call('GET', '/api/notes', person)).json.items.map(({ text }: { text: string }) => text)

test('without resolved claims, only admins see rows of a model with a row scope', async () => {
  await start(false)
  const id = await write('a', ids.red)
  expect(await textsOf(ADMIN)).toEqual(['a'])
  expect(await textsOf(ALICE)).toEqual([])
  for (const part of ['', '/history', '/about'])
    expect((await t.call('GET', `/api/notes/${id}${part}`, ALICE)).status).toBe(404)
  expect((await t.call('GET', `/api/notes/${id}/history`, ADMIN)).json.items).toMatchObject([
    { version: 1, by: null },
  ])
})

test('a caller with several values of a claim sees the rows of each, in one order', async () => {
  await start(true)
  claimsBySub = { [ALICE.sub]: { team: [ids.red, ids.blue] }, [BOB.sub]: { team: [ids.green] } }
  for (const [text, team] of ['red', 'blue', 'green', 'red', 'blue'].entries())
    await write(String(text), ids[team as keyof typeof ids])
  expect(await textsOf(ALICE)).toEqual(['0', '1', '3', '4'])
  expect(await textsOf(BOB)).toEqual(['2'])
})

test('a version is checked against the claim stored with it', async () => {
  await start(true)
  claimsBySub = { [ALICE.sub]: { team: [ids.red] }, [BOB.sub]: { team: [ids.blue] } }
  const id = await write('a', ids.red)
  const move = { body: { text: 'b', team: ids.blue } }
  await t.call('PUT', `/api/notes/${id}`, ADMIN, move)
  const { json } = await t.call('GET', `/api/notes/${id}/history`, BOB)
  expect(json.items).toMatchObject([{ version: 2, changes: [{ before: null, after: 'b' }] }])
  expect((await t.call('GET', `/api/notes/${id}/history`, ALICE)).status).toBe(404)
})

test('a stamp is the claim’s only value, or null if it has several', async () => {
  await start(true)
  claimsBySub = { [ALICE.sub]: { team: [ids.red, ids.blue] }, [BOB.sub]: { team: [ids.green] } }
  const stamped = async (person: typeof ALICE) => {
    const created = await t.call('POST', '/api/notes', person, { body: { text: 'new' } })
    const read = await t.call('GET', `/api/notes/${created.json.id}`, ADMIN)
    return read.json.team
  }
  expect(await stamped(BOB)).toBe(ids.green)
  expect(await stamped(ALICE)).toBeNull()
})
