import { canSort, fieldsOf, hasFiles, levelOf, type Model } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, startTest, type Person, type Test } from '../../../test/kit.ts'

/**
 * Pairwise: no path, filter, sort, search or retry reveals another user's record, not even that it exists. Every record has a
 * unique word; ids count as such words too.
 */
const PATHS = ['tickets', 'messages', 'contacts', 'organisations', 'accounts', 'privacyrequests']
const NOT_THERE = '018f3b1c-0000-7000-8000-0000000000ff'
const FIXED = ['models', 'models/counts', 'me', 'me/views', 'openapi.json']
const NOT_SAID = 'wordthatnobodyeverwrote'

const client = (name: string) => ({
  sub: `sub-${name}`,
  name,
  role: 'user' as const,
  email: `mark-account-${name}@example.test`,
  emailVerified: true,
})
const PEOPLE: Record<string, Person> = {
  'manager of north': client('nora'),
  'viewer of north': client('nick'),
  'viewer of south': client('sam'),
  'manager of south': client('maya'),
  'registered visitor': client('una'),
  'another visitor': client('uwe'),
  nobody: null,
}
/** Contacts with organisation and role. */
const LINKS = [
  ['nora', 'north', 'manager'],
  ['nick', 'north', 'viewer'],
  ['sam', 'south', 'viewer'],
  ['maya', 'south', 'manager'],
] as const

type Known = { path: string; id: string; mark: string; seenBy: string[] }
const known: Known[] = []
let t: Test

beforeAll(async () => {
  t = await startTest({ models, filesFolder: '/nonexistent' })
  for (const name of ['north', 'south']) {
    const seenBy = LINKS.filter(([, where]) => where === name).map(([who]) => `sub-${who}`)
    await add('organisations', ADMIN, { name: `mark-organisations-${name}`, country: 'IE' }, seenBy)
  }
  for (const [who, where, portalRole] of LINKS) {
    const organisation = idOf(`mark-organisations-${where}`)
    const email = `mark-contacts-${who}@example.test`
    const contact = { fullName: who, email, organisation, portalRole }
    const id = await add('contacts', ADMIN, contact, seers(who, where), email)
    await t.database.sql('update contacts set user_sub = $1 where id = $2', [`sub-${who}`, id])
  }
  for (const person of Object.values(PEOPLE)) if (person) await tell(person)
  await noteRest('accounts', 'email')
  await noteRest('privacyrequests', 'email')
  // Created from a ticket's address, which its owner may read there.
  await noteRest('contacts', 'id')
}, 120_000)
afterAll(() => t.stop())

/** Each account opens a ticket that gets a reply and a note, and sends a privacy request. */
async function tell(person: NonNullable<Person>) {
  const who = person.name ?? ''
  const where = LINKS.find(([one]) => one === who)?.[1]
  const seenBy = seers(who, where)
  const ticket = {
    fullName: `mark-tickets-${who}`,
    email: `mark-ticketmail-${who}@example.test`,
    subject: `mark-tickets-${who}`,
    message: `mark-tickets-${who}`,
  }
  const id = await add('tickets', person, ticket, seenBy, `mark-tickets-${who}`)
  const say = (by: Person, mark: string, more: object, to: string[]) =>
    add('messages', by, { ticket: id, body: mark, ...more }, to, mark)
  await say(person, `mark-messages-${who}`, {}, seenBy)
  await say(ADMIN, `mark-answers-${who}`, {}, seenBy)
  await say(ADMIN, `mark-notes-${who}`, { internal: true }, [])
  const inquiry = {
    name: `mark-requests-${who}`,
    email: `mark-requests-${who}@example.test`,
    subject: 'access',
    message: `mark-requests-${who}`,
    confirmed: true,
  }
  const asked = await t.call('POST', '/api/privacy/requests', person, { body: inquiry })
  expect(asked.status).toBe(202)
}

/** The owner, and managers of their organisation. */
const seers = (who: string, where: string | undefined) => [
  `sub-${who}`,
  ...LINKS.filter(([, place, role]) => where && place === where && role === 'manager').map(
    ([name]) => `sub-${name}`,
  ),
]

async function add(path: string, by: Person, body: object, seenBy: string[], mark?: string) {
  const { status, json, text } = await t.call('POST', `/api/${path}`, by, { body })
  expect(status, text).toBe(201)
  known.push({ path, id: json.id, mark: mark ?? String(json.name), seenBy })
  return String(json.id)
}

/** Records created by the server belong to admins only. */
async function noteRest(path: string, field: string) {
  for (const row of await t.database.sql(`select id, ${field} as mark from ${path}`))
    if (!known.some(({ id }) => id === row.id))
      known.push({ path, id: row.id, mark: row.mark ?? row.id, seenBy: [] })
}

const idOf = (mark: string) => known.find((one) => one.mark === mark)?.id
const modelOf = (path: string) => models.find((model) => model.path === path) as Model

type Answer = Awaited<ReturnType<Test['call']>>

function withoutVolatile({ status, headers, text }: Answer) {
  const kept = [...headers].filter(([name]) => !/^(date|x-request-id)$/.test(name))
  return JSON.stringify([status, kept, text.replace(/"requestId":"[^"]*"/, '')])
}

describe.each(Object.entries(PEOPLE))('%s', (_who, person) => {
  const isForeign = ({ seenBy }: Known) => !person || !seenBy.includes(person.sub)
  const foreign = () => known.filter(isForeign)

  /** One message per unique word of another user in a response. */
  const leaksIn = ({ status, text }: Answer, about: string) => [
    ...(status < 500 ? [] : [`${about} broke the server`]),
    ...foreign()
      .filter(({ id, mark }) => text.includes(id) || text.includes(mark))
      .map(({ mark }) => `${about} tells ${mark}`),
  ]

  type Request = { method?: string; url: string; body?: object }

  /** Compares responses for another user's record and a missing one; returns a message if they differ. */
  async function compare(to: (value: string) => Request, theirs: string, absent: string) {
    const ask = (value: string) => {
      const { method = 'GET', url, body } = to(value)
      return t.call(method, url, person, body ? { body } : {})
    }
    const [one, other] = [await ask(theirs), await ask(absent)]
    const { method = 'GET', url } = to(theirs)
    const about = `${method} ${url}`
    return [
      ...leaksIn(one, about),
      ...(withoutVolatile(one) === withoutVolatile(other)
        ? []
        : [`${about}: ${withoutVolatile(one)} is not ${withoutVolatile(other)}`]),
    ]
  }

  test('others’ records can’t be read, changed or deleted, and look like missing ones', async () => {
    const leaks: string[] = []
    for (const { path, id } of foreign())
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const body = method === 'PUT' ? { body: {} } : {}
        const to = (value: string) => ({ method, url: `/api/${path}/${value}`, ...body })
        leaks.push(...(await compare(to, id, NOT_THERE)))
      }
    expect(leaks).toEqual([])
  })

  test('links to files of others’ records can’t be had, and those records look like missing ones', async () => {
    const leaks: string[] = []
    const withFiles = foreign().filter(({ path }) => hasFiles(modelOf(path)))
    for (const { path, id } of withFiles) {
      const to = (value: string) => ({ method: 'POST', url: `/api/${path}/${value}/file-links` })
      leaks.push(...(await compare(to, id, NOT_THERE)))
    }
    expect(leaks).toEqual([])
  })

  test('lists, counts and sorts contain only the caller’s own records', async () => {
    const leaks: string[] = []
    const counts: unknown[] = []
    for (const path of PATHS) {
      const count = known.filter((one) => one.path === path && !isForeign(one)).length
      const orders = fieldsOf(modelOf(path)).filter(([name]) =>
        canSort(modelOf(path), name, levelOf(person)),
      )
      const questions = [
        'limit=100',
        'limit=1&total=exact',
        ...orders.flatMap(([name]) => [`sort=${name}&limit=100`, `sort=-${name}&limit=100`]),
      ]
      for (const question of questions) {
        const answer = await t.call('GET', `/api/${path}?${question}`, person)
        leaks.push(...leaksIn(answer, `GET ${path}?${question}`))
        const found = answer.status === 200 ? answer.json.total.count : count
        if (found !== count) counts.push([path, question, found, count])
      }
    }
    expect(leaks).toEqual([])
    expect(counts).toEqual([])
  })

  test('searches and filters reveal nothing about others’ records', async () => {
    const leaks: string[] = []
    for (const { path, mark } of foreign()) {
      const search = (value: string) => ({ url: `/api/${path}?q=${value}` })
      leaks.push(...(await compare(search, mark, NOT_SAID)))
      for (const [name, field] of fieldsOf(modelOf(path))) {
        const filter = (operator: string) => (value: string) => ({
          url: `/api/${path}?total=exact&filter=${encodeURIComponent(
            JSON.stringify({ all: [[name, operator, value]] }),
          )}`,
        })
        for (const other of foreign().filter((one) => one.path === field.to))
          leaks.push(...(await compare(filter('eq'), other.id, NOT_THERE)))
        if (['text', 'email', 'textarea'].includes(field.type))
          leaks.push(...(await compare(filter('contains'), mark, NOT_SAID)))
      }
    }
    expect(leaks).toEqual([])
  })

  test('a record can’t be created under another user’s parent, nor others’ values read in a form', async () => {
    const leaks: string[] = []
    for (const { id } of foreign().filter(({ path }) => path === 'tickets')) {
      const post = (ticket: string) => ({
        method: 'POST',
        url: '/api/messages',
        body: { ticket, body: 'Hello' },
      })
      leaks.push(...(await compare(post, id, NOT_THERE)))
    }
    for (const url of [...PATHS.map((path) => `${path}/form-metadata`), ...FIXED])
      leaks.push(...leaksIn(await t.call('GET', `/api/${url}`, person), url))
    expect(leaks).toEqual([])
  })

  test('repeating another user’s idempotency key doesn’t return their response', async () => {
    const other = client('owner-of-the-key')
    const key = `key-${person?.sub}`
    const ticket = { fullName: 'Una', email: 'keyed@example.test', subject: 'Keyed', message: 'x' }
    const options = { body: ticket, headers: { 'idempotency-key': key } }
    const first = await t.call('POST', '/api/tickets', other, options)
    const again = await t.call('POST', '/api/tickets', person, options)
    expect(first.status).toBe(201)
    expect(again.status).toBe(person ? 201 : 401)
    expect(again.text).not.toContain(first.json.id)
    await t.database.sql(`delete from tickets where subject = 'Keyed'`)
  })
})

test('a mail to a client contains only their own data, and the outbox only record IDs', async () => {
  const waiting = await t.database.sql(`select id, data from outbox where kind like 'ticket-%'`)
  expect(waiting.length).toBeGreaterThan(20)
  expect(JSON.stringify(waiting)).not.toContain('mark-')
  const sent = await t.mails()
  expect(sent.length).toBeGreaterThan(20)
  const toClients = sent.filter(({ to }) => to.startsWith('mark-ticketmail-'))
  expect(toClients.length).toBeGreaterThanOrEqual(2 * 6)
  for (const { to, subject, text } of toClients) {
    const who = /mark-ticketmail-(\w+)@/.exec(to)?.[1]
    const marks = `${subject} ${text}`.match(/mark-\w+-\w+/g) ?? []
    expect(
      marks.every((mark) => mark.endsWith(`-${who}`)),
      `${to}: ${marks.join(' ')}`,
    ).toBe(true)
    expect(text).not.toContain('mark-notes')
  }
})
