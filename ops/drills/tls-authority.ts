import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { isTaken } from '../../tools/stack/process.ts'
import { freePort } from '../../tools/stack/settings.ts'
import { createCertificate } from './kit/certificate.ts'
import { installGoPrograms } from './kit/go-programs.ts'

const READY_TRIES = 100
const NEW_ORDER = /POST \/order-plz /g

/** Pebble, Let's Encrypt's test authority, and its DNS server. */
export const installPebble = () =>
  installGoPrograms({
    name: 'pebble',
    version: '2.10.1',
    module: 'github.com/letsencrypt/pebble/v2',
    programs: ['pebble', 'pebble-challtestsrv'],
  })

export type Authority = Awaited<ReturnType<typeof startAuthority>>

/** Issues for any name that a DNS server of its own leads to this machine, and validates on `httpPort`. */
export async function startAuthority(directory: string, httpPort: number) {
  const [port, management, dns, dnsManagement] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const programs = installPebble()
  mkdirSync(directory)
  const { file, key } = createCertificate(directory, 'localhost')
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: file,
      privateKey: key,
      httpPort,
      tlsPort: 1,
      retryAfter: { authz: 3, order: 5 },
      profiles: { default: { description: '90 days', validityPeriod: 7_776_000 } },
    },
  }
  writeFileSync(join(directory, 'pebble.json'), JSON.stringify(config))
  const resolver = spawn(
    join(programs, 'pebble-challtestsrv'),
    [
      ['-dnsserver', `127.0.0.1:${dns}`],
      ['-management', `127.0.0.1:${dnsManagement}`],
      ['-defaultIPv6', ''],
      ['-http01', ''],
      ['-https01', ''],
      ['-tlsalpn01', ''],
      ['-doh', ''],
    ].flat(),
    { stdio: 'ignore' },
  )
  const pebble = spawn(
    join(programs, 'pebble'),
    ['-config', join(directory, 'pebble.json'), '-dnsserver', `127.0.0.1:${dns}`],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let log = ''
  for (const output of [pebble.stdout, pebble.stderr])
    output.setEncoding('utf8').on('data', (part: string) => (log += part))
  for (let tries = 0; !(await areTaken(port, management, dnsManagement)); tries++) {
    if (tries === READY_TRIES || pebble.exitCode !== null) throw new Error(`Pebble: ${log}`)
    await setTimeout(100)
  }
  return {
    directoryUrl: `https://localhost:${port}/dir`,
    /** CA of its API. */
    caFile: file,
    /** CA of the certificates it issues. */
    root: await readRoot(management, readFileSync(file)),
    countOrders: () => log.match(NEW_ORDER)?.length ?? 0,
    /** Null: the name leads to this machine again. */
    resolveTo: async (host: string, address: string | null) => {
      const [path, body] =
        address === null ? ['clear-a', { host }] : ['add-a', { host, addresses: [address] }]
      await fetch(`http://127.0.0.1:${dnsManagement}/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
    },
    stop: async () => {
      for (const child of [pebble, resolver]) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill()
        await once(child, 'exit')
      }
    },
  }
}

const areTaken = async (...ports: number[]) =>
  (await Promise.all(ports.map(isTaken))).every(Boolean)

async function readRoot(port: number, ca: Buffer) {
  const [response] = await once(
    request({ host: '127.0.0.1', servername: 'localhost', port, path: '/roots/0', ca }).end(),
    'response',
  )
  return text(response)
}
