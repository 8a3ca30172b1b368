import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../../tools/stack/postgres.ts'
import { declared } from '#installation.ts'
import { migrate } from '#platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresPort: number
  }
}

/** A real PostgreSQL for the run: no durability, everything else as in production. */
export default async function setup(project: TestProject) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  const postgres = await startPostgres({
    directory,
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      shared_buffers: '256MB',
    },
  })
  await postgres.createDatabase('template_gatehouse')
  await migrate(postgres.url('gatehouse_migrate', 'template_gatehouse'), declared().tables)
  project.provide('postgresPort', postgres.port)
  return async () => {
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
