import type { Model } from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Person, type Test } from '../../../test/kit.ts'
import { createOne, modelAt } from '../../../test/sample-records.ts'

const { parent } = kitchensink.fields
/** Counts by a field that only admins see. */
const sinks: Model = {
  ...kitchensink,
  fields: { ...kitchensink.fields, parent: { ...parent, covers: ['secret'] } },
  glance: [
    {
      related: 'kitchensink.parent',
      where: { all: [['secret', 'eq', 'Known']] },
      label: 'secret children',
    },
    { related: 'kitchensink.parent', label: 'children' },
  ],
}

let t: Test
beforeAll(async () => {
  t = await startTest({ models: [...models, sinks] })
})
afterAll(() => t.stop())

const get = (path: string, by: Person = ADMIN) => t.call('GET', `/api/${path}`, by)
const make = (path: string, changes: object = {}) => createOne(t, modelAt(path), ADMIN, changes)

describe('GET /:id/about', () => {
  test('GET /:id/about shows admins the record’s creator and last editor', async () => {
    const { json } = await t.call('POST', '/api/kitchensink', ALICE, { body: { text: 'Mine' } })
    await t.call('PUT', `/api/kitchensink/${json.id}`, ADMIN, { body: { text: 'Ours' } })
    expect((await get(`kitchensink/${json.id}/about`)).json).toEqual({
      createdBy: { name: 'Alice', isYou: false },
      updatedBy: { name: 'Ada Admin', isYou: true },
      referrers: [],
      facts: [
        { related: 'kitchensink.parent', label: 'secret children', count: 0, exact: true },
        { related: 'kitchensink.parent', label: 'children', count: 0, exact: true },
      ],
      deleteRefusal: null,
      actions: [],
    })
  })

  test('GET /:id/about lists the actions possible now, none for a record in the trash', async () => {
    const id = await make('tickets', { clientId: ALICE.sub, status: 'New' })
    const possible = async (by: Person) => (await get(`tickets/${id}/about`, by)).json.actions
    expect(await possible(ALICE)).toEqual(['reply', 'close'])
    expect(await possible(ADMIN)).toEqual(['reply', 'note', 'close'])
    await t.call('POST', `/api/tickets/${id}/close`, ALICE)
    expect(await possible(ALICE)).toEqual(['reply', 'reopen'])
    await t.call('DELETE', `/api/tickets/${id}`, ADMIN)
    expect(await possible(ADMIN)).toEqual([])
  })

  test('GET /:id/about shows non-admins whether they were the actor, without a name', async () => {
    const { json } = await t.call('POST', '/api/kitchensink', ALICE, { body: { text: 'Mine' } })
    await t.call('PUT', `/api/kitchensink/${json.id}`, ADMIN, { body: { text: 'Ours' } })
    expect((await get(`kitchensink/${json.id}/about`, ALICE)).json).toMatchObject({
      createdBy: { name: null, isYou: true },
      updatedBy: { name: null, isYou: false },
    })
  })

  test('GET /:id/about has no name for erased and deleted accounts, and no creator if none is recorded', async () => {
    const { json } = await t.call('POST', '/api/kitchensink', BOB, { body: { text: 'Mine' } })
    const about = async () => (await get(`kitchensink/${json.id}/about`)).json.createdBy
    await t.database.sql('update accounts set deleted_at = now() where sub = $1', [BOB.sub])
    expect(await about()).toEqual({ name: null, isYou: false })
    await t.database.sql('delete from subject_refs where sub = $1', [BOB.sub])
    expect(await about()).toEqual({ name: null, isYou: false })
    await t.database.sql('update kitchensink set created_by_ref = null where id = $1', [json.id])
    expect(await about()).toBeNull()
  })

  test('GET /:id/about returns why a record can’t be deleted, to callers with the right to delete', async () => {
    const refusal = async (startOn: string) => {
      const id = await make('contracts', { startOn, endOn: null })
      return (await get(`contracts/${id}/about`)).json.deleteRefusal
    }
    expect(await refusal('2020-01-01')).toBe(
      'A contract that has started can’t be deleted. Set its end date instead.',
    )
    expect(await refusal('2999-01-01')).toBeNull()
  })

  test('GET /:id/about counts referring records by relation, up to 100', async () => {
    const organisation = await make('organisations')
    await make('assets', { organisation })
    const trashed = await make('assets', { organisation })
    await t.call('DELETE', `/api/assets/${trashed}`, ADMIN)
    await t.database.sql(
      `insert into kitchensink (id, text, boolean, organisation)
        select gen_random_uuid(), 'Many', true, $1 from generate_series(1, 101)`,
      [organisation],
    )
    const { referrers } = (await get(`organisations/${organisation}/about`)).json
    expect(referrers).toEqual([
      {
        model: 'assets',
        field: 'organisation',
        label: 'Organisation',
        title: 'Assets',
        onDelete: 'restrict',
        count: 1,
        exact: true,
      },
      {
        model: 'kitchensink',
        field: 'organisation',
        label: 'Organisation',
        title: 'Kitchen sinks',
        onDelete: 'unlink',
        count: 100,
        exact: false,
      },
    ])
  })

  test('GET /:id/about counts only referring records the caller may see', async () => {
    const service = await make('services', { published: true })
    await make('articles', { service, published: true, expiresOn: null })
    await make('articles', { service, published: false })
    await make('tickets', { service })
    const referrers = async (by: Person) =>
      (await get(`services/${service}/about`, by)).json.referrers.map(
        (one: { model: string; count: number }) => `${one.model} ${one.count}`,
      )
    expect(await referrers(null)).toEqual(['articles 1'])
    expect(await referrers(ADMIN)).toEqual(['tickets 1', 'articles 2'])
  })

  test('GET /:id/about counts live records for the model’s facts, up to 100', async () => {
    const organisation = await make('organisations')
    const facts = async () => (await get(`organisations/${organisation}/about`)).json.facts
    const tickets = { related: 'tickets.organisation', label: 'open' }
    const incidents = { related: 'incidents.organisation', label: 'open' }
    expect(await facts()).toEqual([
      { ...tickets, count: 0, exact: true },
      { ...incidents, count: 0, exact: true },
    ])
    for (const status of ['New', 'Waiting for client', 'Resolved', 'Closed'])
      await make('tickets', { organisation, contact: null, status })
    const trashed = await make('tickets', { organisation, contact: null, status: 'New' })
    await t.call('DELETE', `/api/tickets/${trashed}`, ADMIN)
    await make('tickets', { status: 'New' })
    await make('incidents', { organisation, status: 'Triage' })
    expect(await facts()).toEqual([
      { ...tickets, count: 2, exact: true },
      { ...incidents, count: 1, exact: true },
    ])
    await t.database.sql(
      `insert into tickets (id, full_name, subject, contact_type, message, status, organisation)
        select gen_random_uuid(), 'Many', 'Many', 'Query', 'Many', 'Open', $1 from generate_series(1, 98)`,
      [organisation],
    )
    expect((await facts())[0]).toEqual({ ...tickets, count: 100, exact: true })
    await t.database.sql(
      `insert into tickets (id, full_name, subject, contact_type, message, status, organisation)
        values (gen_random_uuid(), 'One more', 'One more', 'Query', 'One more', 'Open', $1)`,
      [organisation],
    )
    expect((await facts())[0]).toEqual({ ...tickets, count: 100, exact: false })
  })

  test('GET /:id/about counts only records the caller may see for the model’s facts', async () => {
    const organisation = await make('organisations')
    const link = async (portalRole: string) => {
      const id = await make('contacts', { organisation, portalRole, active: true })
      const sub = `sub-facts-${portalRole}`
      await t.database.sql('update contacts set user_sub = $1 where id = $2', [sub, id])
      return { sub, name: portalRole, role: 'user' as const }
    }
    const [viewer, manager] = [await link('viewer'), await link('manager')]
    const body = { fullName: 'V', email: 'v@example.test', subject: 'Mine', message: 'Mine' }
    await t.call('POST', '/api/tickets', viewer, { body })
    await make('tickets', { organisation, contact: null, status: 'Open' })
    await make('incidents', { organisation, status: 'New' })
    const counts = async (by: Person) =>
      (await get(`organisations/${organisation}/about`, by)).json.facts.map(
        ({ related, count }: { related: string; count: number }) => `${related} ${count}`,
      )
    expect(await counts(viewer)).toEqual(['tickets.organisation 1', 'incidents.organisation 1'])
    expect(await counts(manager)).toEqual(['tickets.organisation 2', 'incidents.organisation 1'])
    expect(await counts(ADMIN)).toEqual(['tickets.organisation 2', 'incidents.organisation 1'])
  })

  test('GET /:id/about leaves out a fact whose condition uses a field hidden from the caller', async () => {
    const { json } = await t.call('POST', '/api/kitchensink', ALICE, { body: { text: 'Mother' } })
    const child = { text: 'Child', parent: json.id, owner: ALICE.sub, secret: 'Known' }
    await t.call('POST', '/api/kitchensink', ADMIN, { body: child })
    const labels = async (by: Person) =>
      (await get(`kitchensink/${json.id}/about`, by)).json.facts.map(
        ({ label, count }: { label: string; count: number }) => `${count} ${label}`,
      )
    expect(await labels(ADMIN)).toEqual(['1 secret children', '1 children'])
    expect(await labels(ALICE)).toEqual(['1 children'])
  })

  test('GET /:id/about returns the same 404 for invisible and missing records', async () => {
    const id = await make('organisations')
    const absent = '018f3b1c-0000-7000-8000-0000000000ff'
    for (const part of ['about', 'neighbours', 'history']) {
      const [foreign, none] = [
        await get(`organisations/${id}/${part}`, ALICE),
        await get(`organisations/${absent}/${part}`, ALICE),
      ]
      expect(foreign.status).toBe(404)
      expect({ ...foreign.json, requestId: '' }).toEqual({ ...none.json, requestId: '' })
    }
  })

  test('/:id/about rejects methods other than GET', async () => {
    for (const part of ['about', 'neighbours', 'history'])
      expect((await t.call('POST', `/api/services/x/${part}`, ADMIN)).status).toBe(405)
  })
})

describe('GET /:id/neighbours', () => {
  const PERSON = { sub: 'sub-neighbour', name: 'Nell', role: 'user' as const }
  const numbers = [3, 1, null, 2, 2, null, 1, 3, 2]
  beforeAll(async () => {
    for (const [place, integer] of numbers.entries()) {
      const body = { text: `Place ${place % 2 === 0 ? 'even' : 'odd'} ${place}`, integer }
      await t.call('POST', '/api/kitchensink', place === 4 ? ALICE : PERSON, { body })
    }
  })

  const filter = encodeURIComponent(JSON.stringify({ all: [['integer', 'gte', 2]] }))
  // Only admins may sort by fields that aren't indexed with the owner.
  test.each<[string, Person]>([
    ['', PERSON],
    ['sort=-text', PERSON],
    [`filter=${filter}`, PERSON],
    ['q=odd', PERSON],
    ['sort=integer&q=Place', ADMIN],
    ['sort=-integer&q=Place', ADMIN],
  ])('GET /:id/neighbours agrees with the list at every position: %s', async (query, person) => {
    const { json } = await get(`kitchensink?limit=100&${query}`, person)
    const ids: string[] = json.items.map((item: { id: string }) => item.id)
    expect(ids.length).toBeGreaterThan(2)
    for (const [place, id] of ids.entries()) {
      const beside = await get(`kitchensink/${id}/neighbours?${query}`, person)
      expect([place, beside.json]).toEqual([
        place,
        { previous: ids[place - 1] ?? null, next: ids[place + 1] ?? null },
      ])
    }
  })

  test('GET /:id/neighbours works for a record the list no longer contains', async () => {
    const { items } = (await get('kitchensink?limit=100&sort=text', PERSON)).json
    const [first, second, third] = items.filter(({ text }: { text: string }) => /odd/.test(text))
    const only = encodeURIComponent(JSON.stringify({ all: [['text', 'ne', second.text]] }))
    const url = `kitchensink/${second.id}/neighbours?sort=text&q=odd&filter=${only}`
    expect((await get(url, PERSON)).json).toEqual({ previous: first.id, next: third.id })
  })

  test('GET /:id/neighbours accepts visible fields only, and the trash only with the right to delete', async () => {
    const { items } = (await get('kitchensink', PERSON)).json
    const url = `kitchensink/${items[0].id}/neighbours`
    expect((await get(`${url}?sort=secret`, PERSON)).status).toBe(400)
    expect((await get(`${url}?trash=true`, PERSON)).status).toBe(403)
    expect((await get(`${url}?trash=true`)).status).toBe(404)
    const [one, two] = [await make('articles'), await make('articles')]
    for (const id of [one, two]) await t.call('DELETE', `/api/articles/${id}`, ADMIN)
    const beside = await get(`articles/${one}/neighbours?trash=true`)
    expect(beside.json).toEqual({ previous: two, next: null })
  })
})
