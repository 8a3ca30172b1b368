import { startDrillEnvironment } from '../../ops/drills/kit/drill-environment.ts'
import { toTable } from '../compare/table.ts'
import { startInspected } from './inspector.ts'

/**
 * `npm run bench -- files`: number of files of the API and the model that a warm request runs, by V8's coverage. `--list`
 * names them. Fewer files make a request easier to trace.
 */
const LIMITS: Record<string, [must: number, mark: number]> = {
  get: [31, 28],
  list: [32, 29],
  update: [46, 40],
  'reply, admin': [54, 46],
}
/** Repeats: taking the fewest files excludes those run by timers. */
const TIMES = 5
const WARM_UP = 30

const NO_LIMITS = { WRITES_PER_MINUTE: '100000', CREATIONS_PER_MINUTE: '100000' }

const OWNER = { sub: 'sub-files', name: 'Olive Owner', role: 'user' } as const
const ADMIN = { sub: 'sub-files-admin', name: 'Ada Admin', role: 'admin' } as const

const environment = await startDrillEnvironment()
const api = await startInspected({ ...environment.env, ...NO_LIMITS })
try {
  const [owner, admin] = await Promise.all(
    [OWNER, ADMIN].map((person) => environment.keys.tokenOf(person)),
  )
  const id = (
    (await send('POST', '/api/tickets', admin, ticket({ clientId: OWNER.sub }))) as { id: string }
  ).id
  const url = `/api/tickets/${id}`
  let count = 0
  const cases: [string, () => Promise<unknown>][] = [
    ['get', () => send('GET', url, owner)],
    ['list', () => send('GET', '/api/tickets', owner)],
    ['create', () => send('POST', '/api/tickets', owner, ticket())],
    ['update', () => send('PUT', url, admin, { subject: `Changed ${count++}` })],
    ['reply, admin', () => send('POST', `${url}/reply`, admin, { body: 'Yes.' })],
    ['reply, owner', () => send('POST', `${url}/reply`, owner, { body: 'No.' })],
  ]
  const found: [string, string[]][] = []
  for (const [name, request] of cases) found.push([name, await filesOf(request)])
  console.log(toTable(['request', 'files', 'must / mark'], found.map(toRow)))
  if (process.argv.includes('--list'))
    for (const [name, files] of found) console.log(`\n${name}\n  ${files.join('\n  ')}`)
  const over = found.filter(([name, { length }]) => length > (LIMITS[name]?.[0] ?? Infinity))
  console.log(over.length === 0 ? 'files: ok' : `files: FAILED, ${over.length} over their limit`)
  process.exitCode = over.length === 0 ? 0 : 1
} finally {
  await api.stop()
  await environment.close()
}

function ticket(over: object = {}) {
  return {
    fullName: 'Olive Owner',
    email: 'olive@example.test',
    subject: 'The telephone is silent',
    contactType: 'Query',
    message: 'It does not ring.',
    ...over,
  }
}

async function filesOf(request: () => Promise<unknown>) {
  for (let time = 0; time < WARM_UP; time++) await request()
  let fewest: string[] | null = null
  for (let time = 0; time < TIMES; time++) {
    await api.filesRun()
    await request()
    const files = await api.filesRun()
    if (!fewest || files.length < fewest.length) fewest = files
  }
  return (fewest ?? []).toSorted()
}

async function send(method: string, path: string, token: string | undefined, body?: object) {
  const response = await fetch(api.base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as unknown
}

function toRow([name, { length }]: [string, string[]]) {
  const [must, mark] = LIMITS[name] ?? []
  const verdict =
    must === undefined || mark === undefined ? 'reported' : verdictOn(length, must, mark)
  return [name, String(length), verdict]
}

function verdictOn(files: number, must: number, mark: number) {
  return `${must} / ${mark}: ${files <= mark ? 'mark' : files <= must ? 'must' : 'MISSED'}`
}
