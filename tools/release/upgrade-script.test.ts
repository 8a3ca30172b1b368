import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FILES } from './program-archive.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
const read = (path: string) => readFileSync(join(CHECKOUT, path), 'utf8')
/** Stands for the engine: writes down what it is asked for, and has every image. */
const DOCKER = `#!/bin/sh
echo "docker $*" >>"$CALLS"
case "$*" in
'compose version --short') echo 2.30.0 ;;
'image inspect'*gatehouse.postgres*postgres:3*) echo 18 ;;
'image inspect'*gatehouse.postgres*) echo 17 ;;
'image inspect'*gatehouse.keycloak*:1.1.0) echo 26.5.6 ;;
'image inspect'*gatehouse.keycloak*) echo 26.7.3 ;;
*'--file releases/9.9.9/compose.yaml run'*migrate) exit 1 ;;
*'--file releases/8.8.8/compose.yaml run'*print) grep -q notice.js "$CALLS" ;;
'compose ps '*' '*)
  for last; do :; done
  echo "$last-old"
  ! grep -q -- "--scale $last=2 $last$" "$CALLS" || echo "$last-new"
  ;;
'inspect --format {{.State.Health.Status}} site-new') echo "\${SITE_HEALTH:-healthy}" ;;
'inspect --format {{.State.Health.Status}}'*) echo healthy ;;
'wait '*) echo 0 ;;
'image ls '*:1.0.0*) printf '%s\n' localhost/gatehouse/api:1.0.0 localhost/gatehouse/site:1.0.0 ;;
esac
`
/** The script of another release, in which the old one ends. */
const NEXT_SCRIPT = `#!/bin/sh\necho "gatehouse $*, VERSION \${VERSION:-of .env}" >>"$CALLS"\n`
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

/** An installation of 1.2.0 that came from 1.1.0. */
function install(settings = 'BACKUP_BUCKET=https://s3.mine.example/b1\n') {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'))
  folders.push(folder)
  cpSync(join(CHECKOUT, 'ops/release/gatehouse'), join(folder, 'gatehouse'))
  cpSync(join(CHECKOUT, 'ops/release'), join(folder, 'programs/ops/release'), { recursive: true })
  for (const name of [
    'site',
    'secrets',
    'bin',
    'releases/1.1.0/docs',
    'releases/1.1.0/programs',
    'docs',
  ])
    mkdirSync(join(folder, name), { recursive: true })
  for (const place of ['', 'releases/1.1.0/']) addFiles(join(folder, place))
  writeFileSync(join(folder, 'docs/old.md'), 'old')
  writeFileSync(join(folder, 'releases/1.1.0/gatehouse'), NEXT_SCRIPT, { mode: 0o755 })
  const versions = 'VERSION=1.2.0\nVERSION_BEFORE=1.1.0\nPOSTGRES_MAJOR=17\n'
  writeFileSync(join(folder, '.env'), versions + settings)
  writeFileSync(join(folder, 'bin/docker'), DOCKER, { mode: 0o755 })
  const call = (args: string[], env = {}) => {
    const calls = join(folder, 'calls')
    writeFileSync(calls, '')
    const { status, stderr } = spawnSync(join(folder, 'gatehouse'), args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}/bin:${process.env['PATH']}`, CALLS: calls, ...env },
    })
    return { status, stderr: stderr.trim(), calls: readFileSync(calls, 'utf8') }
  }
  const run = (...args: string[]) => call(['upgrade', ...args])
  return { folder, call, run, env: () => readFileSync(join(folder, '.env'), 'utf8') }
}

function addFiles(folder: string) {
  for (const name of Object.values(FILES).filter((one) => !['docs', 'gatehouse'].includes(one))) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), 'file')
  }
  writeFileSync(join(folder, 'VERSION'), 'file')
}

/** The downloaded files of a release. */
function download(folder: string, version: string) {
  const root = join(folder, `gatehouse-${version}`)
  mkdirSync(join(root, 'docs'), { recursive: true })
  mkdirSync(join(root, 'programs'))
  addFiles(root)
  writeFileSync(join(root, 'gatehouse'), NEXT_SCRIPT)
  chmodSync(join(root, 'gatehouse'), 0o755)
  const archive = `gatehouse-${version}.tar.gz`
  execFileSync('tar', ['-C', folder, '-czf', join(folder, archive), `gatehouse-${version}`])
  const sums = execFileSync('sha256sum', [archive], { cwd: folder, encoding: 'utf8' })
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  rmSync(root, { recursive: true })
  return join(folder, archive)
}

test('an upgrade backs up, migrates with the new release, replaces its files and hands over to its script', () => {
  const { folder, run, env } = install()
  download(folder, '1.3.0')
  const { status, stderr, calls } = run('1.3.0')
  expect([status, stderr]).toEqual([0, ''])
  expect(calls).toMatch(
    /backup\.sh\n[^]*--file releases\/1\.3\.0\/compose\.yaml run --rm --no-deps -T migrate\n[^]*gatehouse replace/,
  )
  expect(env()).toMatch(/^VERSION=1\.3\.0$/m)
  expect(env()).toMatch(/^VERSION_BEFORE=1\.2\.0$/m)
  expect(readdirSync(join(folder, 'docs'))).toEqual([])
  expect(readFileSync(join(folder, 'releases/1.2.0/gatehouse'), 'utf8')).toContain('set -eu')
})

test('an upgrade with --notice publishes a version of the notice with the new release, if that stores other data', () => {
  const { folder, run } = install()
  download(folder, '8.8.8')
  const { status, calls } = run('8.8.8', '--notice', 'We note how you called.')
  expect(status).toBe(0)
  expect(calls).toMatch(
    /releases\/8\.8\.8\/compose\.yaml run .*node api\/dist\/notice\.js --summary We note how you called\.\n[^]* print\n[^]* migrate\n/,
  )
  download(folder, '1.3.0')
  expect(run('1.3.0', '--notice', 'Nothing').calls).not.toContain('notice.js')
})

test('the release before comes back without a migration, keeps the newer Keycloak, and is the last one to go back to', () => {
  const { folder, run, env } = install()
  const { status, stderr, calls } = run('1.1.0')
  expect([status, stderr]).toEqual([0, ''])
  expect(calls).not.toContain('migrate')
  expect(env()).toMatch(/^VERSION=1\.1\.0$/m)
  expect(env()).toMatch(/^KEYCLOAK_VERSION=1\.2\.0$/m)
  expect(env()).not.toMatch(/VERSION_BEFORE/)
  expect(readFileSync(join(folder, 'gatehouse'), 'utf8')).toBe(NEXT_SCRIPT)
})

test('a release with another major version of PostgreSQL keeps the image of the one before', () => {
  const { folder, run, env } = install()
  download(folder, '3.0.0')
  expect(run('3.0.0').status).toBe(0)
  expect(env()).toMatch(/^POSTGRES_VERSION=1\.2\.0$/m)
  expect(env()).toMatch(/^POSTGRES_MAJOR=17$/m)
})

test('every later release leaves the ports to the image that has held them, until the containers are down', () => {
  const { folder, call, run, env } = install()
  download(folder, '1.3.0')
  run('1.3.0')
  expect(env()).toMatch(/^FRONT_VERSION=1\.2\.0$/m)
  cpSync(join(CHECKOUT, 'ops/release/gatehouse'), join(folder, 'gatehouse'))
  cpSync(join(CHECKOUT, 'ops/release'), join(folder, 'programs/ops/release'), { recursive: true })
  download(folder, '1.4.0')
  run('1.4.0')
  expect(env()).toMatch(/^FRONT_VERSION=1\.2\.0$/m)
  cpSync(join(CHECKOUT, 'ops/release/gatehouse'), join(folder, 'gatehouse'))
  cpSync(join(CHECKOUT, 'ops/release'), join(folder, 'programs/ops/release'), { recursive: true })
  expect(call(['down']).status).toBe(0)
  expect(env()).not.toMatch(/FRONT_VERSION/)
})

test('API and nginx end when their successor is healthy, and only the image that holds the ports stays of an old release', () => {
  const { folder, call } = install('FRONT_VERSION=1.0.0\n')
  mkdirSync(join(folder, 'releases/1.0.0'))
  const { status, stderr, calls } = call(['replace'])
  expect([status, stderr]).toEqual([0, ''])
  for (const service of ['api', 'site'])
    expect(calls).toMatch(
      new RegExp(
        `--no-recreate --scale ${service}=2 ${service}\n[^]*Health.Status}} ${service}-new\n[^]*stop -t 40 ${service}-old\n`,
      ),
    )
  expect(calls.indexOf('stop -t 40 api-old')).toBeLessThan(calls.indexOf('--scale site=2'))
  expect(calls).toContain('image rm localhost/gatehouse/api:1.0.0')
  expect(calls).not.toContain('image rm localhost/gatehouse/site:1.0.0')
  expect(readdirSync(join(folder, 'releases'))).not.toContain('1.0.0')
})

test('nginx of a release that does not start is removed, and the one before serves on', () => {
  const { folder, call } = install()
  const script = join(folder, 'gatehouse')
  writeFileSync(
    script,
    readFileSync(script, 'utf8').replace('READY_SECONDS=300', 'READY_SECONDS=1'),
  )
  const { status, stderr, calls } = call(['replace'], { SITE_HEALTH: 'starting' })
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /The service site of this release does not start; the one before serves on/,
  )
  expect(calls).toContain('rm --force site-new')
  expect(calls).not.toContain('site-old')
})

test.each([
  ['an older release', '1.0.9', {}, /restore a backup of that time with it/],
  [
    'a release that is not there',
    '1.4.0',
    {},
    /gatehouse-1\.4\.0\.tar\.gz is missing: download it/,
  ],
  ['a changed file', '1.3.0', { isChanged: true }, /is not the file that SHA256SUMS names/],
  [
    'an installation without a bucket',
    '1.3.0',
    { settings: '' },
    /There is no bucket.*--without-backup/,
  ],
  ['a notice that names less than the release stores', '8.8.8', {}, /repeat .* --notice '/],
  ['a migration that fails', '9.9.9', {}, /Release 1\.2\.0 serves as before/],
])('%s changes nothing, and the sentence says why', (_name, version, options, sentence) => {
  const { isChanged, settings } = options as { isChanged?: boolean; settings?: string }
  const { folder, run, env } = install(settings)
  if (version !== '1.4.0') appendFileSync(download(folder, version), isChanged ? 'x' : '')
  const before = env()
  const { status, stderr } = run(version)
  expect(status).toBe(1)
  expect(stderr).toMatch(sentence)
  expect(env()).toBe(before)
  expect(readFileSync(join(folder, 'docs/old.md'), 'utf8')).toBe('old')
})

test('an upgrade replaces every file that the archive of a release has, and no other', () => {
  const [, names = ''] = /^RELEASE_FILES='(.*)'$/m.exec(read('ops/release/upgrade.sh')) ?? []
  const written = Object.values(FILES).map((to) => to.split('/')[0])
  expect(new Set(names.split(' '))).toEqual(new Set([...written, 'programs', 'VERSION']))
  // A shell reads the script while it runs.
  expect(names).toMatch(/ gatehouse$/)
})

test('the container of the site gets every limit of an address from .env', () => {
  const [, site = ''] = read('compose.yaml').split(/^ {2}site:$/m)
  const passed = [...site.matchAll(/^ {6}([A-Z_]+):$/gm)].map(([, name]) => name)
  const limits = [...read('ops/nginx/limits.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  expect(limits.length).toBeGreaterThan(10)
  expect(passed).toEqual(expect.arrayContaining(limits))
})

test('an installation of an older release gets the secret that signs links, once', () => {
  const { folder, run } = install()
  run('1.1.0')
  const made = readFileSync(join(folder, 'secrets/signing_secret'), 'utf8')
  expect(made).toMatch(/^[0-9a-f]{48}$/)
  expect(readFileSync(join(folder, 'secrets/files_s3_secret'), 'utf8')).toBe('')
  writeFileSync(join(folder, 'secrets/files_s3_secret'), 'mine', { mode: 0o644, flag: 'w' })
  run('1.1.0')
  expect(readFileSync(join(folder, 'secrets/signing_secret'), 'utf8')).toBe(made)
  expect(readFileSync(join(folder, 'secrets/files_s3_secret'), 'utf8')).toBe('mine')
})

test('the containers of nginx and of the backup may read what the API stores, and see it at one place', () => {
  const compose = read('compose.yaml')
  const parts = Object.fromEntries(
    (compose.split(/^volumes:$/m)[0] ?? '')
      .split(/^ {2}(?=\w+:$)/m)
      .map((part) => [part.split(':')[0] ?? '', part]),
  )
  const place = '/var/lib/gatehouse/files'
  expect(parts['api']).toContain(`      - files:${place}\n`)
  expect(parts['api']).toContain(`FILES_DIR: ${place}\n`)
  for (const name of ['site', 'backup'])
    expect(parts[name]).toContain(`      - files:${place}:ro\n`)
  expect(parts['backup']).toContain(`group_add: ['33']`)
  expect(read('ops/backup/settings.sh')).toContain(`ATTACHED_FILES=${place}\n`)
  // Whichever container is first fills the volume: its folder has the same owner in each image.
  const owned = [
    ...read('Containerfile').matchAll(/install -d -m 2750 -o (\w+) -g www-data (\S+)/g),
  ]
  expect(owned.map(([, owner, folder]) => `${owner} ${folder}`)).toEqual([
    `gatehouse ${place}`,
    `10001 ${place}`,
    `10001 ${place}`,
  ])
  expect(read('Containerfile')).toMatch(/^USER gatehouse:www-data$/m)
})

test('compose.yaml, the image and the example of .env name one major version of PostgreSQL', () => {
  const [, built] = /^ARG POSTGRES_MAJOR=(\d+)$/m.exec(read('Containerfile')) ?? []
  const [, mounted] = /_postgres-\$\{POSTGRES_MAJOR:-(\d+)\}/.exec(read('compose.yaml')) ?? []
  const [, shown] = /^#POSTGRES_MAJOR=(\d+)$/m.exec(read('.env.example')) ?? []
  expect(built).toMatch(/^\d+$/)
  expect([mounted, shown]).toEqual([built, built])
})
