import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startApi, startTest, startWire, type Test } from '../../test/kit.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

let count = 0
const newPerson = (changes: object = {}) => {
  const n = ++count
  return {
    sub: `sub-visitor-${n}`,
    name: `Visitor ${n}`,
    role: 'user' as const,
    email: `visitor${n}@example.test`,
    emailVerified: true,
    ...changes,
  }
}
type NewPerson = ReturnType<typeof newPerson>

const me = async (person: NewPerson | null) => t.call('GET', '/api/me', person)
const accountOf = async ({ sub }: NewPerson) => {
  const filter = encodeURIComponent(JSON.stringify({ all: [['sub', 'eq', sub]] }))
  const { json } = await t.call('GET', `/api/accounts?filter=${filter}`, ADMIN)
  expect(json.items.length).toBeLessThan(2)
  return json.items[0]
}
const decide = async (person: NewPerson, action: 'approve' | 'refuse') =>
  t.call('POST', `/api/accounts/${(await accountOf(person)).id}/${action}`, ADMIN)
const addContact = async (values: object) => {
  const { status, json, text } = await t.call('POST', '/api/contacts', ADMIN, {
    body: { fullName: 'Contact', ...values },
  })
  expect(status, text).toBe(201)
  return json
}
const contactAt = async (id: string) => (await t.call('GET', `/api/contacts/${id}`, ADMIN)).json

test('the first request creates an account from the token; a second one creates none', async () => {
  const person = newPerson()
  await Promise.all(Array.from({ length: 5 }, () => t.call('GET', '/api/services', person)))
  const account = await accountOf(person)
  expect(account).toMatchObject({
    sub: person.sub,
    name: person.name,
    email: person.email,
    emailVerified: true,
    link: 'none',
    firstSeenAt: expect.any(String),
    lastSeenOn: expect.any(String),
    version: 1,
  })
})

test('anonymous visitors get no account, and /api/me needs a sign-in', async () => {
  expect((await me(null)).status).toBe(401)
  expect((await t.call('POST', '/api/me', newPerson())).status).toBe(405)
})

test('a contact’s verified address requests access; an unverified or unknown one doesn’t', async () => {
  const asks = newPerson()
  await addContact({ email: asks.email.toUpperCase() })
  expect((await me(asks)).json).toEqual({
    name: asks.name,
    link: 'asked',
    portalRole: null,
    organisation: null,
  })
  const unverified = newPerson({ emailVerified: false })
  await addContact({ email: unverified.email })
  expect((await me(unverified)).json.link).toBe('none')
  expect((await me(newPerson())).json.link).toBe('none')
})

test('approving links the contact, declining afterwards removes the link', async () => {
  const person = newPerson()
  const organisation = await t.call('POST', '/api/organisations', ADMIN, {
    body: { name: 'Harbour Law', country: 'IE' },
  })
  const contact = await addContact({
    email: person.email,
    organisation: organisation.json.id,
    portalRole: 'viewer',
  })
  await me(person)
  expect((await decide(person, 'approve')).status).toBe(200)
  expect(await contactAt(contact.id)).toMatchObject({ userSub: person.sub, version: 2 })
  expect((await me(person)).json).toEqual({
    name: person.name,
    link: 'approved',
    portalRole: 'viewer',
    organisation: { id: organisation.json.id, name: 'Harbour Law' },
  })
  expect((await decide(person, 'refuse')).status).toBe(200)
  expect((await contactAt(contact.id)).userSub).toBeNull()
  expect((await me(person)).json).toMatchObject({ link: 'refused', organisation: null })
})

async function linked() {
  const person = newPerson()
  const { json } = await t.call('POST', '/api/organisations', ADMIN, {
    body: { name: `Of ${person.sub}`, country: 'IE' },
  })
  const contact = await addContact({
    email: person.email,
    organisation: json.id,
    portalRole: 'manager',
  })
  await me(person)
  expect((await decide(person, 'approve')).status).toBe(200)
  return { person, contact: String(contact.id) }
}
const trash = (id: string) => t.call('DELETE', `/api/contacts/${id}`, ADMIN)
const restore = async (id: string) => {
  const { status, text } = await t.call('POST', `/api/contacts/${id}/restore`, ADMIN, { body: {} })
  expect(status, text).toBe(200)
}

test('an account declined while its contact was in the trash isn’t linked when the contact is restored', async () => {
  const { person, contact } = await linked()
  await trash(contact)
  expect((await decide(person, 'refuse')).status).toBe(200)
  await restore(contact)
  expect((await contactAt(contact)).userSub).toBeNull()
  expect((await me(person)).json).toMatchObject({
    link: 'refused',
    portalRole: null,
    organisation: null,
  })
  expect((await decide(person, 'approve')).status).toBe(200)
  expect((await me(person)).json).toMatchObject({ link: 'approved', portalRole: 'manager' })
})

test.each(['refused', 'none', 'asked'])(
  'a contact still linked to an account in state %s grants no access, and a new decision removes the link',
  async (link) => {
    const { person, contact } = await linked()
    // As written by an earlier release.
    await t.database.sql(`update accounts set link = $2 where sub = $1`, [person.sub, link])
    expect((await me(person)).json).toMatchObject({ portalRole: null, organisation: null })
    // Approved first, because declining twice is rejected.
    await decide(person, 'approve')
    expect((await decide(person, 'refuse')).status).toBe(200)
    expect((await contactAt(contact)).userSub).toBeNull()
  },
)

test('approving again unlinks the account from a contact in the trash, which is restored without it', async () => {
  const { person, contact } = await linked()
  await trash(contact)
  await t.database.sql(`update accounts set link = 'none' where sub = $1`, [person.sub])
  const second = await addContact({ email: person.email })
  expect((await decide(person, 'approve')).status).toBe(200)
  await t.call('PUT', `/api/contacts/${second.id}`, ADMIN, { body: { email: 'x@example.test' } })
  await restore(contact)
  expect((await contactAt(contact)).userSub).toBeNull()
  expect((await contactAt(second.id)).userSub).toBe(person.sub)
})

test('approving an account that can’t be linked returns 409 with a reason and changes nothing', async () => {
  const unverified = newPerson({ emailVerified: false })
  await addContact({ email: unverified.email })
  await me(unverified)
  const first = await decide(unverified, 'approve')
  expect([first.status, first.json.detail]).toEqual([
    409,
    'This account’s email address isn’t verified.',
  ])
  const moved = newPerson()
  const contact = await addContact({ email: moved.email })
  await me(moved)
  const other = { email: 'elsewhere@example.test' }
  await t.call('PUT', `/api/contacts/${contact.id}`, ADMIN, { body: other })
  const second = await decide(moved, 'approve')
  expect([second.status, second.json.code]).toEqual([409, 'not-linkable'])
  expect(await accountOf(moved)).toMatchObject({ link: 'asked', version: 1 })
  expect((await contactAt(contact.id)).userSub).toBeNull()
})

test('an approval’s change to the contact belongs to the same operation', async () => {
  const person = newPerson()
  const contact = await addContact({ email: person.email })
  await me(person)
  await decide(person, 'approve')
  const rows = await t.database.sql(
    `select model from revisions where operation_id =
      (select operation_id from revisions where record_id = $1 and version = 2) order by model`,
    [contact.id],
  )
  expect(rows.map(({ model }) => model)).toEqual(['accounts', 'contacts'])
})

test('a sign-in on a new day is recorded once and counts as contact with a linked client', async () => {
  const person = newPerson()
  const contact = await addContact({ email: person.email })
  await me(person)
  await decide(person, 'approve')
  await t.database.sql(
    `update contacts set last_contact_on = '2020-01-01';
     update accounts set last_seen_on = '2020-01-01', email = 'old@example.test' where sub = '${person.sub}'`,
  )
  await me(person)
  expect((await accountOf(person)).lastSeenOn).toBe('2020-01-01')
  const replica = await startApi({ databaseUrl: t.database.url('gatehouse_app'), keys: t.keys })
  try {
    const headers = { authorization: `Bearer ${await t.tokenOf(person)}` }
    await fetch(`${replica.base}/api/services`, { headers })
    const { lastSeenOn, email, version } = await accountOf(person)
    expect(lastSeenOn).not.toBe('2020-01-01')
    expect([email, version]).toEqual([person.email, 3])
    expect(await contactAt(contact.id)).toMatchObject({ lastContactOn: lastSeenOn, version: 2 })
  } finally {
    await replica.stop()
  }
})

test('requests that need no database succeed while it is down', async () => {
  const wire = await startWire()
  const url = wire.url(t.database.url('gatehouse_app'))
  const replica = await startApi({ databaseUrl: url, keys: t.keys })
  await wire.cut()
  try {
    const headers = { authorization: `Bearer ${await t.tokenOf(newPerson())}` }
    const ask = () => fetch(`${replica.base}/api/models`, { headers })
    expect((await ask()).status).toBe(200)
    const before = Date.now()
    expect((await ask()).status).toBe(200)
    expect(Date.now() - before).toBeLessThan(500)
  } finally {
    await replica.stop()
  }
})
