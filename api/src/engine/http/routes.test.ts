import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, startTest, type Test } from '../../../test/kit.ts'

let api: Test
beforeAll(async () => {
  api = await startTest()
})
afterAll(() => api.stop())

test('[API-01] [API-02] [API-04] [API-05] a record can be created, read, listed, updated and deleted', async () => {
  const created = await api.call('POST', '/api/organisations', ADMIN, { body: { name: 'Acme' } })
  expect(created.status, created.text).toBe(201)
  const url = `/api/organisations/${created.json.id}`
  expect(created.headers.get('location')).toBe(url)
  expect(created.json).toMatchObject({
    name: 'Acme',
    country: 'IE',
    relationship: 'prospect',
    version: 1,
  })
  const read = await api.call('GET', url, ADMIN)
  expect(read.json).toEqual(created.json)
  expect(read.headers.get('etag')).toBe('"1"')
  const list = await api.call('GET', '/api/organisations', ADMIN)
  expect(list.json.items).toHaveLength(1)
  expect(list.json.total).toEqual({ count: 1, exact: true })
  const changed = await api.call('PUT', url, ADMIN, { body: { name: 'Acme Ltd' } })
  expect(changed.json, changed.text).toMatchObject({ name: 'Acme Ltd', version: 2, country: 'IE' })
  expect((await api.call('DELETE', url, ADMIN)).status).toBe(204)
  expect((await api.call('GET', url, ADMIN)).json).toMatchObject({
    code: 'record-not-found',
    detail: 'Record not found',
  })
})

test('a ticket’s client comes from the token, not from the body', async () => {
  const body = {
    fullName: 'A',
    email: 'a@example.test',
    subject: 'Help',
    message: 'Please',
    clientId: 'someone-else',
  }
  const created = await api.call('POST', '/api/tickets', ALICE, { body })
  expect(created.status, created.text).toBe(201)
  expect(created.json).toMatchObject({
    clientId: ALICE.sub,
    clientName: 'Alice',
    status: 'New',
    contactType: 'Query',
    number: 1,
  })
  expect(Date.parse(created.json.dueAt) - Date.parse(created.json.openedAt)).toBe(8 * 3_600_000)
  expect(created.json).not.toHaveProperty('internalNotes')
})
