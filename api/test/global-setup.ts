import type { TestProject } from 'vitest/node'
import { declared } from '#installation.ts'
import { migrate } from '#platform/migrate.ts'
import { providePostgres } from './run-postgres.ts'

/** A PostgreSQL with the product's tables. */
export default (project: TestProject) =>
  providePostgres(project, {
    name: 'template_gatehouse',
    migrate: (url) => migrate(url, declared().tables),
  })
