import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import { buildConfig } from './fuzz-config.ts'
import { leaksOf, statusesOf, type Har } from './fuzz-responses.ts'
import { OWNER, seedRecords, TECHNICIAN, USER } from './fuzz-seed.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'

const VERSION = '4.32.5'
const TOOL = new URL('../../.tools/schemathesis', import.meta.url).pathname
const CASES_MIN = 1_000
/** A few random cases per operation, within a minute: enough to catch a wrong schema. */
const SHORT = ['--phases', 'fuzzing']

/**
 * Cases per operation, so that each role exceeds a thousand. Only the owner's document lists every method; the others omit
 * forbidden ones, for which the API returns 401 or 403, not 405, so methods are checked for the owner only. The logs are run
 * again separately: an export needs a sign-in of the last ten minutes, and each run has a new token.
 */
const METHODS_ARE_COMPLETE = ['--exclude-path-regex', '/export$']
const METHODS_ARE_NOT = ['--exclude-checks', 'unsupported_method,allow_header_conformance']
const LOGS_ALONE = ['--include-path-regex', '^/api/(changes|security-events)']
const ROLES = [
  { role: 'anonymous', person: null, each: 100, eachShort: 15, flags: METHODS_ARE_NOT },
  { role: 'user', person: USER, each: 15, eachShort: 2, flags: METHODS_ARE_NOT },
  { role: 'technician', person: TECHNICIAN, each: 12, eachShort: 1, flags: METHODS_ARE_NOT },
  { role: 'owner', person: OWNER, each: 12, eachShort: 2, flags: METHODS_ARE_COMPLETE },
  { role: 'owner-logs', person: OWNER, each: 250, eachShort: 20, flags: LOGS_ALONE },
]

type Report = {
  operations: { tested: number }
  test_cases: { generated: number; errored: number }
  failures: { title: string; count: number; operations: string[] }[]
  errors: unknown[]
}

/** schemathesis against the real API, with each role's OpenAPI document; the short form is for CI. */
export async function fuzz({ isShort = false } = {}) {
  const seed = process.env['SEED'] ?? (isShort ? seedOfToday() : String(randomInt(2 ** 31)))
  console.log(`seed ${seed}`)
  install()
  const environment = await startDrillEnvironment()
  let api: ApiProcess | null = null
  const problems: string[] = []
  let cases = 0
  try {
    const env = { ...environment.env, OIDC_OWNER_PATH: 'owner' }
    api = await startApi({ env, log: join(environment.directory, 'api.log') })
    const ids = await seedRecords(environment, api)
    const config = join(environment.directory, 'schemathesis.toml')
    writeFileSync(config, await buildConfig(api, await environment.keys.tokenOf(OWNER), ids))
    for (const { role, person, each, eachShort, flags } of ROLES) {
      const token = person ? await environment.keys.tokenOf(person) : null
      const depth = isShort ? ['-n', String(eachShort), ...SHORT] : ['-n', String(each)]
      const args = [...depth, '--seed', seed, ...flags]
      const { report, har } = await runTool(environment, api, { role, token, config, args })
      const { generated } = report.test_cases
      cases += generated
      console.log(
        `${role}: ${generated} cases on ${report.operations.tested} operations, ${statusesOf(har)}`,
      )
      const tooFew = !isShort && generated < CASES_MIN ? [`only ${generated} cases`] : []
      const found = [...tooFew, ...problemsOf(report, har)]
      problems.push(...found.map((problem) => `${role}: ${problem}`))
    }
  } finally {
    await api?.stop()
    await environment.close()
  }
  for (const problem of problems) console.log(problem)
  console.log(
    problems.length === 0
      ? `fuzz: ok, ${cases} cases, 0 × 5xx, 0 schema violations, no internals in any error, seed ${seed}`
      : `fuzz: FAILED, ${problems.length} problems in ${cases} cases, seed ${seed}; repeat with SEED=${seed}`,
  )
  return problems.length === 0
}

/** Changes daily, so that a failure can be reproduced the same day. */
const seedOfToday = () => new Date().toISOString().slice(0, 10).replaceAll('-', '')

function install() {
  if (existsSync(join(TOOL, VERSION))) return
  console.log(`Installing schemathesis ${VERSION}…`)
  makeVenv()
  execFileSync(join(TOOL, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`], {
    stdio: 'inherit',
  })
  writeFileSync(join(TOOL, VERSION), '')
}

/** On Debian, venv is a separate package. */
function makeVenv() {
  const args = ['-m', 'venv', '--clear', TOOL]
  if (spawnSync('python3', args, { stdio: 'ignore' }).status === 0) return
  execFileSync('apt-get', ['-qq', '-y', 'install', 'python3-venv'], { stdio: 'inherit' })
  execFileSync('python3', args, { stdio: 'inherit' })
}

type Run = { role: string; token: string | null; config: string; args: string[] }

async function runTool(
  stage: DrillEnvironment,
  api: ApiProcess,
  { role, token, config, args }: Run,
) {
  const file = (kind: string) => join(stage.directory, `${role}-${kind}.json`)
  const tool = spawn(
    join(TOOL, 'bin/schemathesis'),
    [
      '--no-color',
      '--config-file',
      config,
      'run',
      `${api.base}/api/openapi.json`,
      ...args,
      ...(token ? ['--header', `Authorization: Bearer ${token}`] : []),
      '--generation-database=none',
      '--warnings=off',
      '--report',
      'json,har',
      '--report-json-path',
      file('report'),
      '--report-har-path',
      file('har'),
    ],
    { cwd: stage.directory, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  tool.stdout.on('data', (text) => (output += String(text)))
  const [code] = await once(tool, 'exit')
  // Prints schemathesis's output only on failure: it says how to reproduce it.
  if (code !== 0) console.log(output)
  if (!existsSync(file('report'))) throw new Error(`schemathesis ended with ${String(code)}`)
  return {
    report: JSON.parse(readFileSync(file('report'), 'utf8')) as Report,
    har: JSON.parse(readFileSync(file('har'), 'utf8')) as Har,
  }
}

function problemsOf(report: Report, har: Har) {
  const { errored } = report.test_cases
  const broken = har.log.entries.filter(({ response }) => response.status >= 500)
  return [
    ...(errored > 0 || report.errors.length > 0 ? [`${errored} cases could not be run`] : []),
    ...report.failures.map(
      ({ title, count, operations }) => `${title}, ${count} times: ${operations.join(', ')}`,
    ),
    ...broken.map(
      ({ request, response }) => `${response.status} to ${request.method} ${request.url}`,
    ),
    ...leaksOf(har),
  ]
}
