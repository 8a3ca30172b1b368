import { expect, test } from 'vitest'
import { readOptions } from './options.ts'

const SECRET = 'b7d1e5a09c3f4826b7d1e5a09c3f4826'
const senderIn = (change: Record<string, string>) =>
  readOptions({
    SITE_DIR: 'sample',
    IDENTITY_ADMIN_URL: 'http://127.0.0.1:1',
    REALM_SECRET: SECRET,
    IDENTITY_SERVICE_SECRET: SECRET,
    SMTP_URL: 'smtp://relay.mine.example',
    ...change,
  }).mail?.from

test('Keycloak’s mails are sent from MAIL_FROM, otherwise from the provider’s address', () => {
  expect(senderIn({ MAIL_FROM: 'desk@mine.example' })).toBe('desk@mine.example')
  for (const unset of [{}, { MAIL_FROM: '' }])
    expect(senderIn(unset as Record<string, string>)).toBe('hello@gatehouse.example')
})
