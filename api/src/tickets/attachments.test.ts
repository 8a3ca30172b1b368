import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Person, type Test } from '../../test/kit.ts'
import { send } from '../../test/http-client.ts'

let t: Test
let filesFolder: string
beforeAll(async () => {
  filesFolder = await mkdtemp(join(tmpdir(), 'attachments-'))
  t = await startTest({ models, filesFolder })
})
afterAll(async () => {
  await t.stop()
  await rm(filesFolder, { recursive: true })
})

async function stage(by: NonNullable<Person>, name = 'screen.log') {
  const body = Buffer.from('12:00 no answer from the switch\n')
  const { text } = await send(`${t.base}/api/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await t.tokenOf(by)}`,
      'content-type': 'application/octet-stream',
      'content-length': String(body.length),
      'x-file-name': name,
    },
    body,
  })
  return String(JSON.parse(text).id)
}

async function openTicket(by: Person = ALICE, more: object = {}) {
  const body = {
    fullName: 'Alice Example',
    email: 'alice@example.test',
    subject: 'Printer',
    message: 'It does not print.',
    ...more,
  }
  const { status, json, text } = await t.call('POST', '/api/tickets', by, { body })
  expect(status, text).toBe(201)
  return String(json.id)
}

const act = (name: 'reply' | 'note', by: Person, ticket: string, body: object) =>
  t.call('POST', `/api/tickets/${ticket}/${name}`, by, { body: { body: 'See this.', ...body } })

async function messagesOf(by: Person, ticket: string) {
  const filter = encodeURIComponent(JSON.stringify({ all: [['ticket', 'eq', ticket]] }))
  return (await t.call('GET', `/api/messages?filter=${filter}`, by)).json.items
}

const linksOf = (record: string, by: Person) => t.call('POST', `/api/${record}/file-links`, by)
const idsOf = async (record: string, by: Person) =>
  (await linksOf(record, by)).json.items.map(({ id }: { id: string }) => id)

/** Status and body, without what differs between any two requests. */
const answerOf = ({ status, text }: { status: number; text: string }) => [
  status,
  text.replace(/"requestId":"[^"]*"/, '').replaceAll(UUID, 'an id'),
]
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Not known to the API before their contact is. */
const MANAGER = { ...BOB, sub: 'sub-manager' }
const ABSENT = '018f3b1c-0000-7000-8000-0000000000ff'

const stageOf = async (id: string) =>
  (await t.database.sql('select stage from files where id = $1', [id]))[0]?.stage ?? null

describe('sending', () => {
  test('a new ticket, a reply and a note carry the files that their authors uploaded', async () => {
    const [opening, reply, note] = [await stage(ALICE), await stage(ALICE), await stage(ADMIN)]
    const ticket = await openTicket(ALICE, { attachments: [opening] })
    expect((await act('reply', ALICE, ticket, { attachments: [reply] })).status).toBe(200)
    expect((await act('note', ADMIN, ticket, { attachments: [note] })).status).toBe(200)
    const read = await t.call('GET', `/api/tickets/${ticket}`, ALICE)
    expect(read.json.labels.attachments).toMatchObject([{ id: opening, name: 'screen.log' }])
    const shown = await messagesOf(ADMIN, ticket)
    expect(shown.map((one: { attachments: string[] }) => one.attachments)).toEqual([
      [note],
      [reply],
    ])
    expect(shown[0].labels.attachments).toMatchObject([{ id: note, state: 'ready', size: 32 }])
  })

  test('a file that the actor did not upload, one of another record and none get the same error at the field', async () => {
    const bobs = await stage(BOB)
    const taken = await stage(ALICE)
    const ticket = await openTicket(ALICE, { attachments: [taken] })
    const message = 'Attachments: a file is no longer there. Remove it and choose it again.'
    for (const id of [bobs, taken, ABSENT]) {
      const { status, json } = await act('reply', ALICE, ticket, { attachments: [id] })
      expect([status, json.errors]).toEqual([422, [{ field: 'attachments', message }]])
    }
    expect(await messagesOf(ALICE, ticket)).toEqual([])
    expect([await stageOf(bobs), await stageOf(taken)]).toEqual(['staged', 'attached'])
  })

  test('a repeated reply attaches its files once', async () => {
    const ticket = await openTicket()
    const body = { body: 'Once.', attachments: [await stage(ALICE)] }
    const options = { body, headers: { 'idempotency-key': 'once-with-files' } }
    const sent = () => t.call('POST', `/api/tickets/${ticket}/reply`, ALICE, options)
    expect([(await sent()).status, (await sent()).status]).toEqual([200, 200])
    expect(await messagesOf(ALICE, ticket)).toHaveLength(1)
  })

  test('an undone note takes its files into the trash with it', async () => {
    const ticket = await openTicket()
    const id = await stage(ADMIN)
    const noted = await act('note', ADMIN, ticket, { attachments: [id] })
    const operation = noted.headers.get('operation-id')
    expect((await t.call('POST', `/api/operations/${operation}/undo`, ADMIN)).status).toBe(200)
    expect(await messagesOf(ADMIN, ticket)).toEqual([])
    expect(await stageOf(id)).toBe('attached')
  })

  test('a reply has at most 20 files', async () => {
    const ticket = await openTicket()
    const attachments = await Promise.all(Array.from({ length: 21 }, () => stage(ALICE)))
    expect((await act('reply', ALICE, ticket, { attachments })).status).toBe(422)
    const most = { attachments: attachments.slice(1) }
    expect((await act('reply', ALICE, ticket, most)).status).toBe(200)
  })
})

describe('opening', () => {
  test('a note’s files open for staff only', async () => {
    const ticket = await openTicket()
    const id = await stage(ADMIN)
    await act('note', ADMIN, ticket, { attachments: [id] })
    const [note] = await messagesOf(ADMIN, ticket)
    expect(await idsOf(`messages/${note.id}`, ADMIN)).toEqual([id])
    expect(await idsOf(`tickets/${ticket}`, ALICE)).toEqual([])
    const refused = await linksOf(`messages/${note.id}`, ALICE)
    expect(answerOf(refused)).toEqual(answerOf(await linksOf(`messages/${ABSENT}`, ALICE)))
    expect(refused.status).toBe(404)
  })

  test('files of a ticket that was handed over, deleted or purged get the 404 of one that never was', async () => {
    const absent = answerOf(await linksOf(`tickets/${ABSENT}`, ALICE))
    expect(absent[0]).toBe(404)
    const refused = async (ticket: string, message: string) => {
      expect(answerOf(await linksOf(`tickets/${ticket}`, ALICE))).toEqual(absent)
      const one = answerOf(await linksOf(`messages/${message}`, ALICE))
      expect(one).toEqual(answerOf(await linksOf(`messages/${ABSENT}`, ALICE)))
    }
    const withFiles = async () => {
      const ticket = await openTicket(ALICE, { attachments: [await stage(ALICE)] })
      await act('reply', ALICE, ticket, { attachments: [await stage(ALICE)] })
      const [reply] = await messagesOf(ALICE, ticket)
      expect(await idsOf(`tickets/${ticket}`, ALICE)).toHaveLength(1)
      expect(await idsOf(`messages/${reply.id}`, ALICE)).toHaveLength(1)
      return [ticket, String(reply.id)] as const
    }

    const handed = await withFiles()
    const to = { body: { clientId: BOB.sub, email: 'bob@example.test' } }
    expect((await t.call('PUT', `/api/tickets/${handed[0]}`, ADMIN, to)).status).toBe(200)
    await refused(...handed)
    expect(await idsOf(`tickets/${handed[0]}`, BOB)).toHaveLength(1)

    const deleted = await withFiles()
    expect((await t.call('DELETE', `/api/tickets/${deleted[0]}`, ADMIN)).status).toBe(204)
    await refused(...deleted)
    expect((await t.call('POST', `/api/tickets/${deleted[0]}/purge`, ADMIN)).status).toBe(204)
    await refused(...deleted)
    expect((await linksOf(`tickets/${deleted[0]}`, ADMIN)).status).toBe(404)
  })

  test('a client opens a contract’s documents as its manager, and no documents of the organisation', async () => {
    const create = async (path: string, body: object) => {
      const { status, json, text } = await t.call('POST', `/api/${path}`, ADMIN, { body })
      expect(status, text).toBe(201)
      return String(json.id)
    }
    const [internal, signed] = [await stage(ADMIN), await stage(ADMIN)]
    const organisation = await create('organisations', {
      name: 'North',
      country: 'IE',
      documents: [internal],
    })
    const service = await create('services', {
      name: 'Desk',
      slug: 'desk',
      summary: 'Help',
      description: 'Help by telephone.',
      category: 'Managed IT',
    })
    const contract = await create('contracts', {
      reference: 'C-1',
      organisation,
      service,
      startOn: '2099-01-01',
      documents: [signed],
    })
    const contact = { fullName: 'Bob', email: 'bob@example.test', organisation }
    const id = await create('contacts', { ...contact, portalRole: 'manager' })
    await t.database.sql('update contacts set user_sub = $1 where id = $2', [MANAGER.sub, id])
    expect(await idsOf(`contracts/${contract}`, MANAGER)).toEqual([signed])
    expect(await idsOf(`organisations/${organisation}`, MANAGER)).toEqual([])
    expect(await idsOf(`organisations/${organisation}`, ADMIN)).toEqual([internal])
    expect((await linksOf(`contracts/${contract}`, ALICE)).status).toBe(404)
    const read = await t.call('GET', `/api/organisations/${organisation}`, MANAGER)
    expect(read.json).not.toHaveProperty('documents')
    expect(read.json.labels).not.toHaveProperty('documents')
  })
})
