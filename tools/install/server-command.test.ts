import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'

const OPS = new URL('../../ops', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-command-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HOME = join(folder, 'opt')
const ETC = join(folder, 'etc')
const LOG = join(folder, 'log')
/** Of the unpacked archive. */
const FIRST = join(folder, 'unpacked/programs/gatehouse')
const INSTALLED = join(HOME, 'releases/1.2.3')

/** A program that only records how it was called. */
function stub(file: string, body = '') {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/bash\necho "$(basename "$0") $*" >>${LOG}\n${body}\n`)
  chmodSync(file, 0o755)
}

/** The commands of a release, with the places of the test; whatever they start is a stub. */
function layOut(programs: string) {
  mkdirSync(programs, { recursive: true })
  for (const part of ['server', 'env-file.sh'])
    cpSync(join(OPS, part), join(programs, 'ops', part), { recursive: true })
  const common = join(programs, 'ops/server/common.sh')
  writeFileSync(common, `${readFileSync(common, 'utf8')}\nHOME_DIR=${HOME} ETC=${ETC}\n`)
  writeFileSync(join(programs, 'package.json'), '{\n  "version": "1.2.3",\n}\n')
  for (const name of ['bin/node', 'ops/install.sh', 'ops/backup/restore-server.sh'])
    stub(join(programs, name))
  symlinkSync('ops/server/gatehouse', join(programs, 'gatehouse'))
}

beforeEach(() => {
  for (const place of [HOME, ETC, LOG, join(folder, 'unpacked')])
    rmSync(place, { recursive: true, force: true })
  layOut(dirname(FIRST))
  stub(join(folder, 'bin/id'), 'echo 0')
  for (const name of ['systemctl', 'apt-get', 'runuser']) stub(join(folder, 'bin', name))
  stub(join(folder, 'bin/dpkg-query'), 'echo install ok installed')
})

function run(command: string, args: string[], env: Record<string, string> = {}) {
  const { stdout, stderr, status } = spawnSync('bash', [command, ...args], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, ...env },
  })
  return { stdout, stderr, status }
}

const started = () =>
  (existsSync(LOG) ? readFileSync(LOG, 'utf8') : '')
    .split('\n')
    .filter((line) => line && !line.startsWith('id '))

/** A server that is installed, whose command calls its release. */
function install() {
  layOut(INSTALLED)
  mkdirSync(ETC, { recursive: true })
  symlinkSync(INSTALLED, join(HOME, 'current'))
  return join(HOME, 'current/ops/server/gatehouse')
}

test.each([
  ['up', '--help'],
  ['up', 'now'],
  ['doctor', '--help'],
  ['doctor', '--json', '--quick'],
  ['backup', '--help'],
  ['kit', '--help'],
  ['init', '--images', 'FILE'],
  ['realm', '--help'],
  ['realm', 'owner'],
  ['notice', '--help'],
  ['notice', '--date'],
  ['restore', '--help'],
  ['restore', '2026-01-31', '14:05:09+00'],
  ['upgrade', '--help'],
])('gatehouse %s %s prints usage and starts nothing', (...args) => {
  const { stderr, status } = run(install(), args)
  expect([status, started()]).toEqual([2, []])
  expect(stderr).toMatch(/^Gatehouse on a server[^]*gatehouse up {2}/)
})

test('up before init is refused with both ways to install, by the path that was called', () => {
  const { stderr, status } = run(FIRST, ['up'])
  expect([status, started()]).toEqual([1, []])
  expect(stderr).toContain(`run ${FIRST} init first`)
  expect(stderr).toContain(`${dirname(FIRST)}/ops/install.sh`)
})

test.each(['init.env', 'env'])('up installs once there is %s', (name) => {
  mkdirSync(ETC)
  writeFileSync(join(ETC, name), '')
  expect(run(FIRST, ['up']).status).toBe(0)
  expect(started()).toEqual(['install.sh '])
})

test('up of an installed server applies its settings', () => {
  expect(run(install(), ['up']).status).toBe(0)
  expect(started()).toEqual(['install.sh '])
})

test('backup says that it is complete', () => {
  const command = install()
  writeFileSync(join(ETC, 'backup.env'), 'BACKUP_BUCKET="https://s3.test/bucket"\n')
  expect(run(command, ['backup'])).toMatchObject({
    status: 0,
    stdout: 'The backup is complete; gatehouse doctor says how old the last one is.\n',
  })
  expect(started()).toEqual(['systemctl start gatehouse-backup.service'])
})

test('a restore whose programs don’t all start says to run up again, by the path that was called', () => {
  const programs = dirname(FIRST)
  stub(join(programs, 'ops/install.sh'), 'exit 1')
  const failed = run(FIRST, ['restore'])
  expect(started().map((line) => line.trim())).toEqual(['restore-server.sh', 'install.sh'])
  expect(failed.status).toBe(1)
  expect(failed.stderr).toContain(`run ${FIRST} up again`)
  // It serves, and the doctor has found something, such as a kit that was never shown here.
  stub(join(programs, 'ops/install.sh'), 'exit 3')
  expect(run(FIRST, ['restore'])).toMatchObject({ status: 3, stderr: '' })
})

test('a restore without Keycloak’s archive or GitHub ends before it restores anything', () => {
  const programs = dirname(FIRST)
  cpSync(join(OPS, 'backup/restore-server.sh'), join(programs, 'ops/backup/restore-server.sh'))
  mkdirSync(join(programs, 'ops/keycloak'))
  cpSync(join(OPS, 'keycloak/release.env'), join(programs, 'ops/keycloak/release.env'))
  // Reads the kit.
  stub(join(programs, 'bin/node'), 'mkdir "$4/secrets" && : >"$4/env"')
  const saved = join(folder, 'saved/etc/gatehouse')
  mkdirSync(saved, { recursive: true })
  writeFileSync(join(saved, 'server.env'), 'IDENTITY="here"\n')
  stub(
    join(programs, 'ops/backup/restore-files.sh'),
    `[ $1 = check ] || tar -C ${join(folder, 'saved')} -cf - etc`,
  )
  stub(join(folder, 'bin/pg_lsclusters'), 'echo 17 main 5432 online postgres /data /log')
  for (const name of ['pg_ctlcluster', 'useradd']) stub(join(folder, 'bin', name))
  stub(join(folder, 'bin/runuser'), 'echo 0')
  stub(join(folder, 'bin/curl'), 'exit 6')
  const env = { BACKUP_BUCKET: 'https://s3.test/bucket', BACKUP_REGION: 'us-east-1' }
  const { stderr, status } = run(FIRST, ['restore'], env)
  expect(status).toBe(1)
  expect(stderr).toMatch(/give it as KEYCLOAK_ARCHIVE=FILE[^]*Nothing was restored/)
  expect(existsSync(ETC)).toBe(false)
  expect(started().filter((line) => /^(useradd|install\.sh)/.test(line))).toEqual([])
})
