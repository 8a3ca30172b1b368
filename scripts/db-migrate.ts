import { migrate } from '../api/src/migrate.ts'

const url = process.env['DATABASE_MIGRATION_URL']
if (!url)
  throw new Error(
    'DATABASE_MIGRATION_URL is missing: the address of the database for the role gatehouse_migrate',
  )

const applied = await migrate(url)
console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}`)
