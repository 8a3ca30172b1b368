import { rmSync } from 'node:fs'
import pg from 'pg'
import { startApi } from '../../ops/drills/kit/api-process.ts'
import { addSite, copyWorkspace } from './workspace.ts'
import { readSettings } from '../stack/settings.ts'

/**
 * A copy of the workspace with a site of its own, its API running beside the stack: same identity provider, a database of
 * its own. Prints the API's address; ends, and tidies up, when its input ends. For e2e/site-model.spec.ts.
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
