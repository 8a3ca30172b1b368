import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, startTest, type Person, type Test } from '../../test/kit.ts'

let t: Test
beforeAll(async () => {
  t = await startTest({ models })
})
afterAll(() => t.stop())

type Decision = 'approve' | 'refuse'
type Sent = { body?: object; headers?: Record<string, string> }

let count = 0
async function accountWithContact() {
  const email = `asks${++count}@example.test`
  const person = { sub: `sub-${email}`, name: 'Asks', role: 'user', email, emailVerified: true }
  const made = await t.call('POST', '/api/contacts', ADMIN, {
    body: { fullName: 'Contact', email },
  })
  await t.call('GET', '/api/me', person as Person)
  const [account] = await t.database.sql('select id from accounts where sub = $1', [person.sub])
  return { id: String(account.id), contact: String(made.json.id), sub: person.sub }
}

const act = (person: Person, id: string, decision: Decision, sent: Sent = {}) =>
  t.call('POST', `/api/accounts/${id}/${decision}`, person, sent)

async function decided(id: string, decision: Decision, sent: Sent = {}) {
  const answer = await act(ADMIN, id, decision, sent)
  expect(answer.status, answer.text).toBe(200)
  return answer
}

const undo = async (operation: string | null) =>
  (await t.call('POST', `/api/operations/${operation}/undo`, ADMIN)).status
const userSubOf = async (contact: string) =>
  (await t.call('GET', `/api/contacts/${contact}`, ADMIN)).json.userSub
const linkOf = async (id: string) => (await t.call('GET', `/api/accounts/${id}`, ADMIN)).json.link
const possible = async (id: string) =>
  (await t.call('GET', `/api/accounts/${id}/about`, ADMIN)).json.actions

test('approving links the contact, undo unlinks it, and redo links it again', async () => {
  const { id, contact, sub } = await accountWithContact()
  const { json, headers } = await decided(id, 'approve')
  expect(json).toMatchObject({ id, link: 'approved', version: 2 })
  expect(await userSubOf(contact)).toBe(sub)

  const undone = await t.call('POST', `/api/operations/${headers.get('operation-id')}/undo`, ADMIN)
  expect(undone.status).toBe(200)
  expect([await linkOf(id), await userSubOf(contact)]).toEqual(['asked', null])
  expect(await undo(undone.json.operation)).toBe(200)
  expect([await linkOf(id), await userSubOf(contact)]).toEqual(['approved', sub])
})

test('decisions can be repeated; declining an approved account removes the link, and undo restores it', async () => {
  const { id, contact, sub } = await accountWithContact()
  await decided(id, 'refuse')
  await decided(id, 'approve')
  const { headers } = await decided(id, 'refuse')
  expect([await linkOf(id), await userSubOf(contact)]).toEqual(['refused', null])
  expect(await undo(headers.get('operation-id'))).toBe(200)
  expect([await linkOf(id), await userSubOf(contact)]).toEqual(['approved', sub])
  await decided(id, 'refuse')
  await decided(id, 'approve')
  expect(await userSubOf(contact)).toBe(sub)
})

test('an account that didn’t request access can be approved or declined', async () => {
  for (const decision of ['approve', 'refuse'] as const) {
    const { id } = await accountWithContact()
    await t.database.sql(`update accounts set link = 'none' where id = $1`, [id])
    expect((await act(ADMIN, id, decision)).status).toBe(200)
  }
})

test('`about` lists the actions possible now; any other returns 409 not-now', async () => {
  const { id } = await accountWithContact()
  expect(await possible(id)).toEqual(['approve', 'refuse', 'forgetfactors'])
  await decided(id, 'approve')
  expect(await possible(id)).toEqual(['refuse', 'forgetfactors'])
  expect((await act(ADMIN, id, 'approve')).json).toMatchObject({ status: 409, code: 'not-now' })
  await decided(id, 'refuse')
  expect(await possible(id)).toEqual(['approve', 'forgetfactors'])
  expect((await act(ADMIN, id, 'refuse')).json).toMatchObject({ status: 409, code: 'not-now' })
})

test('an account that can’t be linked remains undecided', async () => {
  const { id, contact } = await accountWithContact()
  await t.call('PUT', `/api/contacts/${contact}`, ADMIN, { body: { email: 'moved@example.test' } })
  expect((await act(ADMIN, id, 'approve')).json).toMatchObject({
    status: 409,
    code: 'not-linkable',
  })
  const { json } = await t.call('GET', `/api/accounts/${id}`, ADMIN)
  expect(json).toMatchObject({ link: 'asked', version: 1 })
})

test('a repeated approval returns the current account and the first operation', async () => {
  const { id } = await accountWithContact()
  const headers = { 'idempotency-key': `approve-${id}` }
  const first = await decided(id, 'approve', { headers })
  await decided(id, 'refuse')
  const again = await decided(id, 'approve', { headers })
  expect(again.json).toMatchObject({ link: 'refused', version: 3 })
  expect(again.headers.get('operation-id')).toBe(first.headers.get('operation-id'))
})

test('of five concurrent approvals, one succeeds', async () => {
  const { id, contact, sub } = await accountWithContact()
  const answers = await Promise.all(Array.from({ length: 5 }, () => act(ADMIN, id, 'approve')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409, 409, 409,
  ])
  expect(await userSubOf(contact)).toBe(sub)
})

test('a decision with a stale version returns 412, one with a body is rejected, and only admins decide', async () => {
  const { id } = await accountWithContact()
  await decided(id, 'approve')
  expect((await act(ADMIN, id, 'refuse', { headers: { 'if-match': '"1"' } })).status).toBe(412)
  expect((await act(ADMIN, id, 'refuse', { body: { link: 'none' } })).status).toBe(422)
  expect((await act(ALICE, id, 'refuse')).status).toBe(403)
  expect((await act(null, id, 'refuse')).status).toBe(401)
  expect(await linkOf(id)).toBe('approved')
})

test('an account’s link can’t be written by PUT or by restoring a version', async () => {
  const { id } = await accountWithContact()
  const url = `/api/accounts/${id}`
  for (const link of ['none', 'asked', 'approved', 'refused'])
    expect((await t.call('PUT', url, ADMIN, { body: { link } })).json).toMatchObject({
      status: 422,
      errors: [{ field: 'link' }],
    })
  await decided(id, 'refuse')
  const named = { version: 1, fields: ['link'] }
  expect((await t.call('POST', `${url}/restore`, ADMIN, { body: named })).status).toBe(422)
  const whole = await t.call('POST', `${url}/restore`, ADMIN, { body: { version: 1 } })
  expect([whole.status, whole.json.link, whole.json.version]).toEqual([200, 'refused', 2])
  const form = await t.call('GET', '/api/accounts/form-metadata', ADMIN)
  expect(form.json).toEqual({ fields: [] })
})
