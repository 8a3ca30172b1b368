import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { connectAdminApi } from '../../../../tools/realm/admin-api.ts'
import { readOptions } from '../../../../tools/realm/options.ts'
import { realmEnv } from '../../../../tools/stack/keycloak.ts'
import { buildServices, createStateDirectory } from '../../../../tools/stack/stack-services.ts'
import { freePorts, readSettings, type Settings } from '../../../../tools/stack/settings.ts'
import type { Visitor } from '../http-clients.ts'

/** Keycloak behind nginx with production limits and an installation's realm: exact redirect URIs, a second factor. */
export async function startIdentity() {
  const settings = readSettings({
    ...(await freePorts()),
    SIGN_IN_RETURN_URL: 'state',
    ADMIN_MFA: 'on',
  })
  createStateDirectory(settings)
  const { postgres, keycloak, identity, mail } = buildServices(settings)
  await Promise.all([postgres.start(), mail.start(), identity.start()])
  await keycloak.start()
  return {
    ...clientsFor(settings),
    stop: async () => {
      await Promise.all([keycloak.stop(), identity.stop(), mail.stop()])
      await postgres.stop()
      rmSync(settings.state, { recursive: true, force: true })
    },
  }
}

export type IdentityStack = ReturnType<typeof clientsFor>

export function clientsFor(settings: Settings) {
  const options = readOptions({ ...process.env, ...realmEnv(settings) })
  return {
    settings,
    options,
    api: connectAdminApi(options),
    /** Options of a sign-in from this address. */
    at: (address: string) => ({
      visit: visitorFrom(address),
      issuer: settings.issuer,
      site: settings.site,
    }),
    mailsTo: async (address: string) =>
      (await (await fetch(`${settings.mail}/mails?to=${encodeURIComponent(address)}`)).json()) as {
        subject: string
        text: string
      }[],
  }
}

/** Requests from one of this machine's loopback addresses: 127.0.0.1 to 127.255.255.254. */
const visitorFrom =
  (localAddress: string): Visitor =>
  async (address, { method = 'GET', headers = {}, body } = {}) => {
    const { hostname, port, pathname, search } = new URL(address)
    const asked = request({
      host: '127.0.0.1',
      port,
      localAddress,
      method,
      path: pathname + search,
      agent: false,
      headers: { host: `${hostname}:${port}`, ...headers, ...lengthOf(body) },
    })
    const [response] = await once(asked.end(body), 'response')
    return {
      status: Number(response.statusCode),
      headers: response.headers,
      body: await text(response),
    }
  }

const lengthOf = (body: string | undefined) =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
