import { problemMessages } from '@gatehouse/model'
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import type { Runner } from '#platform/db.ts'
import { unavailable } from '#platform/errors.ts'
import { MIGRATIONS_COLUMNS, migrationNames } from '#platform/migrate.ts'
import { PUBLIC } from './access-level.ts'

const RECHECK_MS = 10_000
const NAMED_MAX = 20

export type Declared = {
  tables: PgTable[]
  /** Columns that may be missing: the next release drops them. */
  optional: string[]
  /** Schemas that are not checked: the queue's, a managed host's. */
  schemas: string[]
}

type Health = Declared & {
  db: Runner
  readiness: { isStopping: boolean; isStarting: boolean }
  /** `warn`: stays ready even if something is undeclared. For emergencies. */
  undeclared: 'refuse' | 'warn'
}

/** Ready while the database responds and its schema equals the declared one. */
export function healthRoutes(app: FastifyInstance, health: Health) {
  const { db, readiness, undeclared } = health
  let checkedAt = -RECHECK_MS
  let reported = ''
  app.get('/healthz', { config: { isVital: true, needs: PUBLIC } }, () => ({ status: 'ok' }))

  app.get('/readyz', { config: { isVital: true, needs: PUBLIC } }, async () => {
    await requireReady()
    return { status: 'ready' }
  })

  return () =>
    requireReady().then(
      () => true,
      () => false,
    )

  async function requireReady() {
    if (readiness.isStopping) throw unavailable('stopping', problemMessages.stopping)
    if (performance.now() - checkedAt >= RECHECK_MS) await requireDeclared()
    else await db.query(sql`select 1`)
    // Checked last: a database error is more specific.
    if (readiness.isStarting) throw unavailable('starting', problemMessages.starting)
  }

  async function requireDeclared() {
    const found = (await compareDatabase(db, health)).filter(
      ({ isMissing, isAhead }) => isMissing || !isAhead,
    )
    const blocking = found.filter(({ isMissing }) => isMissing || undeclared === 'refuse')
    const text = found.map(describe).join('; ')
    // Logged once: /readyz is polled every few seconds.
    if (text !== '' && text !== reported)
      app.log.error(
        { differences: found.map(describe) },
        'database schema differs from the declared tables; if a migration is missing, run npm run db:migration NAME',
      )
    reported = text
    if (blocking.length > 0)
      throw unavailable(
        'schema-differs',
        problemMessages.schemaDiffers(blocking.map(describe).join('; ')),
      )
    checkedAt = performance.now()
  }
}

type Difference = {
  name: string
  isMissing: boolean
  /** The database has a migration this code doesn't know. */
  isAhead: boolean
}

const describe = ({ name, isMissing }: Pick<Difference, 'name' | 'isMissing'>) =>
  `${name} is ${isMissing ? 'missing' : 'not declared'}`

/**
 * Compares relations and columns with the declared ones: export and erasure would miss undeclared data. Reads pg_catalog,
 * because information_schema hides relations of other roles; skips those of extensions. Extra relations are allowed after
 * newer migrations, so that older replicas can restart and a release can be rolled back.
 */
export async function compareDatabase(db: Runner, { tables, optional, schemas }: Declared) {
  const rows = await db.query(
    sql<Difference>`with declared as (select unnest(${sql.param(namesOf(tables))}::text[]) as name),
      there as (
        select case nspname when 'public' then '' else nspname || '.' end || relname || coalesce('.' || attname, '') as name
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        left join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
        where relkind in ('r', 'p', 'm', 'v', 'f') and nspname !~ '^pg_'
          and nspname <> all(${sql.param(['information_schema', ...schemas])}::text[])
          and not exists (select from pg_depend
            where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
      ),
      ahead as (select exists (select from migrations where name <> all(${sql.param(migrationNames())}::text[])) as is_ahead)
    select coalesce(declared.name, there.name) as name, there.name is null as "isMissing", is_ahead as "isAhead"
    from declared full join there using (name), ahead
    where (there.name is null or declared.name is null)
      and coalesce(declared.name, there.name) <> all(${sql.param(optional)}::text[])
    order by there.name is null desc, 1 limit ${NAMED_MAX}`,
    'prepared',
  )
  return rows
}

const namesOf = (tables: PgTable[]) => [
  ...MIGRATIONS_COLUMNS,
  ...tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map((column) => `${getTableName(table)}.${column.name}`),
  ),
]
