import { openAdminApi } from './admin-api.ts'
import { applyRealm } from './apply.ts'
import { readOptions } from './options.ts'

/**
 * Brings Keycloak's realm to what this release declares, at every start; prints what it changed. `--check` changes nothing and
 * fails if anything differs. .env.example has its settings.
 */
const isCheck = process.argv.includes('--check')
const options = readOptions(process.env)
const api = openAdminApi(options, { isWriting: !isCheck })
await applyRealm(api, options)
for (const change of api.changes) console.log(change)
if (api.changes.length === 0) console.log('The realm is as declared.')
else if (isCheck) process.exitCode = 1
