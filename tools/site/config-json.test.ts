import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nginxProgram } from '../stack/nginx.ts'
import { CHECKOUT, readSettings } from '../stack/settings.ts'

const read = (path: string) => readFileSync(join(CHECKOUT, path), 'utf8')

/** With only the issuer set. */
function writtenBy(shell: string) {
  const program = `. ${join(CHECKOUT, 'ops/nginx/functions.sh')}; write_config_json`
  const env = { PATH: process.env['PATH'] ?? '', OIDC_ISSUER: 'https://id.test/realms/gatehouse' }
  return JSON.parse(execFileSync(shell, ['-c', program], { env, encoding: 'utf8' }))
}

// The image runs dash, a server bash.
test.each(['sh', 'bash'])(
  'functions.sh writes a config.json that offers the product’s own pages, in %s',
  (shell) => {
    expect(writtenBy(shell)).toMatchObject({
      authority: 'https://id.test/realms/gatehouse',
      productPages: true,
    })
  },
)

test.each(['ops/nginx/start.sh', 'ops/server/release.sh'])('%s writes config.json', (script) => {
  expect(read(script)).toMatch(/^ {2}write_config_json >\S+\/config\.json"?$/m)
})

test('a stack’s config.json offers the product’s own pages', () => {
  const directory = mkdtempSync(join(tmpdir(), 'config-json-'))
  nginxProgram(readSettings({}), { directory })
  const written = JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8'))
  rmSync(directory, { recursive: true })
  expect(written).toMatchObject({ productPages: true })
})

test('the development server’s config.json offers the product’s own pages', () => {
  expect(read('web/vite.config.ts')).toMatch(/ownerPath: 'owner',\s+productPages: true/)
})

test('an upgrade writes config.json before it serves the new release', () => {
  const body = /switch_release\(\) \{.*?\n\}/s.exec(read('ops/server/release.sh'))?.[0] ?? ''
  const [written, served] = [body.indexOf('write_config_json'), body.indexOf('point current')]
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThan(served)
})
