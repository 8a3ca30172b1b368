import { afterAll, beforeAll, expect, test } from 'vitest'
import { getTableName } from 'drizzle-orm'
import { ADMIN, sqlOn, startTest, type Test } from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'
import { allTables } from '#schema.ts'
import { grantRights, isAppendOnly, storeOf } from '#platform/define-table.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const asApp = (text: string, values: unknown[] = []) =>
  sqlOn(t.database.url('gatehouse_app'), text, values)
const NOT_ALLOWED = { code: '42501' }
const GROWING_TABLES = allTables(fixture.tables).filter(isAppendOnly)
const GROWING = GROWING_TABLES.map(getTableName)

async function make() {
  const { json } = await t.call('POST', `/api/${fixture.story.path}`, ADMIN, {
    body: fixture.story.body,
  })
  return String(json.id)
}

const revisionsOf = (id: string) =>
  t.database.sql('select version from revisions where record_id = $1', [id])

const purge = (id: string, model: string = fixture.story.path) =>
  asApp(`select purge_history($1, array[$2]::uuid[], null, 'system', 'test')`, [model, id])

test('the application’s role can’t change, delete or truncate append-only tables', async () => {
  await make()
  expect(GROWING).toEqual(
    expect.arrayContaining(['audit_events', 'revisions', 'security_events', 'subject_refs']),
  )
  for (const table of GROWING) {
    const [column] = await t.database.sql(
      `select attname from pg_attribute where attrelid = $1::regclass and attnum = 2`,
      [table],
    )
    const name = String(column?.['attname'])
    for (const text of [
      `update ${table} set ${name} = ${name}`,
      `delete from ${table}`,
      `truncate ${table}`,
      `select 1 from ${table} for update`,
      `alter table ${table} disable trigger all`,
    ])
      await expect(asApp(text), text).rejects.toMatchObject(NOT_ALLOWED)
    expect(await asApp(`select 1 from ${table} limit 1`)).toBeDefined()
  }
})

test('purge_history rejects existing records, live or in the trash, under any model name', async () => {
  const id = await make()
  await expect(purge(id)).rejects.toMatchObject(NOT_ALLOWED)
  await expect(purge(id, 'nothing')).rejects.toMatchObject(NOT_ALLOWED)
  await t.database.sql(`update ${fixture.story.path} set deleted_at = now() where id = $1`, [id])
  await expect(purge(id)).rejects.toMatchObject(NOT_ALLOWED)
  expect(await revisionsOf(id)).toHaveLength(1)
})

test('temporary tables don’t shadow the tables that purge_history reads', async () => {
  const id = await make()
  const path = fixture.story.path
  await expect(
    asApp(`create temp table ${path} (id uuid, deleted_at timestamptz, restricted_at timestamptz);
      create temp table revisions (id uuid); set search_path = pg_temp, public;
      select public.purge_history('${path}', array['${id}']::uuid[], null, 'system', 'test')`),
  ).rejects.toMatchObject(NOT_ALLOWED)
  expect(await revisionsOf(id)).toHaveLength(1)
})

test('purge_history deletes the history of a deleted record and writes the audit row', async () => {
  const id = await make()
  await asApp(`delete from ${fixture.story.path} where id = $1`, [id])
  await purge(id)
  expect(await revisionsOf(id)).toEqual([])
  const rows = await asApp(
    `select action, actor_kind, request_id from audit_events where entity_id = $1 order by seq`,
    [id],
  )
  expect(rows.at(-1)).toEqual({ action: 'purge', actor_kind: 'system', request_id: 'test' })
})

test('a revision’s ownership can be backfilled once, its other columns never', async () => {
  const id = await make()
  const settle = () =>
    asApp(`select settle_revision(id, 'forged', null, true) from revisions where record_id = $1`, [
      id,
    ])
  const ownerOf = async () =>
    (await asApp('select owner from revisions where record_id = $1', [id]))[0]?.['owner']
  const before = await ownerOf()
  await settle()
  expect(await ownerOf()).toBe(before)
  await t.database.sql('update revisions set is_settled = false where record_id = $1', [id])
  await settle()
  await t.database.sql(`update revisions set owner = 'first' where record_id = $1`, [id])
  await settle()
  expect(await ownerOf()).toBe('first')
})

test('expiry deletes security events past their retention period and keeps younger ones', async () => {
  await t.database.sql(`insert into security_events (id, kind, at) values
    (gen_random_uuid(), 'old', now() - interval '12 months 1 minute'),
    (gen_random_uuid(), 'young', now() - interval '11 months 27 days')`)
  expect(await t.rowExpiry.due()).toContain('security_events')
  await t.rowExpiry.expire('security_events')
  const left = await asApp(`select kind from security_events where kind in ('old', 'young')`)
  expect(left).toEqual([{ kind: 'young' }])
})

test('each expiry function of an append-only table uses the declared retention period', async () => {
  for (const table of GROWING_TABLES) {
    const term = storeOf(table).expires?.term
    if (term === undefined) continue
    const [row] = await t.database.sql(
      `select prosrc from pg_proc where proname = 'expire_' || $1`,
      [getTableName(table)],
    )
    expect(row?.['prosrc']).toContain(`interval '${term}'`)
  }
})

test('only the application’s role may call SECURITY DEFINER functions, which fix their search_path', async () => {
  const found = await t.database.sql(
    `select proname as name, has_function_privilege('gatehouse_app', pg_proc.oid, 'execute') as app,
        has_function_privilege('gatehouse_read', pg_proc.oid, 'execute') as read,
        proconfig::text as config from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef order by proname`,
  )
  expect(found.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['purge_history', 'settle_revision']),
  )
  for (const { name, ...rest } of found)
    expect(rest, name).toEqual({
      app: true,
      read: false,
      config: '{"search_path=pg_catalog, public, pg_temp"}',
    })
})

test('a new table is append-only until its rights are declared', async () => {
  await t.database.sql('create table newcomer (id int)')
  const rights = async (name: string) =>
    asApp(`select one from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) one
      where has_table_privilege('gatehouse_app', '${name}', one)`).then((rows) =>
      rows.map(({ one }) => one),
    )
  expect(await rights('newcomer')).toEqual(['select', 'insert'])
  await t.database.sql('drop table newcomer')
  await t.database.sql('revoke update, delete on purges from gatehouse_app')
  await t.database.sql('grant update, delete on revisions to gatehouse_app')
  await grantRights(t.database.sql, allTables(fixture.tables))
  expect(await rights('purges')).toEqual(['select', 'insert', 'update', 'delete'])
  expect(await rights('revisions')).toEqual(['select', 'insert'])
})

test('the audit row of a change refers to its revision', async () => {
  const id = await make()
  const rows = await asApp(
    `select revisions.id is not null as named from audit_events left join revisions on revisions.id = revision_id
      where entity_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ named: true }])
})
