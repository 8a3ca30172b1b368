import { setTimeout } from 'node:timers/promises'
import { connectAdminApi } from './admin-api.ts'
import { applyRealm } from './apply.ts'
import { readOptions } from './options.ts'
import { deleteFactors, createOwner } from './emergency-access.ts'

/**
 * Brings Keycloak's realm to what this release declares, at every start; prints what it changed. `--check` changes nothing and
 * fails if anything differs. For someone who has the server and nobody to ask: `owner ADDRESS` makes an account an owner,
 * `forget-factors ADDRESS` takes its second factors away. .env.example has its settings.
 */
const WAIT_MS = 300_000
const [command = '', address = ''] = process.argv.slice(2)
const options = readOptions(process.env)
const api = connectAdminApi(options, { isWriting: command !== '--check' })

await waitForRealm()
if (command === 'owner') await createOwner(api, address)
else if (command === 'forget-factors') await deleteFactors(api, address)
else if (command === '' || command === '--check') await applyRealm(api, options)
else throw new Error('Usage: realm.js [--check | owner ADDRESS | forget-factors ADDRESS]')
for (const change of api.changes) console.log(change)
if (api.changes.length === 0) console.log('The realm is as declared.')
else if (!api.isWriting) process.exitCode = 1

/** Both start at the same time; Keycloak takes longer. */
async function waitForRealm() {
  const url = `${options.keycloak.url}/realms/master`
  const deadline = Date.now() + WAIT_MS
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline)
      throw new Error(`Keycloak does not answer at ${options.keycloak.url}`)
    await setTimeout(1_000)
  }
}
