import { requireMatchingBuild } from '../../api/src/build-fingerprint.ts'
import { SetupError } from '../../api/src/platform/errors.ts'
import { buildLogger, logUncaught } from '../../api/src/platform/log.ts'
import { migrate } from '../../api/src/platform/migrate.ts'
import { SAMPLE_FOLDER, SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { addPassword, readSecret } from '../../api/src/platform/secrets.ts'

// Keeps the values a failed statement quotes out of the journal.
logUncaught(buildLogger())

const { DATABASE_MIGRATION_URL: plainUrl } = process.env
if (!plainUrl)
  throw new SetupError(
    'DATABASE_MIGRATION_URL is not set. Set it to the database URL of the role gatehouse_migrate. In a checkout, a running stack (npm run stack -- up) needs none',
  )
const problems: string[] = []
const url = addPassword(problems, {
  name: 'DATABASE_MIGRATION_URL',
  url: plainUrl,
  password: readSecret({ source: process.env, problems }, 'DATABASE_MIGRATION_PASSWORD'),
  isProduction: process.env['NODE_ENV'] === 'production',
})
if (problems.length > 0) throw new SetupError(`Settings: ${problems.join('; ')}`)

requireMatchingBuild()
const { declared, requireSound } = await import('../../api/src/installation.ts')
// Rejects a path used by both product and site before anything is migrated.
if (SITE_FOLDER.href !== SAMPLE_FOLDER.href) requireSound()
const applied = await migrate(url, declared().tables)
console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied ${applied.join(', ')}`)
