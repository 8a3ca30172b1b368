import { requireSameSite } from '../../api/src/built-from.ts'
import { SetupError } from '../../api/src/platform/errors.ts'
import { buildLogger, logUncaught } from '../../api/src/platform/log.ts'
import { migrate } from '../../api/src/platform/migrate.ts'
import { SAMPLE_FOLDER, SITE_FOLDER } from '../../api/src/platform/root.ts'

// What a failed statement says of the rows it met stays out of the journal.
logUncaught(buildLogger())

const url = process.env['DATABASE_MIGRATION_URL']
if (!url)
  throw new SetupError(
    'DATABASE_MIGRATION_URL is missing: the address of the database for the role gatehouse_migrate. The database of the stack is migrated by npm run stack -- up',
  )

requireSameSite()
// An address that product and site both claim is refused before either half has changed the database.
if (SITE_FOLDER.href !== SAMPLE_FOLDER.href)
  (await import('../../api/src/installation.ts')).requireSound()
const applied = await migrate(url)
console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}`)
