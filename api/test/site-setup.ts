import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { ROOT } from '#platform/paths.ts'
import { fileURLToPath } from 'node:url'
import { providePostgres } from './run-postgres.ts'

/** A PostgreSQL with the tables of the site too. In a process of its own: this one has read the sample. */
export default (project: TestProject) =>
  providePostgres(project, {
    name: 'template_site',
    migrate: (url) =>
      promisify(execFile)(process.execPath, ['tools/db/migrate.ts'], {
        cwd: fileURLToPath(ROOT),
        env: { ...process.env, ...project.config.env, DATABASE_MIGRATION_URL: url },
      }),
  })
