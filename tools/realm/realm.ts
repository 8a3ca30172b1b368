import { setTimeout } from 'node:timers/promises'
import { SetupError } from '../../api/src/platform/errors.ts'
import { connectAdminApi } from './admin-api.ts'
import { applyRealm } from './apply.ts'
import { readOptions } from './options.ts'
import { deleteFactors, createOwner } from './emergency-access.ts'
import { createFirstOwner } from './first-owner.ts'

/**
 * Applies this release's realm to Keycloak, at every start; prints the changes. `--check` changes nothing and fails if anything
 * differs. Emergency access for whoever has the server: `owner ADDRESS` makes an account an owner, `forget-factors ADDRESS`
 * removes its second factors. `first-owner` invites OWNER_EMAIL to a realm without an owner. Settings: .env.example.
 */
const WAIT_MS = 300_000
const USAGE = 'Usage: realm.js [--check | first-owner | owner ADDRESS | forget-factors ADDRESS]'
const [command = '', address = ''] = process.argv.slice(2)

try {
  await run()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function run() {
  const options = readOptions(process.env)
  const api = connectAdminApi(options, { isWriting: command !== '--check' })
  await waitForRealm(options.keycloak.url)
  if (command === 'first-owner') {
    const lines = await createFirstOwner(api, { ...options, email: process.env['OWNER_EMAIL'] })
    return console.log(lines.join('\n'))
  }
  if (command === 'owner') await createOwner(api, address)
  else if (command === 'forget-factors') await deleteFactors(api, address)
  else if (command === '' || command === '--check') await applyRealm(api, options)
  else throw new SetupError(USAGE)
  for (const change of api.changes) console.log(change)
  if (api.changes.length === 0) console.log('The realm is as declared.')
  else if (!api.isWriting) process.exitCode = 1
}

/** Keycloak may still be starting. */
async function waitForRealm(keycloak: string) {
  const url = `${keycloak}/realms/master`
  const deadline = Date.now() + WAIT_MS
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline)
      throw new SetupError(`Keycloak does not respond at ${keycloak}; gave up after 5 minutes`)
    await setTimeout(1_000)
  }
}
