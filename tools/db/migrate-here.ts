import { stackDatabaseUrl } from '../stack/stack-database.ts'

/** `db:migrate` of a checkout: without DATABASE_MIGRATION_URL, the database of the running stack. */
const url = process.env['DATABASE_MIGRATION_URL'] ? null : stackDatabaseUrl('gatehouse_migrate')
if (url) {
  console.log(`DATABASE_MIGRATION_URL is not set: migrating the stack's database, ${url}`)
  process.env['DATABASE_MIGRATION_URL'] = url
}
await import('./migrate.ts')
