import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startApi } from '../../../ops/drills/kit/api-process.ts'
import { startKeyServer } from '../../../ops/drills/kit/key-server.ts'
import { ADMIN, ALICE, BOB, startTest, type Test } from '../../test/kit.ts'
import { withMoves } from '../../test/moves.ts'
import { FIXTURE_MODELS } from '../../test/scope-fixture.ts'

/** Enough work to kill a worker in the middle. */
const MANY = 3_000
const OWNERSHIP = `select id, model, version, owner, org, is_open, is_settled from revisions order by id`
/** As written by an older release. */
const CLEAR_OWNERSHIP = `update revisions set owner = null, org = null, is_open = false, is_settled = false`

let t: Test
beforeEach(async () => {
  t = await startTest({ models: FIXTURE_MODELS })
})
afterEach(() => t.stop())

test('the backfill restores missing ownership of older releases as the current release writes it', async () => {
  await live()
  const written = await t.database.sql(OWNERSHIP)
  // Guards the comparison below: every kind of result occurs.
  expect(new Set(written.map(({ is_open }) => is_open))).toEqual(new Set([true, false]))
  expect(written.filter(({ model, owner }) => model === 'replies' && owner).length).toBeGreaterThan(
    3,
  )
  await t.database.sql(CLEAR_OWNERSHIP)
  await backfillAll()
  expect(await t.database.sql(OWNERSHIP)).toEqual(written)
})

test('the backfill includes revisions an older replica wrote between ours', async () => {
  await live()
  const written = await t.database.sql(OWNERSHIP)
  await t.database.sql(`${CLEAR_OWNERSHIP} where version % 2 = 0`)
  await backfillAll()
  expect(await t.database.sql(OWNERSHIP)).toEqual(written)
})

test('a revision is visible to admins only until its ownership is backfilled, and a retry of its request gets 409', async () => {
  const headers = { 'idempotency-key': 'before-the-release' }
  const post = () => t.call('POST', '/api/pins', ALICE, { body: { text: 'mine' }, headers })
  const first = await post()
  const history = async (person = ALICE) =>
    (await t.call('GET', `/api/pins/${first.json.id}/history`, person)).json.items.length
  await t.database.sql(CLEAR_OWNERSHIP)
  expect([await history(), await history(ADMIN)]).toEqual([0, 1])
  const early = await post()
  expect([early.status, early.json.code, early.headers.get('retry-after')]).toEqual([
    409,
    'in-flight',
    '2',
  ])
  await backfillAll()
  expect(await history()).toBe(1)
  expect((await post()).text).toBe(first.text)
})

test('the backfill leaves revisions without provable ownership visible to admins only', async () => {
  const missing = await create('pins', { text: 'one', owner: ALICE.sub })
  await change('pins', missing, { text: 'two' })
  const restricted = await create('pins', { text: 'three', owner: ALICE.sub })
  const orphan = await create('tickets', { ...TICKET, clientId: ALICE.sub })
  const reply = await create('replies', { ticket: orphan, body: 'four' })
  const article = await create('articles', {
    title: 'Five',
    slug: 'five',
    kind: 'Guide',
    body: 'x',
    published: true,
  })
  await t.database.sql(CLEAR_OWNERSHIP)
  await t.database.sql('delete from revisions where record_id = $1 and version = 1', [missing])
  await t.database.sql('update pins set restricted_at = now() where id = $1', [restricted])
  await t.database.sql('delete from revisions where record_id = $1', [orphan])
  await backfillAll()
  const rows = await t.database.sql(
    'select owner, is_open, is_settled from revisions where record_id = any($1)',
    [[missing, restricted, reply, article]],
  )
  expect(rows).toHaveLength(4)
  for (const row of rows) expect(row).toEqual({ owner: null, is_open: false, is_settled: true })
})

test('another worker resumes the backfill of a killed one', async () => {
  const ticket = await create('tickets', { ...TICKET, clientId: ALICE.sub })
  await t.database.sql(
    `insert into tickets select copy.* from tickets t, generate_series(1, ${MANY}) n, jsonb_populate_record(t,
      jsonb_build_object('id', gen_random_uuid(), 'number', 1000000 + n, 'client_id', 'sub-' || n)) copy`,
  )
  await t.database.sql(
    `insert into revisions (id, operation_id, model, record_id, version, action, after)
    select gen_random_uuid(), gen_random_uuid(), 'tickets', id, 1, 'create', jsonb_build_object('clientId', client_id)
    from tickets where id <> $1`,
    [ticket],
  )
  const backfilledCount = async () => {
    const [row] = await t.database.sql(
      `select count(*)::int as count from revisions where model = 'tickets' and is_settled and record_id <> $1`,
      [ticket],
    )
    return Number(row.count)
  }
  const keys = await startKeyServer()
  const doomed = await startApi({
    env: {
      ...keys.env,
      DATABASE_URL: t.database.url('gatehouse_app'),
      // The database also has the tables of the tests' own models.
      UNDECLARED: 'warn',
    },
  })
  await vi.waitFor(async () => expect(await backfilledCount()).toBeGreaterThan(0), {
    timeout: 30_000,
    interval: 20,
  })
  await doomed.kill()
  const partial = await backfilledCount()
  expect(partial).toBeLessThan(MANY)
  await backfillAll()
  expect(await backfilledCount()).toBe(MANY)
  const wrong = await t.database.sql(
    `select 1 from revisions r join tickets t on t.id = r.record_id where r.owner is distinct from t.client_id or not r.is_open`,
  )
  expect(wrong).toEqual([])
  console.log(`killed after ${partial} of ${MANY}`)
  keys.stop()
})

async function live() {
  const [ours, theirs] = [
    await create('organisations', { name: 'Ours' }),
    await create('organisations', { name: 'Theirs' }),
  ]
  const ticket = await create('tickets', { ...TICKET, clientId: ALICE.sub, organisation: theirs })
  const other = await create('tickets', { ...TICKET, clientId: BOB.sub })
  const reply = await create('replies', { ticket, body: 'first', internal: true })
  await change('replies', reply, { internal: false })
  await change('tickets', ticket, { organisation: ours, clientId: null, email: NEXT_OWNER_EMAIL })
  await change('replies', reply, { body: 'second' })
  await withMoves(FIXTURE_MODELS, 'replies', () => change('replies', reply, { ticket: other }))
  await change('tickets', other, { clientId: ALICE.sub, email: NEXT_OWNER_EMAIL })
  await change('replies', reply, { internal: true })
  await create('messages', { ticket, body: 'answer' })
  const pin = await create('pins', { text: 'pin', owner: BOB.sub, organisation: ours })
  await change('pins', pin, { owner: ALICE.sub, organisation: null })
  await t.call('DELETE', `/api/pins/${pin}`, ADMIN)
  await t.call('POST', `/api/pins/${pin}/restore`, ADMIN, { body: {} })
  await t.call('DELETE', `/api/tickets/${other}`, ADMIN)
  const service = {
    name: 'Watch',
    slug: 'watch',
    category: 'Advisory',
    summary: 'x',
    description: 'x',
    published: true,
  }
  await change('services', await create('services', service), { published: false })
  await create('contacts', { fullName: 'C', email: 'c@example.test', organisation: ours })
}

const NEXT_OWNER_EMAIL = 'next@example.test'
const TICKET = { fullName: 'Una', email: 'una@example.test', subject: 'Slow', message: 'Very' }

async function create(path: string, body: object): Promise<string> {
  const created = await t.call('POST', `/api/${path}`, ADMIN, { body })
  expect(created.status, created.text).toBe(201)
  return created.json.id
}

async function change(path: string, id: string, body: object) {
  const changed = await t.call('PUT', `/api/${path}/${id}`, ADMIN, { body })
  expect(changed.status, changed.text).toBe(200)
}

async function backfillAll() {
  for (
    let paths = await t.ownershipBackfill.due();
    paths.length > 0;
    paths = await t.ownershipBackfill.due()
  )
    for (const path of paths) await t.ownershipBackfill.backfill(path)
}
