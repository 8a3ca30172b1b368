import { rmSync } from 'node:fs'
import pg from 'pg'
import { startApi } from '../../ops/drills/kit/api-process.ts'
import { addSite, copyWorkspace } from '../build/workspace.ts'
import { readSettings } from '../stack/settings.ts'

/**
 * For e2e/site-model.spec.ts: a copy of the workspace with its own site and database, its API running beside the stack. Prints
 * the API's address, and cleans up when stdin ends.
 */
const settings = readSettings()
const name = `own_site_${process.pid}`
const copy = copyWorkspace()
addSite(copy)
await runSql(`create database ${name} owner gatehouse_migrate template template0`)
const api = await startApi({
  root: copy,
  env: {
    DATABASE_URL: settings.databaseUrl('gatehouse_app', name),
    DATABASE_MIGRATION_URL: settings.databaseUrl('gatehouse_migrate', name),
    OIDC_ISSUER: settings.issuer,
    ADMIN_MFA: settings.adminMfa,
  },
})
console.log(api.base)

process.stdin.resume()
await new Promise((resolve) => process.stdin.once('end', resolve))
await api.stop()
await runSql(`drop database ${name} with (force)`)
rmSync(copy, { recursive: true, force: true })

async function runSql(text: string) {
  const client = new pg.Client({ connectionString: settings.databaseUrl('postgres', 'postgres') })
  await client.connect()
  await client.query(text)
  await client.end()
}
