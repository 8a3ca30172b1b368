import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'

const SCRIPT = new URL('../../ops/certbot/renew.sh', import.meta.url).pathname
const HOUR_SECONDS = 3600
const TERM_MS_MAX = 2000

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-certbot-'))
const running: ReturnType<typeof spawn>[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

let count = 0
/** The script beside a certbot that records its arguments, prints this output and ends with this status. */
function startRenewal({
  output = '',
  status = 1,
  env = {},
  failedSecondsAgo = [] as number[],
} = {}) {
  const home = join(directory, String(count++))
  const path = (name: string) => join(home, name)
  for (const name of ['bin', 'acme', 'certificates/renewal', 'etc'])
    mkdirSync(path(name), { recursive: true })
  writeFileSync(path('output'), output)
  writeFileSync(
    path('bin/certbot'),
    `#!/bin/sh\necho "$*" >>${path('calls')}\ncat ${path('output')}\nexit ${status}\n`,
  )
  chmodSync(path('bin/certbot'), 0o755)
  const now = Math.round(Date.now() / 1000)
  if (failedSecondsAgo.length > 0)
    writeFileSync(
      path('certificates/failures'),
      failedSecondsAgo.map((seconds) => `${now - seconds}\n`).join(''),
    )
  writeFileSync(path('certificates/renewal/gatehouse.conf'), 'server = https://acme.test/dir\n')
  const child = spawn('sh', [SCRIPT], {
    env: {
      PATH: `${path('bin')}:${process.env['PATH']}`,
      SITE_HOST: 'gatehouse.test',
      IDENTITY_HOST: 'id.gatehouse.test',
      ACME_DIRECTORY: 'https://acme.test/dir',
      ACME_ROOT: path('acme'),
      CERTIFICATES_DIR: path('certificates'),
      WORK_DIR: path('work'),
      GATEHOUSE_ETC: path('etc'),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.push(child)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  return {
    child,
    errors: () => errors,
    calls: () => (existsSync(path('calls')) ? readFileSync(path('calls'), 'utf8') : ''),
    status: async () => {
      const file = path('acme/status.json')
      await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 10_000 })
      return JSON.parse(readFileSync(file, 'utf8')) as { isOk: boolean; message: string }
    },
  }
}

describe.concurrent('certbot', () => {
  test.each([
    [
      'the authority',
      'Some text\n  Domain: gatehouse.test\n  Type:   dns\n  Detail: DNS problem: NXDOMAIN looking up A for gatehouse.test\n\nHint: …',
      'DNS problem: NXDOMAIN looking up A for gatehouse.test',
    ],
    [
      'addresses',
      '  Detail: 203.0.113.7: Fetching http://gatehouse.test/x on [2001:db8::7], 2001:db8:0:0:0:0:0:7, me@mine.test\n',
      '(address): Fetching http://gatehouse.test/x on (address), (address), (address)',
    ],
    [
      'an error of certbot',
      'An unexpected error occurred:\nValueError: Requesting acme.test/dir: Connection refused\nAsk for help\n',
      'Requesting acme.test/dir: Connection refused',
    ],
    [
      'a limit, with quotes and the time',
      'An unexpected error occurred:\ntoo many failed authorizations (5) for "a\\b", retry after 2026-11-19 04:00:00 UTC :: see\n',
      'too many failed authorizations (5) for "a\\b", retry after 2026-11-19 04:00:00 UTC :: see',
    ],
    ['anything else', 'Saving debug log to x\nSomething new.\nAsk for help\n', 'Something new.'],
  ])(
    'the status file quotes one sentence of a failed order: %s',
    async (_what, output, message) => {
      const { status } = startRenewal({ output })
      expect(await status()).toMatchObject({ isOk: false, message })
    },
  )

  test('one certificate is ordered for both names, and the status file reports success', async () => {
    const { status, calls } = startRenewal({ status: 0 })
    expect(await status()).toMatchObject({ isOk: true, message: '' })
    expect(calls()).toMatch(/--domain gatehouse\.test --domain id\.gatehouse\.test/)
    expect(calls()).not.toMatch(/--force-renewal/)
  })

  test('a certificate from another authority is renewed at once', async () => {
    const { status, calls } = startRenewal({
      status: 0,
      env: { ACME_DIRECTORY: 'https://other.test/dir' },
    })
    await status()
    expect(calls()).toMatch(/--force-renewal/)
  })

  test('a failed first order is repeated after five seconds', async () => {
    const { calls } = startRenewal()
    await setTimeout(3000)
    expect(calls().split('\n').length - 1).toBe(1)
    await vi.waitFor(() => expect(calls().split('\n').length - 1).toBe(2), { timeout: 10_000 })
  })

  test('a restart orders nothing while five orders of the last hour have failed', async () => {
    const recent = [3000, 2000, 1000, 500, 100]
    const limited = startRenewal({ failedSecondsAgo: recent })
    const free = startRenewal({ failedSecondsAgo: [2 * HOUR_SECONDS, ...recent.slice(1)] })
    await free.status()
    expect(free.calls()).not.toBe('')
    expect(limited.calls()).toBe('')
  })

  test.each(['acme', 'files', 'off'])('TLS=%s ends at once on SIGTERM', async (mode) => {
    const { child, calls } = startRenewal({ env: { TLS: mode } })
    await setTimeout(1000)
    expect(calls() === '').toBe(mode !== 'acme')
    const asked = Date.now()
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(Date.now() - asked).toBeLessThan(TERM_MS_MAX)
  })

  test('another value of TLS is refused by name', async () => {
    const { child, errors } = startRenewal({ env: { TLS: 'on' } })
    await once(child, 'close')
    expect(child.exitCode).toBe(1)
    expect(errors()).toMatch(/TLS must be acme, files or off, not "on"/)
  })
})
