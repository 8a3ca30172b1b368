import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import { readEnv } from '../../api/src/platform/env.ts'
import { checkAcme } from './acme.ts'
import { failure, errorMessage, ok, warning, type Installation } from './finding.ts'

const TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000
const RENEW_DAYS = 14
const URGENT_DAYS = 7

/** Each replica on its own port, because /readyz is not public. */
export async function checkApi(installation: Installation) {
  return Promise.all(
    replicaPorts(installation).map(async (port) => {
      const status = await ask(`http://127.0.0.1:${port}/readyz`).then(
        (response) => response.status,
        errorMessage,
      )
      return status === 200
        ? ok(`The API on port ${port} is ready`)
        : failure(`The API on port ${port} is not ready (${status})`, 'start it, or read its log')
    }),
  )
}

/** A replica serves without the port, if another program has it. */
export async function checkMetrics(installation: Installation) {
  return Promise.all(
    replicaPorts(installation).map(async (replica) => {
      const { host, port } = readEnv({ ...installation.env, PORT: replica }).metrics
      const address = `http://${host}:${port}/metrics`
      const status = await ask(address).then((response) => response.status, errorMessage)
      return status === 200
        ? ok(`The metrics of the API on port ${replica} are at ${address}`)
        : warning(
            `${address} does not respond (${status}): nothing monitors the API on port ${replica}`,
            'free the port, or set METRICS_PORT; then restart the API',
          )
    }),
  )
}

const replicaPorts = ({ env, settings }: Installation) =>
  settings ? (env['API_PORTS'] || String(settings.port)).split(' ').filter(Boolean) : []

/** Through nginx, as a visitor. */
export async function checkPublicSite({ siteUrl }: Installation) {
  if (!siteUrl) return []
  const { protocol } = new URL(siteUrl)
  const todo = `let the front proxy serve ${siteUrl}, with /api from the API`
  try {
    const [page, alive] = [await ask(`${siteUrl}/`), await ask(`${siteUrl}/healthz`)]
    if (!page.ok) return [failure(`${siteUrl} responds with ${page.status}`, todo)]
    if (!alive.ok)
      return [failure(`The API behind ${siteUrl} does not respond (${alive.status})`, todo)]
    const redirect = protocol === 'https:' ? [await checkRedirect(siteUrl)] : []
    return [ok(`${siteUrl} and the API behind it respond`), ...redirect]
  } catch (error) {
    if (CERTIFICATE.test(codeOf(error)))
      return [
        failure(
          `${siteUrl} has an invalid certificate: nothing behind it was checked`,
          'replace the certificate, then run the doctor again',
        ),
      ]
    return [failure(`Cannot connect to ${siteUrl}: ${errorMessage(error)}`, todo)]
  }
}

/** Node's codes for a self-signed, untrusted, expired or mismatched certificate. */
const CERTIFICATE = /CERT|UNABLE_TO_VERIFY/
const codeOf = (error: unknown) =>
  String(Reflect.get(Object(Reflect.get(Object(error), 'cause')), 'code') ?? '')

export async function checkRedirect(siteUrl: string) {
  const address = new URL(siteUrl)
  address.protocol = 'http:'
  const { status, headers } = await ask(address.href)
  return status >= 300 && status < 400 && headers.get('location')?.startsWith('https://')
    ? ok('http redirects to https')
    : failure(`${address.href} does not redirect to https (${status})`, 'use ops/nginx/https.conf')
}

export async function checkCertificate({ siteUrl, env }: Installation) {
  if (!siteUrl?.startsWith('https:')) return []
  const { hostname, port } = new URL(siteUrl)
  const socket = connect({
    host: hostname,
    port: Number(port || 443),
    // SNI takes names, not IP addresses.
    ...(isIP(hostname) ? {} : { servername: hostname }),
    // Checked below, to report an expired certificate as expired.
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  })
  socket.once('timeout', () => socket.destroy(new Error('timed out')))
  try {
    await once(socket, 'secureConnect')
    const finding = certificateFinding(socket.getPeerCertificate(), socket.authorizationError)
    return [finding, ...checkAcme(env, { isUrgent: finding.level === 'failure' })]
  } catch (error) {
    return [
      failure(`${hostname} does not speak TLS: ${errorMessage(error)}`, 'set up its certificate'),
      ...checkAcme(env, { isUrgent: true }),
    ]
  } finally {
    socket.destroy()
  }
}

export function certificateFinding(
  certificate: Pick<PeerCertificate, 'valid_to'>,
  error: Error | string | null,
) {
  const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / DAY_MS)
  if (days < 0) return failure(`The certificate expired ${-days} days ago`, 'renew it')
  if (error)
    return failure(
      `Browsers reject the certificate: ${error instanceof Error ? error.message : error}`,
      'get one for this name from an authority that browsers trust, with its chain',
    )
  if (days >= RENEW_DAYS) return ok(`The certificate is valid for ${days} days`)
  const finding = days < URGENT_DAYS ? failure : warning
  return finding(`The certificate expires in ${days} days`, 'find out why it was not renewed')
}

const ask = (url: string) =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
