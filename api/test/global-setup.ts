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

type Postgres = Awaited<ReturnType<typeof start>>
/** Each project loads this file anew. */
const run = globalThis as { gatehousePostgres?: Promise<Postgres> | undefined }

/** One PostgreSQL for all projects of the run; the one that started it stops it. */
export default async function setup(project: TestProject) {
  const isFirst = run.gatehousePostgres === undefined
  run.gatehousePostgres ??= start()
  const { port, stop } = await run.gatehousePostgres
  project.provide('postgresPort', port)
  return async () => {
    if (!isFirst) return
    run.gatehousePostgres = undefined
    await stop()
  }
}

/** No durability, everything else as in production. */
async function start() {
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
  return {
    port: postgres.port,
    stop: async () => {
      await postgres.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
