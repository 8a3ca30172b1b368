import { execFile, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyMistakes, findUnnamed, MISTAKES } from './site-mistakes.ts'
import { addSite, copyWorkspace, runIn, withoutSite } from '../build/workspace.ts'

const TIMEOUT_MS = 300_000
let copy: string

beforeAll(() => {
  copy = copyWorkspace()
  addSite(copy)
  runIn(copy, 'notice:write')
  runIn(copy, 'openapi', '--', '--released')
}, TIMEOUT_MS)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('site:check passes a valid site; samples and an outdated openapi.json are only warnings', () => {
  const older = (text: string) => text.replace('"description": "', '"description": "Formerly: ')
  const { status, output } = withFiles({ 'openapi.json': older }, check)
  expect(status, output).toBe(0)
  expect(output).toContain('Warning: site.url is an example')
  expect(output).toContain('Warning: openapi.json of the site is out of date: npm run openapi')
})

test('site:check passes a site without a version of the notice, which starts with a first draft', () => {
  const [folder, aside] = [join(copy, 'site/notice'), join(copy, 'notice')]
  renameSync(folder, aside)
  try {
    const { status, output } = check()
    expect(status, output).toBe(0)
  } finally {
    renameSync(aside, folder)
  }
})

test.concurrent.each(Object.entries(MISTAKES))(
  'site:check names file and line of each mistake: %s',
  async (group, mistakes) => {
    const folder = `site-${group}`
    cpSync(join(copy, 'site'), join(copy, folder), { recursive: true })
    applyMistakes(join(copy, folder), mistakes)
    const output = await checkFolder(folder)
    expect(findUnnamed({ parent: copy, folder }, mistakes, output), output).toEqual([])
  },
)

test('with --build, tests and format are left out', () => {
  const { status, output } = withFiles(
    { 'index.ts': (text) => text.replace("'./models/tickets.ts'", '"./models/tickets.ts"') },
    () => {
      writeFileSync(join(copy, 'site/index.test.ts'), 'const number: number = "text"\n')
      try {
        return check('--build')
      } finally {
        rmSync(join(copy, 'site/index.test.ts'))
      }
    },
  )
  expect(status, output).toBe(0)
})

test('a breaking change of an API that is not released needs no declaration', () => {
  const change = (text: string) => text.replaceAll("label: 'Amount'", "label: 'Amount', max: 10")
  const released = withFiles({ 'models/invoices.ts': change }, check)
  expect(released.output).toContain('undeclared breaking changes')
  const { output } = withFiles(
    {
      'models/invoices.ts': change,
      'openapi.json': (text) => text.replace('{', '{ "x-released": false,'),
    },
    check,
  )
  expect(output).not.toContain('breaking changes')
})

test('site:check names file and line of a statement that can’t run again outside a transaction', () => {
  const rerun = (text: string) => `${text}\nALTER TABLE "site_invoices" ADD COLUMN "late" text;\n`
  const { status, output } = withFiles({ 'migrations/0002-add-invoices-indexes.sql': rerun }, check)
  expect(status, output).toBe(1)
  expect(output).toMatch(/site\/migrations\/0002-add-invoices-indexes\.sql:\d+: "ALTER TABLE/)
})

test('site:check rejects unsafe SQL, and a changed model until migration, notice and API are updated', () => {
  const renamed = (text: string) => text.replaceAll('sentTo', 'postedTo')
  const unsafe = (text: string) => `${text}\nALTER TABLE "organisations" ALTER "name" TYPE text;\n`
  const { status, output } = withFiles(
    {
      'models/invoices.ts': renamed,
      'behaviours/invoices.ts': renamed,
      'migrations/0001-add-invoices.sql': unsafe,
    },
    () => check('--production'),
  )
  expect(status, output).toBe(1)
  for (const sentence of [
    'migrations of the site (site_invoices): npm run db:migration NAME',
    'A migration of the site is not safe',
    'changing-column-type',
    'npm run openapi -- --breaking',
    'npm run notice:write',
    'site.json:5: site.url is an example',
  ])
    expect(output).toContain(sentence)
})

async function checkFolder(folder: string) {
  const env = { ...process.env, SITE_DIR: join(copy, folder) }
  return new Promise<string>((resolve) =>
    execFile(
      'npm',
      ['run', '--silent', 'site:check'],
      { cwd: copy, env },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    ),
  )
}

function check(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['run', '--silent', 'site:check', '--', ...args],
    { cwd: copy, env: withoutSite(), encoding: 'utf8' },
  )
  return { status, output: stdout + stderr }
}

function withFiles<T>(spoil: Record<string, (text: string) => string>, run: () => T) {
  const before = Object.entries(spoil).map(([name, change]) => {
    const file = join(copy, 'site', name)
    const text = readFileSync(file, 'utf8')
    expect(change(text)).not.toBe(text)
    writeFileSync(file, change(text))
    return { file, text }
  })
  try {
    return run()
  } finally {
    for (const { file, text } of before) writeFileSync(file, text)
  }
}
