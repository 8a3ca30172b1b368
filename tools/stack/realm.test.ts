import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const { site } = JSON.parse(readFileSync('sample/site.json', 'utf8')) as { site: { name: string } }
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-realm-'))
afterAll(() => rmSync(directory, { recursive: true }))

type Realm = { clients: { clientId: string; secret?: string }[] } & Record<string, unknown>

function writeRealm() {
  const file = join(directory, 'realm.json')
  const command = new URL('realm-write.ts', import.meta.url).pathname
  execFileSync(process.execPath, [command, file], {
    env: { ...process.env, SITE_URL: 'https://mine.example', SITE_DIR: 'sample' },
  })
  return JSON.parse(readFileSync(file, 'utf8')) as Realm
}

test('the production realm has our two clients, no account and no secret', () => {
  const realm = writeRealm()
  expect(realm.clients.map(({ clientId }) => clientId)).toEqual(['gatehouse-api', 'gatehouse-web'])
  expect(realm['users']).toBeUndefined()
  expect(JSON.stringify(realm)).not.toMatch(/secret|\$\{/)
  expect(realm['displayName']).toBe(site.name)
})

test('the production realm neither logs nor stores sign-ins', () => {
  expect(writeRealm()).toMatchObject({
    eventsListeners: [],
    eventsEnabled: false,
    adminEventsEnabled: false,
    adminEventsDetailsEnabled: false,
  })
})
