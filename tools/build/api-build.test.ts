import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
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
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../api/test/kit.ts'
import { picture } from '../../api/test/picture-fixtures.ts'
import { buildPreviewProcess } from '../../api/src/platform/files/preview-process.ts'
import { startApi } from '../../ops/drills/kit/api-process.ts'
import { startKeyServer } from '../../ops/drills/kit/key-server.ts'
import { buildApi } from './api-build.ts'
import { CHECKOUT } from '../stack/settings.ts'

const ALICE = { sub: 'sub-alice', name: 'Alice', role: 'user' } as const
const SET_UP_TIMEOUT_MS = 180_000
/** Files the Containerfile copies into the image, except the pages. */
const SHIPPED = ['package.json', 'api/dist', 'api/migrations', 'sample']

let release: string
let database: Awaited<ReturnType<typeof cloneDatabase>>
let keys: Awaited<ReturnType<typeof startKeyServer>>

beforeAll(async () => {
  await buildApi()
  release = mkdtempSync(join(tmpdir(), 'gatehouse-release-'))
  for (const name of SHIPPED)
    cpSync(join(CHECKOUT, name), join(release, name), {
      recursive: true,
      // Otherwise the copy looks older than its sources and is rebuilt.
      preserveTimestamps: true,
    })
  database = await cloneDatabase({ isEmpty: true })
  keys = await startKeyServer()
}, SET_UP_TIMEOUT_MS)

afterAll(async () => {
  keys?.stop()
  await database?.drop()
  if (release) rmSync(release, { recursive: true, force: true })
})

test('the built programs migrate, serve and run the doctor without packages or sources beside them', async () => {
  const migrated = await run('api/dist/migrate.js', {
    DATABASE_MIGRATION_URL: database.url('gatehouse_migrate'),
  })
  const files = readdirSync(join(CHECKOUT, 'api/migrations')).filter((name) =>
    name.endsWith('.sql'),
  )
  expect(migrated.trim()).toBe(`Applied ${files.toSorted().join(', ')}`)
  const env = {
    ...keys.env,
    DATABASE_URL: database.url('gatehouse_app'),
    FILES_DIR: join(release, 'files'),
    SIGNING_SECRET: randomBytes(32).toString('hex'),
  }
  const api = await startApi({ root: release, env })
  try {
    const { status } = await fetch(`${api.base}/api/services`)
    expect(status).toBe(200)
    const uploaded = await fetch(`${api.base}/api/files`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await keys.tokenOf(ALICE)}`,
        'content-type': 'application/octet-stream',
        'x-file-name': 'page.pdf',
      },
      body: '%PDF-1.7',
    })
    expect(await uploaded.json()).toMatchObject({ type: 'application/pdf', size: 8 })
  } finally {
    await api.stop()
  }
  const output = await run('api/dist/doctor.js', { ...env, NODE_ENV: 'production' }, '--json')
  const findings = JSON.parse(output) as { what: string; level: string }[]
  expect(findings).toContainEqual(
    expect.objectContaining({ level: 'ok', what: 'All migrations are applied' }),
  )
  expect(output).not.toContain('This check itself failed')
})

test('a built program rejects the folder of another site before it connects to a database', async () => {
  const other = mkdtempSync(join(tmpdir(), 'gatehouse-other-'))
  cpSync(join(CHECKOUT, 'sample'), other, { recursive: true })
  writeFileSync(join(other, 'index.ts'), 'export const site = { models: [] }')
  const env = {
    ...keys.env,
    SITE_DIR: other,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    DATABASE_MIGRATION_URL: 'postgres://nobody@127.0.0.1:1/none',
  }
  for (const program of ['server', 'migrate'])
    expect(await run(`api/dist/${program}.js`, env)).toMatch(
      /differs from the site that the programs were built from \(sample\): .*npm run build -w api/,
    )
  rmSync(other, { recursive: true })
})

test('stack traces of a built program name the source file and line', async () => {
  mkdirSync(join(release, 'site'))
  writeFileSync(join(release, 'site/site.json'), '{')
  const output = await run('api/dist/server.js', {
    ...keys.env,
    DATABASE_URL: database.url('gatehouse_app'),
  })
  const { err } = JSON.parse(output) as { err: { at: string[] } }
  const [, file = '', line = ''] = /(api\/src\/\S+\.ts):(\d+):\d+/.exec(err.at[0] ?? '') ?? []
  expect(file).toBe('api/src/platform/site-config.ts')
  const text = readFileSync(join(CHECKOUT, file), 'utf8').split('\n')[Number(line) - 1]
  expect(text).toContain('new SetupError')
})

test('no built program contains the development stack', () => {
  const sources = ['server', 'migrate', 'doctor'].flatMap((name): string[] => {
    const map = readFileSync(join(release, `api/dist/${name}.js.map`), 'utf8')
    return JSON.parse(map).sources
  })
  expect(sources.join('\n')).toContain('ops/doctor/doctor.ts')
  expect(sources.filter((source) => source.includes('tools/stack/'))).toEqual([])
})

test('licences.txt covers every bundled package', () => {
  const text = readFileSync(join(release, 'api/dist/licences.txt'), 'utf8')
  const { dependencies } = JSON.parse(readFileSync(join(CHECKOUT, 'api/package.json'), 'utf8'))
  for (const name of Object.keys(dependencies).filter((one) => !one.startsWith('@gatehouse/')))
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
  expect(text).not.toContain('(undefined)')
})

test('licences.txt names the libraries that read pictures, with the text of the LGPL', () => {
  const text = readFileSync(join(release, 'api/dist/licences.txt'), 'utf8')
  expect(text).toMatch(/^@img\/sharp-libvips-\S+ \d\S+ \(LGPL-3\.0-or-later\)$/m)
  expect(text).toMatch(/^\| libvips +\| LGPLv3 /m)
  expect(text).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  expect(text).toContain('GNU GENERAL PUBLIC LICENSE')
})

test('the built program makes previews with the packages beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-previews-'))
  const source = join(folder, 'source')
  const targets = { small: join(folder, 'small'), large: join(folder, 'large') }
  writeFileSync(source, await picture('png'))
  const process = buildPreviewProcess({
    program: pathToFileURL(join(release, 'api/dist/write-previews.js')),
  })
  await process.write({ source, targets })
  process.stop()
  for (const path of Object.values(targets))
    expect(readFileSync(path).toString('latin1', 0, 4)).toBe('RIFF')
  expect(readdirSync(join(release, 'api/dist/node_modules')).toSorted()).toEqual([
    '@img',
    'detect-libc',
    'semver',
    'sharp',
  ])
  rmSync(folder, { recursive: true })
})

/** Stdout of a built program, whatever its exit code. */
const run = (program: string, env: Record<string, string>, ...args: string[]) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd: release, env }, (_error, stdout) =>
      resolve(stdout),
    )
  })
