import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ADMIN, ALICE, BOB, sqlOn, startTest, type Test } from '../../../test/kit.ts'
import { withRises } from './counts.ts'
import { toCsv } from './csv.ts'

let t: Test
let ticket: string
const refs = new Map<string, string>()
beforeAll(async () => {
  t = await startTest()
  const body = { fullName: 'Alice', email: 'a@example.test', subject: '=VPN', message: 'Slow' }
  ticket = (await t.call('POST', '/api/tickets', ALICE, { body })).json.id
  await t.call('POST', '/api/tickets', BOB, { body: { ...body, subject: 'Printer' } })
  await t.call('PUT', `/api/tickets/${ticket}`, ADMIN, { body: { internalNotes: 'CEO’s friend' } })
  await setTimeout(1_000)
  for (const { sub, ref } of await t.database.sql('select sub, ref from subject_refs'))
    refs.set(sub, ref)
  await t.database.sql('delete from security_events; delete from security_event_counts')
  await t.database.sql(
    `insert into security_events (id, at, kind, actor_ref)
      select gen_random_uuid(), timestamptz '2026-03-01 00:00Z' + n * interval '1 minute', 'sign-in',
        case when n % 10 = 0 then $1::uuid else $2::uuid end from generate_series(1, 100) n`,
    [refs.get(BOB.sub), refs.get(ALICE.sub)],
  )
  await t.database.sql(
    `insert into security_events (id, at, kind, actor_ref, about_ref, model, record, outcome) values
      (gen_random_uuid(), '2026-03-02 03:00Z', 'read', $1, null, 'tickets', $3, null),
      (gen_random_uuid(), '2026-03-02 04:00Z', 'role-granted', $1, $2, null, null, 'owner'),
      (gen_random_uuid(), '2026-03-02 05:00Z', 'sign-in', gen_random_uuid(), null, null, null, null)`,
    [refs.get(ADMIN.sub), refs.get(BOB.sub), ticket],
  )
})
afterAll(() => t.stop())

const UUID = '0190a5b0-0000-7000-8000-000000000000'
/** Rejected by PostgreSQL, even if JavaScript's Date accepts them. */
const NO_INSTANTS = [
  '2026-02-30T00:00:00Z',
  '2025-02-29T12:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:01Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00%2B16:00',
  '2026-01-01T00:00:00%2B99:99',
  '0000-01-01T00:00:00Z',
  '9999-99-99T00:00:00Z',
  '12026-01-01T00:00:00Z',
  '%2B294277-01-01T00:00:00Z',
  '-004714-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z%00',
  '2026-01-01T00:00:00Z%0A',
  '2026-01-01T12',
  '12',
  'infinity',
  '-infinity',
  'now',
  'epoch',
]

const get = (path: string) => t.call('GET', `/api/${path}`, ADMIN)
type Item = { id: string; at: string; kind: string; fields?: string[] }
const itemsOf = async (path: string): Promise<Item[]> => (await get(path)).json.items

async function walk(path: string) {
  const found: Item[] = []
  for (let before: string | null = ''; before !== null;) {
    const { json } = await get(`${path}${path.includes('?') ? '&' : '?'}before=${before}`)
    found.push(...json.items)
    before = json.next
  }
  return found
}

describe('GET /api/security-events', () => {
  test('pages of security events contain each event once, newest first', async () => {
    const all = await walk('security-events?to=2026-03-03T00:00:00Z')
    expect(new Set(all.map(({ id }) => id)).size).toBe(103)
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
  })

  test('security events name accounts to owners; the name of a deleted account is null', async () => {
    const items = await itemsOf('security-events?from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z')
    expect(items).toMatchObject([
      { kind: 'sign-in', by: { name: null, isYou: false } },
      { kind: 'role-granted', outcome: 'owner', by: { isYou: true }, about: { name: 'Bob' } },
      { kind: 'read', record: { model: 'tickets', id: ticket, label: '=VPN' } },
    ])
  })

  test.each<[string, () => string, number]>([
    ['a kind', () => 'kind=sign-in', 101],
    ['a person', () => `person=${refs.get(ALICE.sub)}`, 90],
    ['a person who did it or whom it happened to', () => `person=${refs.get(BOB.sub)}`, 11],
    ['a person and a kind', () => `person=${refs.get(BOB.sub)}&kind=sign-in`, 10],
    ['a record', () => `record=${ticket}`, 1],
    ['a record and a person', () => `record=${ticket}&person=me`, 1],
    ['a record and another person', () => `record=${ticket}&person=${refs.get(BOB.sub)}`, 0],
    ['a span', () => 'from=2026-03-01T00:30:00Z&to=2026-03-01T00:40:00Z', 10],
    ['an unknown person', () => 'person=0190a5b0-0000-7000-8000-000000000000', 0],
  ])('security events are filtered by %s', async (_what, query, count) => {
    const all = await walk(`security-events?${query()}`)
    expect(all.filter(({ at }) => at < '2026-03-03')).toHaveLength(count)
  })

  test('security events can be filtered by account id', async () => {
    const [account] = await t.database.sql('select id from accounts where sub = $1', [BOB.sub])
    expect(await walk(`security-events?person=${account?.['id']}`)).toHaveLength(11)
  })

  test.each([
    'kind=other',
    'kind=',
    'person=x',
    'record=x',
    'from=soon',
    'from=',
    'before=x',
    'kind=a&kind=b',
  ])('security events reject the query %s', async (query) =>
    expect((await get(`security-events?${query}`)).status).toBe(400),
  )
})

describe('GET /api/changes', () => {
  test('changes list actor, record and field labels, without values', async () => {
    const items = await itemsOf(`changes?model=tickets&record=${ticket}`)
    expect(items).toMatchObject([
      { action: 'update', by: { isYou: true }, fields: ['Internal notes'] },
      { action: 'create', by: { name: 'Alice' }, record: { model: 'tickets', label: '=VPN' } },
    ])
    expect(JSON.stringify(items)).not.toContain('friend')
  })

  test.each<[string, () => string, number]>([
    ['a model', () => 'model=tickets', 3],
    ['a person', () => `person=${refs.get(BOB.sub)}&model=tickets`, 1],
    ['you', () => 'person=me&model=tickets', 1],
    ['a span', () => 'model=tickets&to=2026-01-01T00:00:00Z', 0],
    ['another span', () => `model=tickets&from=${new Date(Date.now() - 60_000).toISOString()}`, 3],
  ])('changes are filtered by %s', async (_what, query, count) => {
    expect(await walk(`changes?${query()}`)).toHaveLength(count)
  })

  test('changes of a person across models equal the sum of their changes per model', async () => {
    const person = `person=${refs.get(ADMIN.sub)}`
    const all = await walk(`changes?${person}`)
    const real = await t.database.sql('select seq from audit_events where actor_ref = $1', [
      refs.get(ADMIN.sub),
    ])
    expect(all).toHaveLength(real.length)
  })
})

describe.each(['security-events', 'security-events/export', 'changes', 'changes/export'])(
  'GET /api/%s',
  (path) => {
    test.each(NO_INSTANTS)('a log rejects the instant %s', async (instant) => {
      for (const name of ['from', 'to']) {
        const { status, json } = await get(`${path}?${name}=${instant}`)
        expect([name, status, json.code]).toEqual([name, 400, 'invalid-query'])
      }
    })
  },
)

test.each([
  '0001-01-01T00:00:00%2B15:59',
  '9999-12-31T23:59:59.999999999-15:59',
  '2024-02-29T23:59:59Z',
])('both logs accept the instant %s', async (instant) => {
  for (const path of ['security-events', 'changes'])
    for (const name of ['from', 'to'])
      expect((await get(`${path}?${name}=${instant}`)).status).toBe(200)
})

test.each([
  ...NO_INSTANTS.map((instant) => `${instant}_${UUID}`),
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z_',
  `2026-01-01T00:00:00Z_${UUID}_1`,
  `2026-01-01T00:00:00Z_{${UUID}}`,
  `_${UUID}`,
])('GET /api/security-events rejects the cursor %s', async (before) => {
  const { status, json } = await get(`security-events?before=${before}`)
  expect([status, json.code]).toEqual([400, 'invalid-query'])
})

test.each([
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '%2B1',
  '9223372036854775808',
  '9'.repeat(90),
  'infinity',
  UUID,
])('GET /api/changes rejects the cursor %s', async (before) => {
  const { status, json } = await get(`changes?before=${before}`)
  expect([status, json.code]).toEqual([400, 'invalid-query'])
})

describe('log exports', () => {
  test('an export has every row, escapes spreadsheet formulas, and is recorded as an event', async () => {
    const { status, text, headers } = await raw('security-events/export?to=2026-03-03T00:00:00Z')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(104)
    expect(lines.find((line) => line.includes('tickets'))).toContain(",'=VPN,")
    expect(lines[1]).toContain('Former account')
    const rows = await t.database.sql(
      `select outcome, actor_ref as ref from security_events where kind = 'exported'`,
    )
    expect(rows).toEqual([{ outcome: 'security-events', ref: refs.get(ADMIN.sub) }])
  })

  test('an export of changes applies the filters', async () => {
    const { text } = await raw(`changes/export?model=tickets&record=${ticket}`)
    expect(text.trim().split('\r\n')).toHaveLength(3)
  })

  test('an export stops reading when the caller disconnects', async () => {
    await t.database.sql(`insert into security_events (id, kind)
      select gen_random_uuid(), 'read' from generate_series(1, 60000)`)
    const aborting = new AbortController()
    const response = await fetch(`${t.base}/api/security-events/export`, {
      headers: { authorization: `Bearer ${await t.tokenOf(ADMIN)}` },
      signal: aborting.signal,
    })
    await response.body?.getReader().read()
    aborting.abort()
    const statements = async () => {
      const [row] = await sqlOn(
        t.database.url('postgres'),
        `select sum(idx_scan)::int as scans from pg_stat_user_indexes where indexrelname = 'security_events_at_index'`,
      )
      return row?.['scans']
    }
    await setTimeout(2_000)
    const before = await statements()
    await setTimeout(2_000)
    expect(await statements()).toBe(before)
  })

  test('an export ends when its caller is signed out while it runs', async () => {
    await t.database.sql(
      `insert into security_events (id, at, kind) select gen_random_uuid(), '2025-03-01', 'sign-in' from generate_series(1, 1500)`,
    )
    const revoked = vi.spyOn(t.app, 'isRevoked').mockReturnValueOnce(false).mockReturnValue(true)
    await expect(raw('security-events/export')).rejects.toThrow('terminated')
    expect(revoked).toHaveBeenCalledTimes(2)
    revoked.mockRestore()
    expect((await raw('security-events/export')).text.split('\n').length).toBeGreaterThan(1_500)
  })

  const raw = async (path: string) => {
    const response = await fetch(`${t.base}/api/${path}`, {
      headers: { authorization: `Bearer ${await t.tokenOf(ADMIN)}` },
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
})

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['a "b", c', '"a ""b"", c"'],
  ['two\nlines', '"two\nlines"'],
  [null, ''],
])('the cell %j is written as %j', (value, cell) => {
  const written = toCsv([value])
  expect(written).toBe(`${cell}\r\n`)
})

test('an hour far above the median is a rise; a week of low counts has none', () => {
  const hours = (counts: number[]) => counts.map((count) => ({ hour: '', count }))
  const rises = (counts: number[]) => withRises(hours(counts)).map(({ isRise }) => isRise)
  expect(rises([0, 5, 6, 7, 60, 5])).toEqual([false, false, false, false, true, false])
  expect(rises([0, 1, 0, 5, 1])).not.toContain(true)
  expect(rises([100, 110, 90, 120])).not.toContain(true)
})

test('event counts cover each hour of the last seven days', async () => {
  await t.database.sql(
    `insert into security_event_counts (hour, kind, count) values (date_trunc('hour', now()), 'locked-out', 3)`,
  )
  const { json } = await get('security-events/counts?kind=locked-out')
  expect(json.hours).toHaveLength(168)
  expect(json.hours.at(-1)).toMatchObject({ count: 3, isRise: false })
})
