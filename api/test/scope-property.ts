import fc from 'fast-check'
import { expect } from 'vitest'
import { ABOUT_SCHEMA } from '#engine/history/about.ts'
import {
  expectAbsent,
  expectAlike,
  expectPage,
  expectRecord,
  expectSameAsAbsent,
  expectStored,
  expectUnknownField,
  load,
  send,
  totalOf,
  type Api,
  type Sent,
} from './scope-assertions.ts'
import { buildOracle, byText, SENTENCES, type Action, type Row } from './scope-oracle.ts'
import {
  drawAction,
  drawBody,
  drawChanges,
  drawName,
  drawPath,
  drawPerson,
  drawQuestion,
  drawRow,
  fieldsOf,
  isRelation,
  relationsOf,
  withoutHidden,
  type Asking as Question,
} from './scope-generators.ts'
import { happens, oneOf } from './scope-random.ts'
import { FIXTURE_MODELS, type ScopeFixture } from './scope-fixture.ts'

type Asking = Question & { api: Api }

const PAGES_MAX = 2
/**
 * Sends random requests as random callers and compares each response with the oracle's. The oracle applies the same changes, so
 * later requests see them.
 */
export async function checkRandomRequests(
  api: Api,
  world: ScopeFixture,
  { seed, runs }: { seed: number; runs: number },
) {
  await sendFirstRequests(api, world)
  const oracle = buildOracle(FIXTURE_MODELS, world.rows, world.today)
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (draw) => {
      const person = drawPerson(draw, world)
      const action = drawAction(draw)
      const path = drawPath(draw, oracle, person, action)
      await ASK[action]({ api, world, oracle, draw, person, path })
    }),
    // No shrinking: responses depend on earlier requests.
    { seed, numRuns: runs, endOnFailure: true, unbiased: true },
  )
}

/** Sends each person's first request of the day, which creates their account and touches the linked contact. */
async function sendFirstRequests(api: Api, { people, rows }: ScopeFixture) {
  for (const person of people) await api.call('GET', '/api/models', person)
  for (const path of ['accounts', 'contacts'].filter((path) => rows.has(path)))
    for (const { id } of await api.database.sql(`select id from ${path}`)) {
      const known = rows.get(path)?.find((row) => row.id === id)
      const row = await load(api, path, id)
      if (known) Object.assign(known, row)
      else rows.get(path)?.push(row)
    }
}

/** Checks that model definitions and OpenAPI mention no hidden field, for each role. */
export async function checkDefinitions(api: Api, world: ScopeFixture) {
  const oracle = buildOracle(FIXTURE_MODELS, world.rows, world.today)
  for (const person of world.people.filter((one) => /admin|plain|^$/.test(one?.sub ?? ''))) {
    const definitions = (await api.call('GET', '/api/models', person)).json
    const { paths, components } = (await api.call('GET', '/api/openapi.json', person)).json
    for (const { path, routeName, menu } of FIXTURE_MODELS) {
      const about = `${path} for ${person?.sub ?? 'nobody'}`
      const visible = oracle.visibleFields(person, path).map(([name]) => name)
      const definition = definitions.find((one: { path: string }) => one.path === path)
      expect(definition !== undefined, about).toBe(menu || person?.role === 'admin')
      if (definition)
        expect(namesIn(definition.viewData), about).toEqual(
          oracle.mayRead(person, path) ? visible : [],
        )

      const form = await api.call('GET', `/api/${path}/form-metadata`, person)
      expect(form.status === 200, about).toBe(oracle.mayFill(person, path))
      if (form.status === 200)
        expect(
          namesIn(form.json).filter((name) => !oracle.isWritable(person, path, name)),
          about,
        ).toEqual([])

      const addresses = Object.entries<PathItem>(paths).filter(([url]) =>
        [path, routeName].includes(url.split('/')[2] ?? ''),
      )
      // The schema shared by all models names no field, but has its own `actions`.
      for (const { get } of addresses.filter(isAbout).map(([, item]) => item)) {
        expect(get?.responses?.['200'], about).toEqual(ABOUT_ANSWER)
        delete get?.responses?.['200']
      }
      const told = JSON.stringify([
        addresses,
        Object.entries(components.schemas).filter(([name]) => name.startsWith(`${path}-`)),
      ])
      for (const name of oracle.hiddenFields(person, path))
        expect(told, about).not.toMatch(new RegExp(`"-?${name}"`))
      const parameters: { name: string }[] = paths[`/api/${path}`]?.get?.parameters ?? []
      expect(
        parameters.some(({ name }) => name === 'q'),
        about,
      ).toBe(oracle.refusal(person, path, 'list') === 0 && oracle.isSearchable(person, path))
    }
  }
}

type PathItem = { get?: { responses?: Record<string, unknown> } }

const isAbout = ([url]: [string, PathItem]) => url.endsWith('/{id}/about')
const ABOUT_ANSWER = {
  description: 'Metadata',
  content: { 'application/json': { schema: ABOUT_SCHEMA } },
}

const namesIn = ({ fields }: { fields: { name: string }[] }) => fields.map(({ name }) => name)

const ASK = {
  list: askList,
  get: askGet,
  create: askCreate,
  update: askUpdate,
  delete: askDelete,
} satisfies Record<Action, (asking: Asking) => Promise<void>>

async function askList(asking: Asking) {
  const { oracle, draw, person, path } = asking
  const question = drawQuestion(asking)
  const limit = oneOf(draw, [undefined, 1, 2, 5, 10, 100])
  const total = oneOf(draw, [undefined, 'capped', 'exact', 'none'])
  const url = (more: Record<string, string> = {}, asked = question) =>
    `/api/${drawName(asking)}?${new URLSearchParams({
      ...(asked.sort === undefined ? {} : { sort: asked.sort }),
      ...(asked.filter === undefined ? {} : { filter: JSON.stringify(asked.filter) }),
      ...(asked.q === undefined ? {} : { q: asked.q }),
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(total === undefined ? {} : { total }),
      ...more,
    })}`
  const first = await send(asking, 'GET', url())
  const refused = oracle.refusal(person, path, 'list')
  if (refused !== 0) return expect(first.status, first.about).toBe(refused)
  const expected = oracle.list(person, path, question)
  if (expected === null) {
    expect(first.status, first.about).toBe(400)
    const unknown = await send(asking, 'GET', url({}, withoutHidden(asking, question)))
    return expectAlike(first, unknown)
  }

  const size = limit ?? 25
  let page = first
  for (let place = 0; place < PAGES_MAX; place++) {
    const rows = expected.slice(place * size, (place + 1) * size)
    expectPage(asking, page, rows)
    expect(page.json.total, page.about).toEqual(totalOf(expected.length, total))
    const isLast = expected.length <= (place + 1) * size
    expect(page.json.next === null, page.about).toBe(isLast)
    expect(page.json.previous === null, page.about).toBe(place === 0)
    if (place > 0) {
      const before = await send(asking, 'GET', url({ before: page.json.previous }))
      expectPage(asking, before, expected.slice((place - 1) * size, place * size))
    }
    if (isLast) break
    page = await send(asking, 'GET', url({ after: page.json.next }))
  }
}

/** Invisible relations in field order, like errors. */
const badRelations = ({ oracle, person, path }: Asking, body: Record<string, unknown>) =>
  fieldsOf(path)
    .map(([name]) => name)
    .filter((name) => name in body && isRelation(path, name))
    .filter((name) => !oracle.mayPointAt(person, path, name, body[name]))

async function askGet(asking: Asking) {
  const { oracle, person, path } = asking
  const row = drawRow(asking)
  const url = `/api/${drawName(asking)}/${row.id}`
  const answer = await send(asking, 'GET', url)
  const refused = oracle.refusal(person, path, 'get')
  if (refused !== 0) return expect(answer.status, answer.about).toBe(refused)
  if (!oracle.sees(person, path, row)) {
    await expectAbsent(asking, answer, 'GET')
    return askLinks(asking, row)
  }
  expect(answer.status, answer.about).toBe(200)
  expectRecord(answer, answer.json, oracle.read(person, path, row))
  await askLinks(asking, row)
}

/** Links to files follow the record and its fields. */
async function askLinks(asking: Asking, row: Row) {
  const { oracle, person, path } = asking
  if (!fieldsOf(path).some(([, field]) => field.type === 'file')) return
  const answer = await send(asking, 'POST', `/api/${drawName(asking)}/${row.id}/file-links`)
  if (!oracle.sees(person, path, row)) return expectAbsentFiles(asking, answer)
  expect(answer.status, answer.about).toBe(200)
  const ids: string[] = answer.json.items.map(({ id }: { id: string }) => id)
  expect(ids.toSorted(byText), answer.about).toEqual(oracle.linked(person, path, row))
}

/** Like a record that never was, even where the files of one in the trash are still stored. */
async function expectAbsentFiles(asking: Asking, answer: Sent) {
  // Staff read the trash.
  if (asking.person?.role === 'admin' && answer.status === 200) return
  expect(answer.status, answer.about).toBe(404)
  const url = `/api/${asking.path}/${asking.draw(fc.uuid)}/file-links`
  expectAlike(answer, await send(asking, 'POST', url))
}

async function askUpdate(asking: Asking) {
  const { api, oracle, draw, person, path } = asking
  const row = drawRow(asking)
  const body = drawChanges(asking, row)
  const url = `/api/${drawName(asking)}/${row.id}`
  const isStale = happens(draw, 10)
  const options = { body, ...(isStale ? { headers: { 'if-match': '"0"' } } : {}) }
  const answer = await send(asking, 'PUT', url, options)
  const refused = oracle.refusal(person, path, 'update')
  if (refused !== 0) return expect(answer.status, answer.about).toBe(refused)
  if (!Object.keys(body).every((name) => oracle.isWritable(person, path, name)))
    return expectUnknownField(asking, answer, 'PUT', url, body)
  if (!oracle.sees(person, path, row)) {
    await expectAbsent(asking, answer, 'PUT', body)
    return expectStored(asking, row, row)
  }
  if (isStale) {
    expect(answer.status, answer.about).toBe(412)
    return expectRecord(answer, answer.json.current, oracle.read(person, path, row))
  }
  const changes = Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) =>
        !(name in oracle.setByServer(person, path)) &&
        // An invisible relation reads as null, and is kept when null is sent back.
        !(value === null && isRelation(path, name) && !oracle.lookUp(person, path, row, name)),
    ),
  )
  const bad = badRelations(asking, changes)
  if (bad.length > 0) {
    await expectSameAsAbsent(asking, answer, bad, (absent) =>
      send(asking, 'PUT', url, { body: { ...body, ...absent } }),
    )
    return expectStored(asking, row, row)
  }
  if (oracle.isFixed(path, row, changes)) {
    expect(answer.status, answer.about).toBe(422)
    return expectStored(asking, row, row)
  }
  const { derived = [] } = SENTENCES[path] ?? {}
  const isDeriving = derived.some((name) => name in changes)
  if (isDeriving && answer.status === 422) return expectStored(asking, row, row)
  expect(answer.status, answer.about).toBe(200)
  const before = { ...row }
  Object.assign(row, await load(api, path, row.id))
  const set = isDeriving ? pick(row, derived) : {}
  await expectStored(asking, row, { ...before, ...set, ...changes })
  await follow(asking, row)
  expectRecord(answer, answer.json, oracle.read(person, path, row))
}

const pick = (row: Row, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]]))

async function askDelete(asking: Asking) {
  const { oracle, person, path } = asking
  const row = drawRow(asking)
  const answer = await send(asking, 'DELETE', `/api/${drawName(asking)}/${row.id}`)
  const refused = oracle.refusal(person, path, 'delete')
  if (refused !== 0) return expect(answer.status, answer.about).toBe(refused)
  if (!oracle.sees(person, path, row)) {
    await expectAbsent(asking, answer, 'DELETE')
    return expectStored(asking, row, row)
  }
  const leaving = oracle.leaving(path, row)
  expect(answer.status, answer.about).toBe(leaving === null ? 409 : 204)
  for (const one of leaving ?? []) one.deletedAt = new Date().toISOString()
}

/** A message or a contact changes its tickets, and a ticket from an unknown address creates a contact. */
async function follow({ api, oracle, path }: Asking, row: Row) {
  const isChanged = (ticket: Row) =>
    (path === 'messages' && ticket.id === row['ticket']) ||
    (path === 'contacts' && ticket['contact'] === row.id)
  for (const ticket of oracle.rowsOf('tickets').filter(isChanged))
    Object.assign(ticket, await load(api, 'tickets', ticket.id))
  const contacts = oracle.rowsOf('contacts')
  if (path === 'tickets' && row['contact'] && !contacts.some(({ id }) => id === row['contact']))
    contacts.push(await load(api, 'contacts', String(row['contact'])))
}

async function askCreate(asking: Asking) {
  const { api, oracle, draw, person, path } = asking
  const body = drawBody(asking)
  const url = `/api/${drawName(asking)}`
  const isKeyed = happens(draw, 30)
  const options = { body, ...(isKeyed ? { headers: { 'idempotency-key': draw(fc.uuid) } } : {}) }
  const answer = await send(asking, 'POST', url, options)
  const refused = oracle.refusal(person, path, 'create')
  if (refused !== 0) return expect(answer.status, answer.about).toBe(refused)
  if (!Object.keys(body).every((name) => oracle.isWritable(person, path, name)))
    return expectUnknownField(asking, answer, 'POST', url, body)
  const set = oracle.setByServer(person, path)
  const given = Object.fromEntries(Object.entries(body).filter(([name]) => !(name in set)))
  const bad = badRelations(asking, given)
  if (bad.length > 0)
    return expectSameAsAbsent(asking, answer, bad, (absent) =>
      send(asking, 'POST', url, { body: { ...body, ...absent } }),
    )
  const { derived = [] } = SENTENCES[path] ?? {}
  const isDeriving = derived.some((name) => name in given)
  if (isDeriving && answer.status === 422) return
  expect(answer.status, answer.about).toBe(201)
  const row = await load(api, path, answer.json.id)
  if (oracle.makesContact(person, path, body)) {
    expect(oracle.rowsOf('contacts').map(({ id }) => id)).not.toContain(row['contact'])
    set['contact'] = expect.any(String)
  }
  const owner = SENTENCES[path]?.scope?.owner ?? 'id'
  expect(row, answer.about).toMatchObject({
    [owner]: row[owner],
    ...relationsOf(path, given),
    ...set,
  })
  // An owner field left empty by an admin remains empty, unless hooks derive it.
  if (owner !== 'id' && !(owner in set) && !isDeriving)
    expect(row[owner], answer.about).toBe(given[owner] ?? null)
  oracle.rowsOf(path).push(row)
  await follow(asking, row)
  expectRecord(answer, answer.json, oracle.read(person, path, row))
  if (isKeyed) expect((await send(asking, 'POST', url, options)).json).toEqual(answer.json)
}
