import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const OPS = new URL('../../ops', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-server-'))
afterAll(() => rmSync(folder, { recursive: true }))

const PARTS = ['env-file', 'server/common', 'server/system', 'server/settings', 'server/keycloak']

/** Lines of a shell that has sourced the parts of ops/install.sh, with folders of the test. */
function shell(lines: string, env: Record<string, string> = {}) {
  const sourced = PARTS.map((part) => `. ${OPS}/${part}.sh`).join('\n')
  const places = `ETC=${folder} HOME_DIR=${folder}/opt KEYCLOAK_HOME=${folder}/opt/keycloak RELEASE=${folder}/release`
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', `${sourced}\n${places}\n${lines}`],
    { encoding: 'utf8', env: { PATH: `${folder}/bin:${process.env['PATH']}`, ...env } },
  )
  return { stdout, stderr, status }
}

test('a variable that is given replaces the stored one, a default never does', () => {
  const file = join(folder, 'proxy.env')
  writeFileSync(file, '# kept\nTLS="files"\nOTHER=own\n')
  const remembered = `remember ${file} TLS acme; remember ${file} HTTP_PORT 80`
  shell(remembered)
  expect(readFileSync(file, 'utf8')).toBe('# kept\nTLS="files"\nOTHER=own\nHTTP_PORT="80"\n')
  shell(remembered, { TLS: "o'ff $x" })
  expect(readFileSync(file, 'utf8')).toBe('# kept\nOTHER=own\nHTTP_PORT="80"\nTLS="o\'ff \\$x"\n')
  expect(shell(`setting_of ${file} TLS`, { TLS: 'of the environment' }).stdout).toBe("o'ff $x")
  expect(shell(`setting_of ${file} MISSING`, { MISSING: 'x' }).stdout).toBe('')
})

test('of several clusters the settings’ is taken, and without settings none', () => {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const list = join(folder, 'bin/pg_lsclusters')
  writeFileSync(
    list,
    '#!/bin/sh\necho 15 main 5432 down postgres /data/15 /log\necho 17 main 5433 online postgres /data/17 /log\n',
  )
  chmodSync(list, 0o755)
  const find = 'find_cluster; echo $POSTGRES_PORT $POSTGRES_DATA $POSTGRES_UNIT'
  expect(shell(find)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('POSTGRES_CLUSTER'),
  })
  expect(shell(find, { POSTGRES_CLUSTER: '17/main' }).stdout).toBe(
    '5433 /data/17 postgresql@17-main\n',
  )
  writeFileSync(join(folder, 'server.env'), 'POSTGRES_CLUSTER="15/main"\n')
  expect(shell(find).stdout).toBe('5432 /data/15 postgresql@15-main\n')
  writeFileSync(join(folder, 'server.env'), 'POSTGRES_CLUSTER="16/main"\n')
  expect(shell(find)).toMatchObject({ status: 1, stderr: expect.stringContaining('16/main') })
  rmSync(join(folder, 'server.env'))
})

test('an identity provider elsewhere is kept, and Keycloak is installed here without one', () => {
  const choose = 'choose_identity; echo $IDENTITY'
  expect(shell(choose).stdout).toBe('here\n')
  expect(shell(choose, { OIDC_ISSUER: 'https://id.test/realms/it' }).stdout).toBe('elsewhere\n')
  expect(shell(choose, { IDENTITY: 'elsewhere' }).status).not.toBe(0)
  writeFileSync(join(folder, 'env'), 'OIDC_ISSUER=https://id.test/realms/it\n')
  expect(shell(choose, { IDENTITY: 'here' }).stdout).toBe('elsewhere\n')
  rmSync(join(folder, 'env'))
})

test('an installer makes the secret that signs links once, and stores the settings of files that are given', () => {
  writeFileSync(join(folder, 'env'), '')
  // There is no group of the service here.
  const remember = 'write() { cat >"$2"; }; STATE=/var/lib/gatehouse; remember_files'
  expect(shell(remember, { FILES_MAX_MB: '250' }).stderr).toBe('')
  const secret = readFileSync(join(folder, 'signing-secret'), 'utf8')
  expect(secret).toMatch(/^[0-9a-f]{48}\n$/)
  expect(readFileSync(join(folder, 'env'), 'utf8')).toBe(
    `FILES_DIR="/var/lib/gatehouse/files"\nSIGNING_SECRET_FILE="${folder}/signing-secret"\nFILES_MAX_MB="250"\n`,
  )
  shell(remember, { CLAMD_URL: 'tcp://127.0.0.1:3310' })
  expect(readFileSync(join(folder, 'signing-secret'), 'utf8')).toBe(secret)
  expect(readFileSync(join(folder, 'env'), 'utf8')).toMatch(/FILES_MAX_MB="250"\nCLAMD_URL="tcp:/)
  rmSync(join(folder, 'env'))
})

test('a restore needs Keycloak’s archive or GitHub, unless the identity provider is elsewhere', () => {
  mkdirSync(join(folder, 'release/ops/keycloak'), { recursive: true })
  writeFileSync(
    join(folder, 'release/ops/keycloak/release.env'),
    `KEYCLOAK_VERSION=26.7.3\nKEYCLOAK_SHA256=${'0'.repeat(64)}\n`,
  )
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const curl = join(folder, 'bin/curl')
  writeFileSync(curl, '#!/bin/sh\necho "$*" >&2\n[ "$REACHED" = yes ]\n')
  chmodSync(curl, 0o755)
  const check = (identity: string, env: Record<string, string> = {}) =>
    shell('require_keycloak', { IDENTITY: identity, ...env })
  expect(check('elsewhere')).toMatchObject({ status: 0, stderr: '' })
  expect(check('here', { REACHED: 'yes' }).status).toBe(0)
  expect(check('here')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('give it as KEYCLOAK_ARCHIVE=FILE'),
  })
  writeFileSync(join(folder, 'other.tar.gz'), 'not this one')
  const given = check('here', { REACHED: 'yes', KEYCLOAK_ARCHIVE: join(folder, 'other.tar.gz') })
  expect(given).toMatchObject({ status: 1, stderr: expect.stringContaining('SHA-256') })
})

test('installing packages prints what apt says only if it fails', () => {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const aptGet = join(bin, 'apt-get')
  writeFileSync(
    aptGet,
    '#!/bin/sh\n[ "$2" != update ] || exit 0\necho unpacking\necho not found >&2\n[ "$IS_RIGHT" = yes ]\n',
  )
  writeFileSync(join(bin, 'dpkg-query'), '#!/bin/sh\n')
  for (const name of ['apt-get', 'dpkg-query']) chmodSync(join(bin, name), 0o755)
  const install = 'PACKAGES=(one); install_packages two'
  expect(shell(install, { IS_RIGHT: 'yes' })).toEqual({
    status: 0,
    stdout: '— Packages: one two\n',
    stderr: '',
  })
  expect(shell(install)).toMatchObject({ status: 1, stderr: expect.stringContaining('not found') })
})

test('an archive of Keycloak with another checksum is refused', () => {
  mkdirSync(join(folder, 'release/ops/keycloak'), { recursive: true })
  writeFileSync(
    join(folder, 'release/ops/keycloak/release.env'),
    `KEYCLOAK_VERSION=26.7.3\nKEYCLOAK_SHA256=${'0'.repeat(64)}\n`,
  )
  writeFileSync(join(folder, 'keycloak.tar.gz'), 'not this one')
  const install = 'IDENTITY=here install_keycloak'
  const { status, stderr } = shell(install, { KEYCLOAK_ARCHIVE: join(folder, 'keycloak.tar.gz') })
  expect([status, stderr]).toEqual([1, expect.stringContaining('SHA-256')])
  mkdirSync(join(folder, 'opt/keycloak'), { recursive: true })
  writeFileSync(join(folder, 'opt/keycloak/release'), '26.10.0\n')
  expect(shell(install).status).toBe(0)
})
