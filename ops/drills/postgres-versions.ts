import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bringPostgres } from '../../tools/stack/embedded-postgres.ts'
import { CHECKOUT } from '../../tools/stack/settings.ts'
import { report, seconds, type Result } from './kit/results.ts'

/** Of Debian 12, Ubuntu 24.04 and Debian 13. */
const DEBIAN = '/usr/lib/postgresql/15/bin'
const MAJORS = [15, 16, 17]
/** The API's own suites; the others have no statements of their own. */
const PROJECTS = ['--project', 'api', '--project', 'api-isolated']
const PART = 'postgres-versions'

type Suite = { numTotalTests: number; numFailedTests: number }

/** The tests of the API on each major version of PostgreSQL that a supported system has. */
export function postgresVersions() {
  const started = Date.now()
  const results = MAJORS.map(onMajor)
  return report('postgres-versions', results, `all in ${seconds(started)} s`)
}

function onMajor(major: number): Result {
  const bin = major === 15 ? DEBIAN : bringPostgres(major)
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const started = Date.now()
  const { status } = spawnSync('npx', ['vitest', 'run', ...PROJECTS], {
    cwd: CHECKOUT,
    env: { ...process.env, POSTGRES_BIN: bin, TEST_PART: PART },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const suite = JSON.parse(readFileSync(join(CHECKOUT, `.test/${PART}.json`), 'utf8')) as Suite
  return {
    title: `API tests on ${version.trim().replace('postgres (PostgreSQL) ', 'PostgreSQL ')}`,
    isRight: status === 0 && suite.numFailedTests === 0 && suite.numTotalTests > 1000,
    figure: `${suite.numTotalTests} tests, ${suite.numFailedTests} failed, ${seconds(started)} s`,
  }
}
