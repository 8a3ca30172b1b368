import { setTimeout } from 'node:timers/promises'
import { connectAdminApi } from './admin-api.ts'
import { applyRealm } from './apply.ts'
import { readOptions } from './options.ts'
import { deleteFactors, createOwner } from './emergency-access.ts'

/**
 * Applies this release's realm to Keycloak, at every start; prints the changes. `--check` changes nothing and fails if anything
 * differs. Emergency access for whoever has the server: `owner ADDRESS` makes an account an owner, `forget-factors ADDRESS`
 * removes its second factors. Settings: .env.example.
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

/** Keycloak may still be starting. */
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
      throw new Error(
        `Keycloak does not respond at ${options.keycloak.url}; gave up after 5 minutes`,
      )
    await setTimeout(1_000)
  }
}
