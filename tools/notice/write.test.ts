import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-notice-'))
afterAll(() => rmSync(folder, { recursive: true }))
cpSync(new URL('../../sample/notice', import.meta.url).pathname, join(folder, 'notice'), {
  recursive: true,
})

function run(site: string) {
  writeFileSync(join(folder, 'site.json'), site)
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [new URL('write.ts', import.meta.url).pathname],
    { encoding: 'utf8', env: { PATH: process.env['PATH'], SITE_DIR: folder } },
  )
  return { stdout, stderr, status }
}

test('notice prints the error of an invalid site.json without a stack trace', () => {
  const broken = run('{ "site": ')
  expect(broken).toMatchObject({ status: 1, stdout: '' })
  expect(broken.stderr).toMatch(/^\S*site\.json can’t be read as JSON\n$/)
  const incomplete = run('{}')
  expect(incomplete.stderr).toMatch(/^\S*site\.json is invalid:\n/)
  expect(incomplete.stderr).not.toMatch(/^ {4}at /m)
})
