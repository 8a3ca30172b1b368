import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { installMissing } from '../../tools/stack/debian.ts'
import { isTaken } from '../../tools/stack/process.ts'
import { freePort } from '../../tools/stack/settings.ts'
import { createCertificate } from './kit/certificate.ts'

const VERSION = '2.10.1'
const TOOLS = new URL('../../.tools/', import.meta.url).pathname
const TOOL = join(TOOLS, `pebble-${VERSION}`)
const PROGRAMS = ['pebble', 'pebble-challtestsrv']
/** Pebble's go.mod asks for 1.24; Debian 12 has 1.19. */
const GO_MINOR_MIN = 24
const GO = {
  version: 'v0.0.1-go1.24.2.linux-amd64',
  sha256: 'e02960c4d165acfa85817fbdd4eccee35cdd28f6bda666c7f8e495fb9549944f',
}
const READY_TRIES = 100
const NEW_ORDER = /POST \/order-plz /g

/** Pebble, Let's Encrypt's test authority, from the Go proxy. */
export function installPebble() {
  if (PROGRAMS.every((program) => existsSync(join(TOOL, program)))) return
  mkdirSync(TOOL, { recursive: true })
  const sources = PROGRAMS.map((name) => `github.com/letsencrypt/pebble/v2/cmd/${name}@v${VERSION}`)
  execFileSync(findGo() ?? installGo(), ['install', ...sources], {
    env: { ...process.env, GOBIN: TOOL, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
    stdio: 'inherit',
  })
}

function findGo() {
  try {
    const version = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
    return Number(/^go1\.(\d+)/.exec(version)?.[1]) >= GO_MINOR_MIN ? 'go' : null
  } catch {
    return null
  }
}

/** The compiler as a module of the Go proxy. */
function installGo() {
  const home = join(TOOLS, `go-${GO.version}`)
  const program = join(home, `golang.org/toolchain@${GO.version}/bin/go`)
  if (existsSync(program)) return program
  if (process.arch !== 'x64') throw new Error(`Install Go 1.${GO_MINOR_MIN} or later first`)
  installMissing({ curl: '/usr/bin/curl', unzip: '/usr/bin/unzip' })
  const unpacked = `${home}.new`
  rmSync(unpacked, { recursive: true, force: true })
  mkdirSync(unpacked, { recursive: true })
  const archive = join(unpacked, 'go.zip')
  const url = `https://proxy.golang.org/golang.org/toolchain/@v/${GO.version}.zip`
  execFileSync('curl', ['--fail', '--silent', '--show-error', '--output', archive, url])
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
  if (sha256 !== GO.sha256) throw new Error(`${url} has another checksum: ${sha256}`)
  execFileSync('unzip', ['-q', archive, '-d', unpacked])
  rmSync(archive)
  // Modules have no executable files.
  execFileSync('chmod', ['-R', 'a+x', join(unpacked, `golang.org/toolchain@${GO.version}`)])
  renameSync(unpacked, home)
  return program
}

export type Authority = Awaited<ReturnType<typeof startAuthority>>

/** Issues for any name that a DNS server of its own leads to this machine, and validates on `httpPort`. */
export async function startAuthority(directory: string, httpPort: number) {
  const [port, management, dns, dnsManagement] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
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
    join(TOOL, 'pebble-challtestsrv'),
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
    join(TOOL, 'pebble'),
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
