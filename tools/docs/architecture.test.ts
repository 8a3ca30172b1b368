import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Test } from '../../api/test/kit.ts'
import { PAGE, pathsIn, readPage, traceIn, wordsIn } from './architecture-page.ts'
import { startFileCoverage } from './files-run.ts'
import { CHECKOUT } from '../stack/settings.ts'

const WORDS_MAX = 1_500
const START_MS = 60_000
const FILTER = encodeURIComponent('{"all":[["contactType","eq","Query"]]}')
const TICKET = { fullName: 'Alice', email: 'a@example.test', subject: 'VPN', message: 'Slow' }

const page = readPage()
const field = traceIn(page, 'A field')

let t: Test
let coverage: Awaited<ReturnType<typeof startFileCoverage>>
let atStart: Awaited<ReturnType<typeof coverage.filesRun>>
let client: Parameters<Test['call']>[2]
let ticket: string

// Imported after the coverage starts, so that it counts what loading the models runs.
beforeAll(async () => {
  coverage = await startFileCoverage()
  const { ALICE, startTest } = await import('../../api/test/kit.ts')
  t = await startTest()
  client = ALICE
  atStart = await coverage.filesRun()
  // The client's first request also records the sign-in.
  const { json } = await t.call('POST', '/api/tickets', client, { body: TICKET })
  ticket = json.id
}, START_MS)
afterAll(async () => {
  await t.stop()
  coverage.stop()
})

async function filesOf(
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
) {
  await coverage.filesRun()
  const { status, text } = await t.call(method, path, client, options)
  expect(status, text).toBe(200)
  return (await coverage.filesRun()).ran
}

const missing = (trace: { file: string }[], ran: Set<string>) =>
  trace.map(({ file }) => file).filter((file) => !ran.has(file))

test(`every path in ${PAGE} exists`, () => {
  const paths = pathsIn(page)
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !existsSync(join(CHECKOUT, path)))).toEqual([])
})

test(`${PAGE} has at most ${WORDS_MAX} words`, () => {
  expect(wordsIn(page).length).toBeLessThanOrEqual(WORDS_MAX)
})

test(`every error code in ${PAGE} occurs in the API’s sources`, () => {
  const sources = globSync('api/src/**/*.ts', { cwd: CHECKOUT, exclude: ['**/*.test.ts'] })
    .map((file) => readFileSync(join(CHECKOUT, file), 'utf8'))
    .join('\n')
  const codes = [...page.matchAll(/\b[45]\d\d `([\w-]+)`/g)].map(([, code]) => code)
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([])
})

test(`every file that ${PAGE} names for a list runs in that request`, async () => {
  const trace = traceIn(page, 'A list')
  expect(trace.length).toBeGreaterThan(15)
  expect(missing(trace, await filesOf('GET', `/api/tickets?filter=${FILTER}`))).toEqual([])
})

test(`every file that ${PAGE} names for a reply runs in that request`, async () => {
  const trace = traceIn(page, 'A reply')
  expect(trace.length).toBeGreaterThan(20)
  const ran = await filesOf('POST', `/api/tickets/${ticket}/reply`, {
    body: { body: 'Still slow.' },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  expect(missing(trace, ran)).toEqual([])
})

test(`every file that ${PAGE} names for a field at start runs before the API listens`, () => {
  const trace = field.filter(({ first }) => first === 'start')
  expect(trace.length).toBeGreaterThan(5)
  const { data = [], code = [] } = Object.groupBy(trace, ({ file }) =>
    file.startsWith('model/src/models/') ? 'data' : 'code',
  )
  expect(missing(data, atStart.loaded)).toEqual([])
  expect(missing(code, atStart.ran)).toEqual([])
})

const REQUESTS = [
  ...new Set(field.map(({ first }) => first).filter((when) => when.startsWith('GET '))),
]

test.each(REQUESTS)(`every file that ${PAGE} names for a field in %s runs in it`, async (when) => {
  const trace = field.filter(({ first }) => first === when)
  expect(missing(trace, await filesOf('GET', when.slice('GET '.length)))).toEqual([])
})
