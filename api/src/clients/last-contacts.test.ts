import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, SITE, startTest, type Test } from '../../test/kit.ts'
import { todayIn } from '#platform/site-config.ts'
import { updateLastContacts } from './last-contacts.ts'

const LONG_AGO = '2020-01-31'
const today = () => todayIn(SITE)

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const update = () => updateLastContacts(t.jobs)
const make = async (path: string, body: object) => {
  const { status, json, text } = await t.call('POST', `/api/${path}`, ADMIN, { body })
  expect(status, text).toBeLessThan(300)
  return json
}
const organisationAt = async (id: string) =>
  (await t.call('GET', `/api/organisations/${id}`, ADMIN)).json

async function newOrganisation() {
  const { id } = await make('organisations', { name: 'Client' })
  await t.database.sql('update organisations set last_contact_on = $2 where id = $1', [
    id,
    LONG_AGO,
  ])
  return id as string
}

const newTicket = (organisation: string | null) =>
  make('tickets', {
    fullName: 'Ann',
    email: 'ann@example.test',
    subject: 'VPN',
    message: 'Slow',
    organisation,
  })

async function oldTicket() {
  const organisation = await newOrganisation()
  const ticket = await newTicket(organisation)
  await t.database.sql('update tickets set last_contact_at = $2 where id = $1', [
    ticket.id,
    `${LONG_AGO}T12:00:00Z`,
  ])
  return { organisation, id: ticket.id as string }
}

test('a new ticket updates its organisation’s last contact, but not its version', async () => {
  const id = await newOrganisation()
  const before = await organisationAt(id)
  await newTicket(id)
  await update()
  expect(await organisationAt(id)).toEqual({ ...before, lastContactOn: today() })
  const [{ revisions, events }] = (await t.database.sql(
    `select (select count(*)::int from revisions where record_id = $1) as revisions,
      (select count(*)::int from audit_events where entity_id = $1) as events`,
    [id],
  )) as [{ revisions: number; events: number }]
  expect({ revisions, events }).toEqual({ revisions: 1, events: 1 })
  // A form opened before still saves, and its revision contains only its own changes.
  const saved = await t.call('PUT', `/api/organisations/${id}`, ADMIN, {
    body: { city: 'Cork' },
    headers: { 'if-match': `"${before.version}"` },
  })
  expect([saved.status, saved.json.lastContactOn]).toEqual([200, today()])
  const { json } = await t.call('GET', `/api/organisations/${id}/history`, ADMIN)
  expect(json.items[0].changes.map(({ field }: { field: string }) => field)).toEqual(['city'])
})

test.each(['reply', 'close'])(
  'the action %s updates the last contact of the ticket’s organisation',
  async (action) => {
    const { organisation, id } = await oldTicket()
    await make(`tickets/${id}/${action}`, action === 'reply' ? { body: 'Soon' } : {})
    await update()
    expect((await organisationAt(organisation)).lastContactOn).toBe(today())
  },
)

test('an internal note does not count as a contact', async () => {
  const { organisation, id } = await oldTicket()
  await make(`tickets/${id}/note`, { body: 'Careful' })
  await update()
  expect((await organisationAt(organisation)).lastContactOn).toBe(LONG_AGO)
})

test('a ticket in the trash does not count as a contact; a restored one does', async () => {
  const organisation = await newOrganisation()
  const { id } = await newTicket(organisation)
  await t.call('DELETE', `/api/tickets/${id}`, ADMIN)
  await update()
  expect((await organisationAt(organisation)).lastContactOn).toBe(LONG_AGO)
  await make(`tickets/${id}/restore`, {})
  await update()
  expect((await organisationAt(organisation)).lastContactOn).toBe(today())
})

test('a ticket assigned later updates the last contact of its new organisation', async () => {
  const organisation = await newOrganisation()
  const { id } = await newTicket(null)
  await update()
  const body = { organisation }
  expect((await t.call('PUT', `/api/tickets/${id}`, ADMIN, { body })).status).toBe(200)
  await update()
  expect((await organisationAt(organisation)).lastContactOn).toBe(today())
})

test('a last contact never moves back, and an unchanged one is not written again', async () => {
  const { organisation, id } = await oldTicket()
  await t.database.sql('update tickets set last_contact_at = $2 where id = $1', [
    id,
    '2019-06-01T12:00:00Z',
  ])
  const rowOf = () =>
    t.database.sql('select last_contact_on, xmin::text from organisations where id = $1', [
      organisation,
    ])
  const before = await rowOf()
  await update()
  expect(await rowOf()).toEqual(before)
})

test('the last contact is a day in the site’s time zone', async () => {
  const { organisation, id } = await oldTicket()
  // In summer 23:30 UTC is half past midnight in Dublin.
  await t.database.sql('update tickets set last_contact_at = $2 where id = $1', [
    id,
    '2025-06-30T23:30:00Z',
  ])
  await update()
  expect((await organisationAt(organisation)).lastContactOn).toBe('2025-07-01')
})

test('an organisation locked by a concurrent save is skipped, and updated by the next run', async () => {
  const [locked, other] = [await newOrganisation(), await newOrganisation()]
  await newTicket(locked)
  await newTicket(other)
  const release = await t.database.hold(
    `select from organisations where id = '${locked}' for no key update`,
  )
  await update()
  expect((await organisationAt(other)).lastContactOn).toBe(today())
  await release()
  expect((await organisationAt(locked)).lastContactOn).toBe(LONG_AGO)
  await update()
  expect((await organisationAt(locked)).lastContactOn).toBe(today())
})
