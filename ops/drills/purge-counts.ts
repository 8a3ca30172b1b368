import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'

/** Smaller tables are scanned faster than by index. */
const SMALL_ROWS = 10_000

export async function leftOf(client: pg.Client, due: string[]) {
  const { rows } = await client.query<{ id: string }>(
    'select id from contacts where id = any($1)',
    [due],
  )
  return rows.map(({ id }) => id)
}

export async function linksTo(client: pg.Client, contacts: string[]) {
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from tickets where contact = any($1)',
    [contacts],
  )
  return Number(rows[0]?.count)
}

export async function countedLinks(client: pg.Client, contacts: string[]) {
  const { rows } = await client.query<{ count: string }>(
    `select coalesce(sum((counts #>> '{unlinked,tickets}')::int), 0) as count
      from audit_events where action = 'purge' and entity_id = any($1)`,
    [contacts],
  )
  return Number(rows[0]?.count)
}

export async function scansOfTickets(client: pg.Client) {
  // pg_stat counters lag behind the transaction.
  await setTimeout(1_500)
  const { rows } = await client.query<{ scans: string }>(
    `select seq_scan as scans from pg_stat_user_tables where relname = 'tickets'`,
  )
  return Number(rows[0]?.scans)
}

/** Foreign keys PostgreSQL would check by a full scan of a big table. */
export async function unservedKeys(client: pg.Client) {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select conrelid::regclass::text as table, attname as column from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      join pg_class on pg_class.oid = conrelid
      where contype = 'f' and connamespace = 'public'::regnamespace and reltuples > $1`,
    [SMALL_ROWS],
  )
  const unserved: string[] = []
  await client.query('set plan_cache_mode = force_generic_plan')
  for (const { table, column } of rows) {
    await client.query(`prepare lookup (uuid) as select 1 from ${table} where ${column} = $1`)
    const plan = await client.query<Record<string, string>>(
      `explain execute lookup ('00000000-0000-0000-0000-000000000000')`,
    )
    await client.query('deallocate lookup')
    if (plan.rows.some((row) => Object.values(row).join().includes('Seq Scan')))
      unserved.push(`${table}.${column}`)
  }
  return unserved
}
