import { rmSync } from 'node:fs'
import { startApi } from '../../ops/drills/kit/api-process.ts'
import { addSite, copyWorkspace } from '../build/workspace.ts'
import { readSettings } from '../stack/settings.ts'
import { createStackDatabase, untilStdinEnds } from './stack-database.ts'

/**
 * For e2e/site-model.spec.ts: a copy of the workspace with its own site and database, its API running beside the stack. Prints
 * the API's address, and cleans up when stdin ends.
 */
const settings = readSettings()
const copy = copyWorkspace()
addSite(copy)
const database = await createStackDatabase(settings, 'own_site')
const api = await startApi({
  root: copy,
  env: {
    ...database.env,
    OIDC_ISSUER: settings.issuer,
    ADMIN_MFA: settings.adminMfa,
  },
})
console.log(api.base)

await untilStdinEnds()
await api.stop()
await database.drop()
rmSync(copy, { recursive: true, force: true })
