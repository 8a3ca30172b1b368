import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Installation } from './finding.ts'

const TIMEOUT_MS = 5_000
/** Time for programs to flush their logs. */
const SETTLE_MS = 1_000

export type Sighting = { where: string; what: string }
type Canary = { what: string; text: string; plant: (text: string) => Promise<unknown> }

/** Sends random canaries instead of personal data, then finds the logs that contain them. */
export async function findLeakingLogs(installation: Installation) {
  const marks = canariesFor(installation)
  const before = await sizesIn(installation.logPlaces)
  const since = Date.now()
  const notPlanted: string[] = []
  for (const { what, text, plant } of marks) await plant(text).catch(() => notPlanted.push(what))
  await setTimeout(SETTLE_MS)
  const texts = [...(await newTexts(installation.logPlaces, before)), ...journalSince(since)]
  const sightings = texts.flatMap(({ where, bytes }) =>
    marks.filter(({ text }) => bytes.includes(text)).map(({ what }): Sighting => ({ where, what })),
  )
  return { sightings, notPlanted, logs: texts.map(({ where }) => where) }
}

function canariesFor({ siteUrl, settings }: Installation): Canary[] {
  const named = (what: string, plant: Canary['plant']) => ({
    what,
    text: randomBytes(12).toString('hex'),
    plant,
  })
  return [
    ...(siteUrl ? siteMarks(siteUrl, named) : []),
    ...(settings
      ? [
          named('the name of a failed sign-in', (text) =>
            failSignIn(settings.token, siteUrl, text),
          ),
          named('a value the database refused', (text) =>
            failStatement(settings.databaseUrl, text),
          ),
        ]
      : []),
  ]
}

/** Through nginx: a page, the API and the redirect to https. */
function siteMarks(siteUrl: string, named: (what: string, plant: Canary['plant']) => Canary) {
  const clear = siteUrl.replace(/^https:/, 'http:')
  const addresses = [...new Set([`${siteUrl}/`, `${siteUrl}/api/tickets`, `${clear}/`])]
  return [
    named('the query of a request', (text) =>
      Promise.all(addresses.map((address) => ask(`${address}?q=${text}`))),
    ),
    named('the referrer of a request', (text) =>
      Promise.all(
        addresses.map((address) =>
          ask(address, { headers: { referer: `https://elsewhere.example/?q=${text}` } }),
        ),
      ),
    ),
  ]
}

async function failSignIn(
  token: { issuer: string; authorisedParties: string[] },
  siteUrl: string | null,
  name: string,
) {
  const query = new URLSearchParams({
    client_id: token.authorisedParties[0] ?? '',
    redirect_uri: `${siteUrl}/signin-callback`,
    response_type: 'code',
    scope: 'openid',
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
  })
  const form = await ask(`${token.issuer}/protocol/openid-connect/auth?${query}`)
  const target = /action="([^"]+)"/.exec(await form.text())?.[1]?.replaceAll('&amp;', '&')
  if (!target) throw new Error('The page has no sign-in form')
  const cookies = form.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  await ask(target, {
    method: 'POST',
    headers: { cookie: cookies.join('; ') },
    body: new URLSearchParams({ username: name, password: randomBytes(8).toString('hex') }),
  })
}

async function failStatement(connectionString: string, value: string) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS })
  await client.connect()
  try {
    // The error quotes the value: it is not a number.
    await client.query('select $1::integer', [value]).catch(() => null)
  } finally {
    await client.end()
  }
}

async function sizesIn(places: string[]) {
  return new Map((await filesIn(places)).map((file) => [file, sizeOf(file)]))
}

/** Text appended to each file since; the full file if it is new or was rotated. */
async function newTexts(places: string[], before: Map<string, number>) {
  return (await filesIn(places)).flatMap((file) => {
    const [size, known] = [sizeOf(file), before.get(file) ?? 0]
    const bytes = readFrom(file, { from: size < known ? 0 : known, to: size })
    return bytes ? [{ where: file, bytes }] : []
  })
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

async function filesIn(places: string[]) {
  const found: string[] = []
  for (const folder of places) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
    for (const entry of entries)
      // The journal is read below, by journalctl: its files may be compressed.
      if (entry.isFile() && !entry.name.endsWith('.journal'))
        found.push(join(entry.parentPath, entry.name))
  }
  return found
}

/** Null without permission. */
function readFrom(file: string, { from, to }: { from: number; to: number }) {
  try {
    const bytes = Buffer.alloc(to - from)
    const handle = openSync(file, 'r')
    readSync(handle, bytes, 0, bytes.length, from)
    closeSync(handle)
    return bytes
  } catch {
    return null
  }
}

/** All fields of all journal entries; empty without a journal. */
function journalSince(since: number) {
  try {
    const args = [
      `--since=@${Math.floor(since / 1000)}`,
      '--output=export',
      '--no-pager',
      '--quiet',
    ]
    const bytes = execFileSync('journalctl', args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    })
    return bytes.length > 0 ? [{ where: 'the journal (journalctl)', bytes }] : []
  } catch {
    return []
  }
}

async function ask(url: string, request: RequestInit = {}) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  await Promise.race([addressOf(new URL(url).hostname), once(signal, 'abort').then(raiseTimeout)])
  return fetch(url, { redirect: 'manual', signal, ...request })
}

/**
 * Caches lookups. Each hanging lookup blocks one of the four threads of Node's pool; with none left, resolving the database's
 * name would time out too.
 */
const addresses = new Map<string, Promise<unknown>>()
function addressOf(hostname: string) {
  const known = addresses.get(hostname) ?? lookup(hostname)
  addresses.set(hostname, known)
  return known
}

function raiseTimeout(): never {
  throw new Error('timeout expired')
}
