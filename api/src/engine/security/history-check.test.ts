import { afterAll, beforeEach, expect, test, beforeAll } from 'vitest'
import { buildEngine } from '#engine/engine.ts'
import { ADMIN, CONFIG, SITE, startTest, type Test } from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'
import { buildHistoryCheck } from './history-check.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())
beforeEach(() => t.database.sql('delete from history_checks; delete from security_events'))

const { path } = fixture.group
const DAY = '2026-11-16'

async function make() {
  const { json } = await t.call('POST', `/api/${path}`, ADMIN, { body: { name: 'Compared' } })
  return String(json.id)
}

async function found() {
  await t.historyCheck.check(DAY)
  const events = await t.database.sql(
    `select outcome from security_events where kind = 'history-mismatch' order by outcome`,
  )
  const [check] = await t.database.sql('select mismatches from history_checks')
  return [check?.['mismatches'], ...events.map(({ outcome }) => outcome)]
}

test('the history check is due once a day, after 02:00 UTC', async () => {
  const at = (time: string) => t.historyCheck.due(new Date(`${DAY}T${time}Z`))
  expect(await at('01:59')).toEqual([])
  expect(await at('02:00')).toEqual([DAY])
  await t.historyCheck.check(DAY)
  expect(await at('23:59')).toEqual([])
})

test('changes, purges and rows of older releases are not reported as mismatches', async () => {
  const [changed, purged] = [await make(), await make()]
  await t.call('PUT', `/api/${path}/${changed}`, ADMIN, { body: { name: 'Changed' } })
  await t.call('DELETE', `/api/${path}/${purged}`, ADMIN)
  expect((await t.call('POST', `/api/${path}/${purged}/purge`, ADMIN)).status).toBe(204)
  await t.database
    .sql(`alter table audit_events disable trigger user; update audit_events set revision_id = null
    where entity_id = '${changed}'`)
  expect(await found()).toEqual([0])
})

test('values that a migration backfilled are no mismatch if the ledger has its name', async () => {
  const [migration] = await t.database.sql('select name from migrations limit 1')
  const backfill = (name: string) =>
    t.database
      .sql(`insert into audit_events (actor_kind, action, entity, fields, outcome, request_id)
      values ('system', 'backfill', '${path}', '{name}', 'done', '${name}')`)
  await backfill(String(migration?.['name']))
  expect(await found()).toEqual([0])
  await t.database.sql('delete from history_checks')
  await backfill('9999-forged.sql')
  expect(await found()).toEqual([1, 'no-revision'])
  await t.database.sql(`alter table audit_events disable trigger user;
    delete from audit_events where action = 'backfill'; alter table audit_events enable trigger user`)
})

test('a missing audit row, a missing revision and a purged record that reappears are each reported once', async () => {
  const [forged, lost, back] = [await make(), await make(), await make()]
  await t.database.sql(`update revisions set id = gen_random_uuid() where record_id = '${forged}'`)
  await t.database.sql(`delete from revisions where record_id = '${lost}'`)
  const [row] = await t.database.sql(
    `select to_jsonb(r) as row from ${path} r where id = '${back}'`,
  )
  await t.call('DELETE', `/api/${path}/${back}`, ADMIN)
  await t.call('POST', `/api/${path}/${back}/purge`, ADMIN)
  await t.database.sql(
    `insert into ${path} select * from jsonb_populate_record(null::${path}, $1)`,
    [row?.['row']],
  )
  // The forged one counts twice: its audit row refers to a missing revision.
  const reported = [4, 'no-audit-row', 'no-revision', 'not-purged']
  expect(await found()).toEqual(reported)
  expect(await found()).toEqual(reported)
})

test('an interrupted history check resumes where it stopped', async () => {
  for (let n = 0; n < 3; n++) await make()
  const engine = buildEngine({ models: fixture.models, db: t.db, site: SITE, desk: CONFIG.owner })
  const whole = buildHistoryCheck(engine, { batch: 2 })
  const hasty = buildHistoryCheck(engine, { batch: 2, runMaxMs: -1 })
  await hasty.check(DAY)
  expect(await t.database.sql('select from history_checks')).toEqual([])
  await whole.check(DAY)
  const [check] = await t.database.sql('select revisions, audit_rows from history_checks')
  const [real] = await t.database.sql(
    `select (select count(*)::int from revisions) as revisions, (select count(*)::int from audit_events) as audit_rows`,
  )
  expect(check).toEqual(real)
})
