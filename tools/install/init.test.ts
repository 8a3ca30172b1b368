import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../stack/settings.ts'

const PROGRAM = new URL('init.ts', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-init-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Without any setting of the programs, as `docker run` starts it. */
function init(args: string[], input = '') {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [PROGRAM, '--folder', folder, ...args],
    { input, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  )
  return { stdout, stderr, status }
}

test('init without answers lists the missing ones and writes nothing', () => {
  const { stderr, status } = init(['--version', '1.2.3'])
  expect(status).toBe(1)
  expect(stderr).toMatch(/^Nothing was written[^]*\nSITE_HOST: It is missing[^]*\nOWNER_EMAIL: /)
  expect(readdirSync(folder)).toEqual([])
})

test('init writes the files, prints each check and the next command, and shows no secret', async () => {
  const answers = `
    SITE_HOST=portal.gatehouse.invalid
    OWNER_EMAIL=me@gatehouse.invalid
    SMTP_URL=smtp://me@127.0.0.1:${await freePort()}
    SMTP_PASSWORD=pass-of-relay
    SITE_NAME='O\\'Neill & Sons $5'
    POSTAL_ADDRESS='1 Main Street'
    COUNTRY=IE`
  const first = init(['--version', '1.2.3', '--answers', '-'], answers)
  expect([first.stderr, first.status]).toEqual(['', 1])
  expect(first.stdout).toMatch(/✓ configuration: .*site\.json is complete/)
  expect(first.stdout).toMatch(/✗ configuration: site\.url is an example/)
  expect(first.stdout).toMatch(/✗ DNS: id\.portal\.gatehouse\.invalid .*\n {4}Fix: /)
  expect(first.stdout).toMatch(/✗ mail: Mail relay 127\.0\.0\.1:\d+ did not accept/)
  expect(first.stdout).toMatch(/then: \.\/gatehouse up\n$/)
  const { site } = JSON.parse(readFileSync(join(folder, 'site/site.json'), 'utf8'))
  expect(site.name).toBe("O'Neill & Sons $5")
  const again = init(['--check-only', '--running'])
  expect(again.status).toBe(1)
  expect(again.stdout).not.toMatch(/Written|ports/)
  const secrets = readdirSync(join(folder, 'secrets'))
    .map((name) => readFileSync(join(folder, 'secrets', name), 'utf8'))
    .filter(Boolean)
  expect(secrets).toHaveLength(9)
  for (const secret of [...secrets, 'pass-of-relay'])
    expect(first.stdout + again.stdout).not.toContain(secret)
})

test('init on a server asks for the identity provider, and makes no secret that the server makes itself', () => {
  const server = mkdtempSync(join(tmpdir(), 'gatehouse-init-server-'))
  const answers = `
    SITE_HOST=portal.gatehouse.invalid
    OIDC_ISSUER=https://id.gatehouse.invalid/realms/it
    OWNER_EMAIL=o'neill@gatehouse.invalid
    SITE_NAME=Copperfield
    POSTAL_ADDRESS='1 Main Street'
    COUNTRY=IE`
  const { stdout, stderr } = init(
    ['--server', '--folder', server, '--version', '1.2.3', '--answers', '-'],
    answers,
  )
  expect(stderr).toBe('')
  expect(stdout).toMatch(/Written: init\.env, [^]*then: gatehouse up\n$/)
  expect(stdout).not.toMatch(/DNS: id\./)
  // Those of containers.
  expect(stdout).not.toMatch(/\.\/gatehouse| \.env\b/)
  const called = init([
    '--server',
    '--folder',
    server,
    '--command',
    '/root/gatehouse',
    '--check-only',
  ])
  expect(called.stdout).toMatch(/then: \/root\/gatehouse up\n$/)
  const written = readFileSync(join(server, 'init.env'), 'utf8')
  // Read by ops/env-file.sh as systemd reads it.
  expect(written).toContain(`OWNER_EMAIL="o'neill@gatehouse.invalid"`)
  expect(written).toContain('OIDC_ISSUER=https://id.gatehouse.invalid/realms/it\n')
  expect(written).toMatch(/^IDENTITY_HOST=$/m)
  expect(readdirSync(join(server, 'secrets')).toSorted()).toEqual([
    'backup_s3_key',
    'backup_s3_secret',
    'smtp_url',
  ])
  rmSync(server, { recursive: true })
})
