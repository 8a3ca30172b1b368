import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { migrationNames } from '../../api/src/platform/migrate.ts'
import { CHECKOUT, type Settings } from './settings.ts'
import { stackDatabaseUrl } from './stack-database.ts'

const POLL_MS = 1_000

/**
 * Applies migrations that are written while `npm run dev` runs, to the database that the stack made itself and to no other.
 * Waits until no more files come: one change writes several.
 */
export function watchMigrations(settings: Settings) {
  let applied = migrationNames().join()
  let last = applied
  return setInterval(() => {
    const names = migrationNames().join()
    if (names !== applied && names === last) {
      applied = names
      apply(settings)
    }
    last = names
  }, POLL_MS)
}

function apply(settings: Settings) {
  const url = stackDatabaseUrl('gatehouse_migrate', settings)
  if (url === null)
    return console.error(
      'New migrations, but the database of this stack is down: npm run stack -- up',
    )
  console.log(`New migrations: applying them to the stack's database, ${url}`)
  spawnSync(process.execPath, [join(CHECKOUT, 'tools/db/migrate.ts')], {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_MIGRATION_URL: url },
  })
}
