import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, startTest, type Test } from '../../../test/kit.ts'

// Regressions found by `npm run drill -- fuzz`.
let api: Test
beforeAll(async () => {
  api = await startTest()
})
afterAll(() => api.stop())

test.each([
  ['datetime', ['@now+2h', '2026-01-31T00:00:00Z']],
  ['date', ['@today', '@today-7d']],
  ['owner', ['@me']],
])('filter tokens are resolved inside an `in` list: %s in %j', async (field, values) => {
  await api.call('POST', '/api/kitchensink', ALICE, { body: { text: 'Mine' } })
  const filter = encodeURIComponent(JSON.stringify({ all: [[field, 'in', values]] }))
  const list = await api.call('GET', `/api/kitchensink?filter=${filter}`, ALICE)
  expect(list.status, list.text).toBe(200)
  expect(list.json.items.length > 0).toBe(field === 'owner')
})

test('@me matches nothing for anonymous callers', async () => {
  const filter = encodeURIComponent(JSON.stringify({ all: [['slug', 'in', ['@me']]] }))
  const body = {
    name: 'X',
    slug: 'null',
    category: 'Advisory',
    summary: 'X',
    description: 'X',
    published: true,
  }
  expect((await api.call('POST', '/api/services', ADMIN, { body })).status).toBe(201)
  expect((await api.call('GET', `/api/services?filter=${filter}`)).json.items).toEqual([])
})

test.each(['/api/models', '/api/openapi.json', '/api/services', '/api/services/form-metadata'])(
  '%s returns 405 for other methods, even if the request is invalid',
  async (url) => {
    for (const method of ['PATCH', 'QUERY', 'OPTIONS']) {
      const response = await api.call(method, url, ADMIN)
      expect([response.status, response.headers.get('allow')?.includes('GET')]).toEqual([405, true])
    }
  },
)

test('search length is counted in characters, not UTF-16 units', async () => {
  expect((await api.call('GET', '/api/services?q=W%F0%AD%A5%B7')).status).toBe(400)
  expect((await api.call('GET', '/api/services?q=ab%F0%AD%A5%B7')).status).toBe(200)
})

test('an empty parameter counts as absent', async () => {
  const list = await api.call('GET', '/api/services?limit=&after=&before=&filter=&total=&sort=&q=')
  expect(list.status, list.text).toBe(200)
})

test.each(['alerts=null', 'alerts=', 'alerts=true&alerts=true', 'after=x', 'after=x&alerts=true'])(
  'the list of undelivered emails rejects ?%s, as OpenAPI documents',
  async (query) => {
    const response = await api.call('GET', `/api/system/mails?${query}`, ADMIN)
    expect([response.status, response.json.code]).toEqual([400, 'invalid-query'])
  },
)

test('a UUID of any version is a valid cursor for undelivered emails', async () => {
  const after = '00000000-0000-0000-0000-00000000000f'
  expect((await api.call('GET', `/api/system/mails?after=${after}`, ADMIN)).status).toBe(200)
})

test.each([
  ['   ', 200],
  ['%20a%20', 400],
  [`${'%20'.repeat(50)}abc`, 200],
  [`${'%20'.repeat(98)}abc`, 400],
  ['%20'.repeat(100), 200],
  ['%20'.repeat(101), 400],
])('a search for "%s" is checked without surrounding blanks and returns %i', async (q, status) => {
  expect((await api.call('GET', `/api/services?q=${q}`)).status).toBe(status)
})

test('OpenAPI lists the visible fields of filters and views, and no hidden ones', async () => {
  const namesFor = async (who: Parameters<Test['call']>[2]) => {
    const { json } = await api.call('GET', '/api/openapi.json', who)
    const condition = json.components.schemas['tickets-condition']
    const view = json.paths['/api/me/views/tickets'].put.requestBody.content['application/json']
    return {
      filter: condition.anyOf.flatMap(
        (one: { prefixItems: { enum: string[] }[] }) => one.prefixItems[0]?.enum,
      ),
      columns: view.schema.properties.columns.items.enum,
    }
  }
  const [user, admin] = [await namesFor(ALICE), await namesFor(ADMIN)]
  for (const kind of ['filter', 'columns'] as const) {
    expect(user[kind]).toContain('subject')
  }
  expect(admin.filter).toContain('internalNotes')
  expect(user.filter).not.toContain('internalNotes')
  expect(user.columns).not.toContain('internalNotes')
})

test.each(['close', 'reply', 'restore'])(
  'a null body is rejected even if the body is optional: %s',
  async (action) => {
    const body = { fullName: 'A', email: 'a@example.test', subject: 'VPN', message: 'Slow' }
    const { json: created } = await api.call('POST', '/api/tickets', ADMIN, { body })
    for (const wrong of [null, [], 'x', 1, false]) {
      const { status, json } = await api.call(
        'POST',
        `/api/tickets/${created.id}/${action}`,
        ADMIN,
        {
          body: wrong,
        },
      )
      expect([wrong, status, json.code]).toEqual([wrong, 400, 'bad-request'])
    }
  },
)

test('an action without a body, or with an empty one, is accepted', async () => {
  const body = { fullName: 'A', email: 'a@example.test', subject: 'VPN', message: 'Slow' }
  const { json: created } = await api.call('POST', '/api/tickets', ADMIN, { body })
  const url = `/api/tickets/${created.id}`
  expect((await api.call('POST', `${url}/close`, ADMIN)).status).toBe(200)
  const headers = { 'content-type': 'application/json' }
  expect((await api.call('POST', `${url}/reopen`, ADMIN, { headers })).status).toBe(200)
  expect((await api.call('POST', `${url}/close`, ADMIN, { body: {} })).status).toBe(200)
})
