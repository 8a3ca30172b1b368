import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSite, copyWorkspace, runIn, withoutSite } from '../build/workspace.ts'

const TIMEOUT_MS = 300_000
let copy: string

beforeAll(() => {
  copy = copyWorkspace()
  addSite(copy)
  runIn(copy, 'notice:write')
  runIn(copy, 'openapi')
}, TIMEOUT_MS)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('site:check passes a valid site; samples and an outdated openapi.json are only warnings', () => {
  const older = (text: string) => text.replace('"description": "', '"description": "Formerly: ')
  const { status, output } = withFiles({ 'openapi.json': older }, check)
  expect(status, output).toBe(0)
  expect(output).toContain('Warning: site.url is an example')
  expect(output).toContain('Warning: openapi.json of the site is out of date: npm run openapi')
})

test('site:check rejects an import of the product’s internals before loading the site', () => {
  const stray = (text: string) => text.replace('@gatehouse/api/behaviour', '#behaviour.ts')
  const { status, output } = withFiles({ 'behaviours/invoices.ts': stray }, check)
  expect(status, output).toBe(1)
  expect(output).toContain(`behaviours/invoices.ts imports '#behaviour.ts'`)
})

test('site:check rejects a behaviour that does not implement its model', () => {
  const other = (text: string) => text.replace('async send(', 'async post(')
  const { status, output } = withFiles({ 'behaviours/invoices.ts': other }, check)
  expect(status, output).toBe(1)
  expect(output).toMatch(/"?send"?/)
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
    '\nsite.url is an example',
  ])
    expect(output).toContain(sentence)
})

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
