import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, startTest, type Test } from '../../test/kit.ts'

const URL = '/api/privacy/requests'
const PER_HOUR = 3
const OWN = { 'sec-fetch-site': 'same-origin' }

let api: Test
let rendered: unknown[] = []
const renderInquiry = async (refusal: unknown) => {
  rendered.push(refusal)
  return '<!doctype html><title>Request not sent</title>'
}
beforeAll(async () => {
  api = await startTest({ limits: { inquiriesPerHour: PER_HOUR }, renderInquiry })
})
afterAll(() => api.stop())

let count = 0
const inquiry = (changes: Record<string, string> = {}) => ({
  name: 'Iris Quill',
  email: `form${++count}@example.test`,
  subject: 'access',
  message: 'What do you know\r\nabout me?',
  confirmed: 'on',
  website: '',
  ...changes,
})

let visitors = 0
/** Posts from a fresh client address, unless given. */
const post = (body: Record<string, string> | string, headers: Record<string, string> = OWN) =>
  fetch(`${api.base}${URL}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `198.51.100.${++visitors}`,
      ...headers,
    },
    body: new URLSearchParams(body).toString(),
  })
const kept = async (email: string) =>
  (await api.call('GET', '/api/privacyrequests?pageSize=100', ADMIN)).json.items.filter(
    (item: { email: string }) => item.email === email,
  )

describe('a privacy request posted as a form', () => {
  test('[PRIV-04] a posted privacy form is stored, and the response page has its reference and due date', async () => {
    rendered = []
    const body = inquiry()
    const answer = await post(body)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      202,
      'text/html; charset=utf-8',
    ])
    const [record] = await kept(body.email)
    const { reference, dueOn } = record
    expect(rendered).toEqual([{ reference, dueOn, isEmailed: true }])
    const { json } = await api.call('GET', `/api/privacyrequests/${record.id}`, ADMIN)
    expect(json).toMatchObject({
      name: 'Iris Quill',
      kind: 'access',
      message: 'What do you know\nabout me?',
    })
  })

  test('a privacy form without a confirmation mail gets a page that mentions no email', async () => {
    rendered = []
    const email = 'budget@example.test'
    for (const message of ['1', '2', '3', '4']) await post(inquiry({ email, message }))
    expect(rendered).toMatchObject([true, true, true, false].map((isEmailed) => ({ isEmailed })))
  })

  test('a privacy form sent twice, in sequence or concurrently, creates one request', async () => {
    const body = inquiry()
    const first = await post(body)
    const again = await post(body)
    expect([first.status, again.status]).toEqual([202, 202])
    expect(await kept(body.email)).toHaveLength(1)
    const other = inquiry()
    const both = await Promise.all([post(other), post(other), post(other)])
    expect(both.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(await kept(other.email)).toHaveLength(1)
  })

  test.each([{}, { website: 'https://spam.test' }])(
    'a privacy form with an invalid idempotency key is rejected (honeypot fields %j)',
    async (more) => {
      const body = { ...inquiry(), ...more }
      const answer = await post(body, { ...OWN, 'idempotency-key': 'a b' })
      expect(answer.status).toBe(400)
      expect(await kept(body.email)).toEqual([])
    },
  )

  test('a privacy form is stored even if another caller guessed and used its key before', async () => {
    const { website: _, ...typed } = inquiry()
    const sent = { ...typed, message: 'What do you know\nabout me?', confirmed: true }
    const guesses = [sent, { ...sent, website: '' }].map((guess) => ({
      'idempotency-key': `form-${createHash('sha256').update(JSON.stringify(guess)).digest('hex')}`,
    }))
    for (const headers of guesses)
      expect((await api.call('POST', URL, null, { body: sent, headers })).status).toBe(400)
    expect((await post(typed)).status).toBe(202)
    expect(await kept(typed.email)).toHaveLength(1)
  })

  test('[PRIV-04] a rejected privacy form is returned with an error per field and all its input', async () => {
    rendered = []
    const answer = await post(
      inquiry({ name: ' <b>" style=x', email: 'x', subject: '', confirmed: '', more: 'y' }),
    )
    expect(answer.status).toBe(422)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; .*form-action 'self'; frame-ancestors 'none'/,
    )
    expect(rendered).toEqual([
      {
        values: { name: ' <b>" style=x', email: 'x', message: 'What do you know\nabout me?' },
        errors: expect.arrayContaining([
          { field: 'email', message: 'Email must be an email address.' },
          { field: 'subject', message: 'Subject is required.' },
          { field: 'confirmed', message: 'The confirmation is required.' },
        ]),
        text: expect.any(String),
      },
    ])
  })

  test('a privacy form filled in by a bot gets the usual page and isn’t stored', async () => {
    const body = inquiry({ website: 'https://spam.example' })
    const answer = await post(body)
    expect(answer.status).toBe(202)
    expect(await kept(body.email)).toEqual([])
  })

  test('a privacy form that is too large or too frequent gets an error page', async () => {
    const large = await post(inquiry({ message: 'x'.repeat(140_000) }))
    expect([large.status, large.headers.get('content-type')]).toEqual([
      413,
      'text/html; charset=utf-8',
    ])
    const email = 'too.often@example.test'
    const statuses = []
    for (const message of ['1', '2', '3', '4']) {
      const headers = { ...OWN, 'x-forwarded-for': '203.0.113.9' }
      statuses.push((await post(inquiry({ email, message }), headers)).status)
    }
    expect(statuses).toEqual([202, 202, 202, 429])
    expect(rendered.at(-1)).toMatchObject({ values: { email, message: '4' }, errors: [] })
  })

  test('a privacy form in a script with three bytes per character has the same length limit', async () => {
    const body = inquiry({ message: '語'.repeat(10_000) })
    expect((await post(body)).status).toBe(202)
  })

  test('a privacy form from another website is rejected without showing its input', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ]) {
      rendered = []
      const body = inquiry()
      const answer = await post(body, headers as Record<string, string>)
      expect([headers, answer.status]).toEqual([headers, 403])
      expect(rendered).toEqual([
        {
          values: {},
          errors: [],
          text: 'The form was sent from another website. Please fill it in here.',
        },
      ])
      expect(await kept(body.email)).toEqual([])
    }
  })

  test('a privacy form with Origin "null", as under no-referrer, is accepted', async () => {
    for (const headers of [{}, { origin: 'null' }, { origin: api.base }])
      expect((await post(inquiry(), headers as Record<string, string>)).status).toBe(202)
  })
})

test('only the privacy request path accepts forms, and it accepts only JSON and forms', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const tickets = await fetch(`${api.base}/api/tickets`, { method: 'POST', headers, body: 'a=b' })
  expect(tickets.status).toBe(415)
  const choices = await fetch(`${api.base}/api/privacy/choices`, {
    method: 'POST',
    headers,
    body: 'a=b',
  })
  expect(choices.status).toBe(415)
  const multipart = await fetch(`${api.base}${URL}`, { method: 'POST', body: new FormData() })
  expect([multipart.status, multipart.headers.get('content-type')]).toEqual([
    415,
    'application/problem+json; charset=utf-8',
  ])
})

test('[PRIV-04] a posted privacy form redirects to the static page without a renderer', async () => {
  const unbuilt = await startTest({ renderInquiry: () => Promise.reject(new Error('not built')) })
  try {
    const answer = await fetch(`${unbuilt.base}${URL}`, {
      method: 'POST',
      redirect: 'manual',
      headers: OWN,
      body: new URLSearchParams(inquiry()),
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/privacy/received'])
  } finally {
    await unbuilt.stop()
  }
})

test('rendering of form pages is rate-limited per network: a flooder gets problems, others their pages', async () => {
  const flooded = await startTest({ renderInquiry: async () => '<!doctype html>' })
  try {
    const types = new Map<string, number>()
    const refuse = async (from: string) => {
      const answer = await fetch(`${flooded.base}${URL}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from },
        body: 'name=x',
      })
      expect(answer.status).toBe(422)
      return answer.headers.get('content-type')?.split(';')[0] ?? ''
    }
    for (let i = 0; i < 40; i++) {
      const type = await refuse('203.0.113.7')
      types.set(type, (types.get(type) ?? 0) + 1)
    }
    expect(Object.fromEntries(types)).toEqual({ 'text/html': 30, 'application/problem+json': 10 })
    expect(await refuse('203.0.113.8')).toBe('text/html')
  } finally {
    await flooded.stop()
  }
})
