import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ADMIN,
  ALICE,
  startTest,
  TECHNICIAN,
  WITH_OWNERS,
  type Person,
  type Test,
} from '../test/kit.ts'
import { createOne, modelAt } from '../test/sample-records.ts'

let api: Test
let contract: string
let service: string
beforeAll(async () => {
  api = await startTest({ settings: WITH_OWNERS })
  service = await createOne(api, modelAt('services'), ADMIN, { published: true })
  contract = await createOne(api, modelAt('contracts'), ADMIN, { monthlyFee: 100, service })
})
afterAll(() => api.stop())

async function make(path: string, body: object, as: Person) {
  const { status, json } = await api.call('POST', `/api/${path}`, as, { body })
  expect(status).toBe(201)
  return json.id as string
}

const put = (path: string, body: object, as: Person) =>
  api.call('PUT', `/api/${path}`, as, { body })
const undo = (operation: string | null, as: Person) =>
  api.call('POST', `/api/operations/${operation}/undo`, as)
const feeNow = async () =>
  (await api.call('GET', `/api/contracts/${contract}`, ADMIN)).json.monthlyFee

test('a technician can write a contract’s other fields and read its owner-only ones', async () => {
  const changed = await put(`contracts/${contract}`, { noticeDays: 60 }, TECHNICIAN)
  expect([changed.status, changed.json.noticeDays, changed.json.monthlyFee]).toEqual([200, 60, 100])
})

test.each([
  ['a contract’s fee', 'contracts', () => contract, { monthlyFee: 1 }],
  ['a contract’s currency', 'contracts', () => contract, { currency: 'CHF' }],
  ['a service’s published flag', 'services', () => service, { published: false }],
])('a technician can’t change %s by update, undo or restore', async (_, path, id, body) => {
  const [field = ''] = Object.keys(body)
  const refused = await put(`${path}/${id()}`, body, TECHNICIAN)
  expect([refused.status, refused.json.errors[0].field]).toEqual([422, field])
  const changed = await put(`${path}/${id()}`, body, ADMIN)
  expect(changed.status).toBe(200)
  const operation = changed.headers.get('operation-id')

  const undone = await undo(operation, TECHNICIAN)
  expect([undone.status, undone.json.detail]).toEqual([403, 'Only owners can do this.'])
  const history = await api.call('GET', `/api/${path}/${id()}/history`, TECHNICIAN)
  expect(history.json.items[0].operation).toBeNull()
  const below = await undo(operation, { ...ADMIN, acr: 'session' })
  expect(below.headers.get('www-authenticate')).toContain('acr_values="mfa"')

  // Restoring the field by name is rejected; restoring the full version skips it.
  const version = changed.json.version - 1
  const restore = (fields: string[] | undefined, as: Person) =>
    api.call('POST', `/api/${path}/${id()}/restore`, as, { body: { version, fields } })
  expect((await restore([field], TECHNICIAN)).status).toBe(422)
  expect((await restore(undefined, TECHNICIAN)).json[field]).toBe(changed.json[field])
  expect((await undo(operation, ADMIN)).status).toBe(200)
})

test('a technician’s undo that would also change a fee is rejected entirely', async () => {
  const both = await put(`contracts/${contract}`, { monthlyFee: 70, noticeDays: 7 }, ADMIN)
  expect((await undo(both.headers.get('operation-id'), TECHNICIAN)).status).toBe(403)
  expect(await feeNow()).toBe(70)
})

test('a technician can only create unpublished articles', async () => {
  const body = { title: 'T', slug: 't', kind: 'Guide', body: 'Text' }
  const refused = await api.call('POST', '/api/articles', TECHNICIAN, {
    body: { ...body, published: true },
  })
  expect(refused.status).toBe(422)
  const id = await make('articles', body, TECHNICIAN)
  expect((await api.call('GET', `/api/articles/${id}`, ALICE)).status).toBe(404)
  expect((await put(`articles/${id}`, { published: true }, ADMIN)).status).toBe(200)
  expect((await api.call('GET', `/api/articles/${id}`, ALICE)).status).toBe(200)
})

test('a technician can delete, but only an owner with a fresh sign-in can purge', async () => {
  const id = await createOne(api, modelAt('organisations'), TECHNICIAN)
  const purge = (as: Person) => api.call('POST', `/api/organisations/${id}/purge`, as)
  expect((await api.call('DELETE', `/api/organisations/${id}`, TECHNICIAN)).status).toBe(204)
  expect((await purge(TECHNICIAN)).status).toBe(403)
  const old = { ...ADMIN, auth_time: Math.floor(Date.now() / 1000) - 700 }
  const refused = await purge(old)
  expect([refused.status, refused.json.code]).toEqual([401, 'insufficient_user_authentication'])
  expect((await purge({ ...ADMIN, acr: 'mfa' })).status).toBe(401)
  expect((await purge({ ...ADMIN, acr: 'fresher' })).status).toBe(401)
  const trash = await api.call('GET', `/api/organisations/${id}?trash=true`, ADMIN)
  expect(trash.status).toBe(200)
  expect((await purge(ADMIN)).status).toBe(204)
})

test('an admin signed in without a second factor can read only what a client can', async () => {
  const below = { ...ADMIN, acr: 'session' }
  expect((await api.call('GET', '/api/contracts', below)).json.items).toEqual([])
  expect((await put(`contracts/${contract}`, { noticeDays: 1 }, below)).json.code).toBe(
    'insufficient_user_authentication',
  )
})
