import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres, type Postgres } from '../../tools/stack/postgres.ts'

type Template = { name: string; migrate: (url: string) => Promise<unknown> }
type Run = {
  postgres: Promise<Postgres & { directory: string }>
  templates: Map<string, Promise<void>>
}

/** Each project loads this file anew. */
const shared = globalThis as { gatehouseRun?: Run | undefined }

/** One PostgreSQL for all projects of the run, each template migrated once; the project that started it stops it. */
export async function providePostgres(project: TestProject, { name, migrate }: Template) {
  const isFirst = shared.gatehouseRun === undefined
  const run = (shared.gatehouseRun ??= { postgres: start(), templates: new Map() })
  const postgres = await run.postgres
  const created =
    run.templates.get(name) ??
    postgres
      .createDatabase(name)
      .then(() => migrate(postgres.url('gatehouse_migrate', name)))
      .then(() => {})
  run.templates.set(name, created)
  project.provide('postgresPort', postgres.port)
  await created
  return async () => {
    if (!isFirst) return
    shared.gatehouseRun = undefined
    await postgres.stop()
    rmSync(postgres.directory, { recursive: true, force: true })
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
  return { ...postgres, directory }
}
