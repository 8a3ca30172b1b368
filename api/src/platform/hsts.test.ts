import { expect, test } from 'vitest'
import { readEnv } from './env.ts'

const hstsWith = (HSTS_SECONDS?: string) =>
  readEnv({ DATABASE_URL: 'none', OIDC_ISSUER: 'https://x.test', HSTS_SECONDS }).hsts

test('HSTS_SECONDS is a year by default, and 0 sends no header', () => {
  expect(hstsWith()).toBe('max-age=31536000')
  expect(hstsWith('')).toBe('max-age=31536000')
  expect(hstsWith('300')).toBe('max-age=300')
  expect(hstsWith('0')).toBe('')
})

test.each(['-1', '1.5', '1e3', 'a year', '300; preload'])(
  'HSTS_SECONDS "%s" is rejected',
  (text) => {
    expect(() => hstsWith(text)).toThrow('HSTS_SECONDS must be a whole number')
  },
)
