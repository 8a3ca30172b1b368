import { installArchive } from './install-archive.ts'
import { installCheckout } from './install-checkout.ts'
import { SYSTEMS, type SystemName } from './deployed-server.ts'

/**
 * A server on each system: from the release archive with its own Keycloak, and on Debian 12 from a checkout with code of the site.
 * `npm run drill -- install`, `… install debian-13`, `… install checkout logs`.
 */
export async function install([name, only]: string[]) {
  if (name === 'checkout') return installCheckout(only)
  if (name !== undefined && !isSystem(name))
    throw new Error(`No system "${name}"; there are ${Object.keys(SYSTEMS).join(', ')}, checkout`)
  const systems = name === undefined ? Object.keys(SYSTEMS).filter(isSystem) : [name]
  let isOk = true
  for (const system of systems) isOk = (await installArchive(system)) && isOk
  return name === undefined ? (await installCheckout()) && isOk : isOk
}

const isSystem = (name: string): name is SystemName => Object.hasOwn(SYSTEMS, name)
