import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readOptions } from './options.ts'

const SECRET = 'b7d1e5a09c3f4826b7d1e5a09c3f4826'
const ENV = {
  SITE_DIR: 'sample',
  IDENTITY_ADMIN_URL: 'http://127.0.0.1:1',
  REALM_SECRET: SECRET,
  IDENTITY_SERVICE_SECRET: SECRET,
  SMTP_URL: 'smtp://relay.mine.example',
}
const senderIn = (change: Record<string, string>) => readOptions({ ...ENV, ...change }).mail?.from

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-options-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('secrets of the realm and the relay are read from files, which may end in a line break', () => {
  for (const [name, value] of Object.entries(ENV)) writeFileSync(join(folder, name), `${value}\n`)
  const { SITE_DIR, IDENTITY_ADMIN_URL } = ENV
  const fileOf = (name: keyof typeof ENV) => ({ [`${name}_FILE`]: join(folder, name) })
  const options = readOptions({
    SITE_DIR,
    IDENTITY_ADMIN_URL,
    ...fileOf('REALM_SECRET'),
    ...fileOf('IDENTITY_SERVICE_SECRET'),
    ...fileOf('SMTP_URL'),
  })
  expect(options).toEqual(readOptions(ENV))
})

test('all missing and invalid settings of the realm are named at once', () => {
  const { SITE_DIR } = ENV
  const env = { SITE_DIR, REALM_SECRET_FILE: '/nowhere', SMTP_URL: 'relay', HSTS_SECONDS: '-1' }
  expect(() => readOptions(env)).toThrow(
    /IDENTITY_ADMIN_URL is missing; REALM_SECRET_FILE names \/nowhere.*; IDENTITY_SERVICE_SECRET is missing; SMTP_URL must be .*; HSTS_SECONDS must be/,
  )
})

test('Keycloak’s mails are sent from MAIL_FROM, otherwise from the provider’s address', () => {
  expect(senderIn({ MAIL_FROM: 'desk@mine.example' })).toBe('desk@mine.example')
  for (const unset of [{}, { MAIL_FROM: '' }])
    expect(senderIn(unset as Record<string, string>)).toBe('hello@gatehouse.example')
})
