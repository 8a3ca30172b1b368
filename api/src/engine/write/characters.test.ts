import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, ALICE, startTest, type Person, type Test } from '../../../test/kit.ts'

let api: Test
beforeAll(async () => {
  api = await startTest()
})
afterAll(() => api.stop())

/** C0 and C1, line and paragraph separators, and bidi controls. */
const INVALID = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  0x2028,
  0x2029,
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
].map((code) => String.fromCodePoint(code))
/** ZWNJ, ZWJ, LRM, RLM: names and emoji need them. */
const NEEDED = ['\u200c', '\u200d', '\u200e', '\u200f']

describe('a one-line field', () => {
  test('a one-line field rejects control and bidi characters, with an error at the field', async () => {
    for (const character of INVALID)
      for (const [field, value] of [
        ['text', `a${character}b`],
        ['email', `a${character}b@example.test`],
        ['tel', `123${character}4`],
        ['url', `https://example.test/a${character}b`],
        ['tags', [`a${character}b`]],
      ] as const) {
        const { status, json } = await (field === 'tags'
          ? publish({ tags: value })
          : create({ text: 'a', [field]: value }))
        const { errors = [] } = json as { errors?: { field: string }[] }
        expect(
          [status, errors.map((error) => error.field)],
          `${field} U+${character.codePointAt(0)?.toString(16)}`,
        ).toEqual([422, [field]])
      }
  })

  test('a one-line field keeps the joiners that names and emoji need', async () => {
    for (const character of NEEDED) {
      const text = `a${character}b`
      expect((await create({ text })).json).toMatchObject({ text })
      expect((await publish({ tags: [text] })).json).toMatchObject({ tags: [text] })
    }
  })

  test('a one-line field is checked in the site’s own forms too', async () => {
    const ticket = { email: 't@example.test', contactType: 'Query', message: 'm' }
    const asked = { email: 't@example.test', subject: 'other', message: 'm', confirmed: true }
    const answers = [
      await send('/api/tickets', { ...ticket, fullName: 'T\u202eT', subject: 's' }),
      await send('/api/tickets', { ...ticket, fullName: 'T', subject: 'a\r\nBcc: x@example.test' }),
      await send('/api/privacy/requests', { ...asked, name: 'T\u2066T' }, null),
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(answers[1]?.json).toMatchObject({
      errors: [{ field: 'subject', message: 'Subject is blank or contains invalid characters.' }],
    })
  })
})

test('lone surrogates, as from a truncated emoji, are replaced in every change', async () => {
  const { json } = await create({ text: 'a \ud83d', textarea: 'b \ud83d' })
  expect(json).toMatchObject({ text: 'a \ufffd', textarea: 'b \ufffd' })
  const path = `/api/kitchensink/${json.id}`
  const body = { text: 'c \udc00', textarea: 'd \ud800 \u{1f512}' }
  const changed = await api.call('PUT', path, ADMIN, { body })
  expect([changed.status, changed.json.text, changed.json.textarea]).toEqual([
    200,
    'c \ufffd',
    'd \ufffd \u{1f512}',
  ])
})

test('a slug has only letters, digits and hyphens: no path, no query', async () => {
  for (const slug of [
    'a?/../../../evil',
    '../a',
    'a/b',
    '.',
    '..',
    'a.html',
    'A',
    'ä',
    'a--b',
    '-a',
    'a b',
    'a\n',
  ]) {
    const article = await publish({ slug })
    const service = await api.call('POST', '/api/services', ADMIN, {
      body: { name: 'a', slug, category: 'Advisory', summary: 's', description: 'd' },
    })
    for (const { status, json } of [article, service])
      expect([status, json.errors?.map(fieldOf)], slug).toEqual([422, ['slug']])
  }
  expect((await publish({ slug: 'backup-365' })).status).toBe(201)
})

describe('a multi-line field', () => {
  test('a multi-line field keeps line breaks and tabs, and drops other control and bidi characters', async () => {
    const text = 'one\r\ntwo\rthree\n\tfour\u2028five\u2029six\u000bseven\u0007\u202e!\u200d'
    const clean = 'one\ntwo\nthree\n\tfour\nfive\nsix\nseven!\u200d'
    const { json } = await create({ text: 'a', textarea: text, markdown: text })
    expect(json).toMatchObject({ textarea: clean, markdown: clean })
  })

  test('a multi-line field is blank if it contains only dropped characters', async () => {
    const { status, json } = await send('/api/tickets', {
      fullName: 'T',
      email: 't@example.test',
      subject: 's',
      contactType: 'Query',
      message: '\u202e \u0007\n',
    })
    expect([status, json.errors?.[0]?.field]).toEqual([422, 'message'])
  })

  test('a multi-line field is validated quickly, even if very long', async () => {
    const before = performance.now()
    const { status } = await create({ text: 'a', markdown: `${'a'.repeat(49_999)}\0` })
    expect(status).toBe(422)
    expect(performance.now() - before).toBeLessThan(1_000)
  })
})

describe('a value older than its rule', () => {
  const OLD = { text: 'a\u202eb', textarea: 'a\r\nb\u0007' }

  test('a value older than its rule is kept when sent back unchanged, and rejected when changed', async () => {
    const path = await stored()
    const kept = await api.call('PUT', path, ADMIN, { body: { ...OLD, integer: 5 } })
    expect([kept.status, kept.json]).toMatchObject([200, { ...OLD, integer: 5 }])
    const changed = await api.call('PUT', path, ADMIN, { body: { ...OLD, text: 'c\u202ed' } })
    expect([changed.status, changed.json.errors.map(fieldOf)]).toEqual([422, ['text']])
  })

  test('a value older than its rule is kept in a list to which another value is added', async () => {
    const { json } = await publish({ tags: ['z'] })
    const path = `/api/articles/${json.id}`
    const old = ['x\ny', 'z']
    await api.database.sql('update articles set tags = $2 where id = $1', [json.id, old])
    const added = await api.call('PUT', path, ADMIN, { body: { tags: [...old, 'new'] } })
    expect([added.status, added.json.tags]).toEqual([200, [...old, 'new']])
    const changed = await api.call('PUT', path, ADMIN, { body: { tags: ['x\nz'] } })
    expect([changed.status, changed.json.errors.map(fieldOf)]).toEqual([422, ['tags']])
  })

  test('a value older than its rule doesn’t make a read-only field writable', async () => {
    const path = await stored()
    const { json } = await api.call('GET', path, ADMIN)
    const body = { text: OLD.text, version: json.version }
    expect((await api.call('PUT', path, ADMIN, { body })).status).toBe(422)
  })

  test('a value older than its rule reveals nothing to callers who can’t see the record', async () => {
    const path = await stored()
    const body = { text: OLD.text }
    const theirs = await api.call('PUT', path, ALICE, { body })
    const absent = await api.call('PUT', `/api/kitchensink/${crypto.randomUUID()}`, ALICE, { body })
    expect([theirs.status, theirs.json.errors]).toEqual([absent.status, absent.json.errors])
  })

  test('a value older than its rule doesn’t prevent restoring another version', async () => {
    const path = await stored()
    await api.call('PUT', path, ADMIN, { body: { integer: 5 } })
    await api.call('PUT', path, ADMIN, { body: { integer: 6 } })
    const { status, json } = await api.call('POST', `${path}/restore`, ADMIN, {
      body: { version: 2 },
    })
    expect([status, json]).toMatchObject([200, { ...OLD, integer: 5 }])
  })

  /** Like a row older than the rule. */
  async function stored() {
    const { json } = await create({ text: 'a' })
    await api.database.sql('update kitchensink set text = $2, textarea = $3 where id = $1', [
      json.id,
      OLD.text,
      OLD.textarea,
    ])
    return `/api/kitchensink/${json.id}`
  }
})

describe('claims of the identity provider', () => {
  test('claims of the identity provider are stored without control characters; an address with them is ignored', async () => {
    const person = {
      ...ALICE,
      sub: 'sub-marked',
      name: 'Al\u202eice\r\nBcc: x',
      email: 'a\u200e\u202eb@example.test',
      emailVerified: true,
    }
    const { json } = await send('/api/tickets', TICKET, person)
    expect((await api.call('GET', `/api/tickets/${json.id}`, ADMIN)).json.clientName).toBe(
      'Alice Bcc: x',
    )
    const filter = encodeURIComponent(JSON.stringify({ all: [['sub', 'eq', person.sub]] }))
    const { items } = (await api.call('GET', `/api/accounts?filter=${filter}`, ADMIN)).json
    expect(items).toMatchObject([{ name: 'Alice Bcc: x', email: null, emailVerified: false }])
  })

  test('claims of the identity provider are rejected if the account ID contains a control character', async () => {
    const { status } = await send('/api/tickets', TICKET, { ...ALICE, sub: 'sub\u202e' })
    expect(status).toBe(401)
  })
})

const TICKET = {
  fullName: 'T',
  email: 't@example.test',
  subject: 's',
  contactType: 'Query',
  message: 'm',
}

const publish = (body: object) => {
  const slug = crypto.randomUUID()
  return send('/api/articles', { title: 'a', slug, kind: 'Guide', body: 'b', ...body }, ADMIN)
}

const create = (body: object) => send('/api/kitchensink', body, ADMIN)

const send = (path: string, body: object, person: Person = ALICE) =>
  api.call('POST', path, person, { body })

const fieldOf = ({ field }: { field: string }) => field

function range(first: number, last: number) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
