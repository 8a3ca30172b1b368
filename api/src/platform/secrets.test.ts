import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { readEnv } from './env.ts'
import { DEMO_SECRETS } from './secrets.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function fileWith(text: string) {
  const file = join(folder, `${files++}`)
  writeFileSync(file, text)
  return file
}

const STRONG = 'b7d1e5a09c3f4826b7d1e5a09c3f4826'
const ADDRESS = 'postgres://gatehouse_app@db.test:5432/gatehouse'
const read = (change: NodeJS.ProcessEnv = {}) =>
  readEnv({ DATABASE_URL: ADDRESS, OIDC_ISSUER: 'https://x.test/realms/x', ...change })

function problemOf(change: NodeJS.ProcessEnv) {
  try {
    read(change)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

const withPassword = (password: string) =>
  `postgres://gatehouse_app:${password}@db.test:5432/gatehouse`
const PRODUCTION = { NODE_ENV: 'production' }

test('a secret is read from its variable, or trimmed from its file', () => {
  expect(read({ IDENTITY_SERVICE_SECRET: STRONG }).directory?.secret).toBe(STRONG)
  const file = fileWith(` ${STRONG}\n`)
  expect(read({ IDENTITY_SERVICE_SECRET_FILE: file }).directory?.secret).toBe(STRONG)
  expect(read().directory).toBe(null)
})

test('an empty variable beside a file counts as unset', () => {
  const file = fileWith('smtp://relay.test')
  expect(read({ SMTP_URL: '', SMTP_URL_FILE: file }).mail.url).toBe('smtp://relay.test')
  expect(read({ SMTP_URL: 'smtp://relay.test', SMTP_URL_FILE: '' }).mail.url).toBe(
    'smtp://relay.test',
  )
})

test.each([
  'DATABASE_PASSWORD',
  'DATABASE_MIGRATION_PASSWORD',
  'SMTP_URL',
  'IDENTITY_SERVICE_SECRET',
])('%s_FILE is rejected by name if it is missing, a folder, or set beside the variable', (name) => {
  const change = { DATABASE_MIGRATION_URL: ADDRESS }
  const problemWith = (own: NodeJS.ProcessEnv) => problemOf({ ...change, ...own })
  const nowhere = join(folder, 'nowhere')
  expect(problemWith({ [`${name}_FILE`]: nowhere })).toBe(
    `Settings: ${name}_FILE names ${nowhere}, which can’t be read (ENOENT)`,
  )
  expect(problemWith({ [`${name}_FILE`]: folder })).toContain(`${name}_FILE names ${folder}`)
  const value = name === 'SMTP_URL' ? 'smtp://relay.test' : STRONG
  expect(problemWith({ [name]: value, [`${name}_FILE`]: fileWith(value) })).toBe(
    `Settings: ${name} and ${name}_FILE are both set: remove one`,
  )
})

test('an empty file is rejected by name, but without a relay SMTP_URL_FILE may be empty', () => {
  const empty = fileWith('\n')
  for (const name of ['DATABASE_PASSWORD_FILE', 'IDENTITY_SERVICE_SECRET_FILE'])
    expect(problemOf({ [name]: empty })).toBe(`Settings: ${name} names ${empty}, which is empty`)
  expect(read({ SMTP_URL_FILE: empty }).mail.url).toBe(null)
})

describe('the database password', () => {
  const passwordOf = (url: string) => new pg.Client({ connectionString: url }).password

  test('a database password may contain any characters', () => {
    const anyPassword = fc.string({ unit: 'binary', minLength: 16, maxLength: 40 })
    fc.assert(
      fc.property(anyPassword, (password) => {
        const { databaseUrl } = read({ DATABASE_PASSWORD: password })
        expect(passwordOf(databaseUrl)).toBe(password)
        expect(new URL(databaseUrl).host).toBe('db.test:5432')
      }),
      { examples: [['%41@/:?#[] \'"$5x&=+'], ['%zz%2F%%%%%%%%%%%%%%%']] },
    )
  })

  test('the migration role gets its own password, which is read only with DATABASE_MIGRATION_URL', () => {
    const { migrationUrl, databaseUrl } = read({
      DATABASE_MIGRATION_URL: ADDRESS.replace('_app', '_migrate'),
      DATABASE_MIGRATION_PASSWORD_FILE: fileWith(STRONG),
    })
    expect(migrationUrl).toBe(withPassword(STRONG).replace('_app', '_migrate'))
    expect(databaseUrl).toBe(ADDRESS)
    expect(read({ DATABASE_MIGRATION_PASSWORD_FILE: '/nowhere' }).migrationUrl).toBe(null)
  })

  test('a database password is rejected beside one in the address', () => {
    for (const url of [withPassword(STRONG), `${ADDRESS}?password=${STRONG}`])
      expect(problemOf({ DATABASE_URL: url, DATABASE_PASSWORD: STRONG })).toBe(
        'Settings: DATABASE_URL holds a password and DATABASE_PASSWORD is set: remove one',
      )
  })

  test('a database password is rejected if the address has no host to hold it', () => {
    for (const url of ['none', 'postgres:///gatehouse'])
      expect(problemOf({ DATABASE_URL: url, DATABASE_PASSWORD: STRONG })).toMatch(
        /DATABASE_URL must be an address such as postgres:/,
      )
  })

  test.each(['demo', 'admin', 'Changeme', ...Object.values(DEMO_SECRETS)])(
    'the known database password "%s" is rejected by name',
    (password) => {
      const problem = /DATABASE_PASSWORD is publicly known/
      expect(problemOf({ DATABASE_PASSWORD: password })).toMatch(problem)
      expect(problemOf({ DATABASE_PASSWORD_FILE: fileWith(password) })).toMatch(problem)
    },
  )

  test('a database password of fewer than 16 characters is rejected by name', () => {
    expect(problemOf({ DATABASE_PASSWORD: 'x'.repeat(15) })).toMatch(
      /DATABASE_PASSWORD must be a generated secret of at least 16 characters/,
    )
    expect(problemOf({ DATABASE_PASSWORD: 'x'.repeat(16) })).toBe('')
  })

  test('a database password inside the address is checked in production only', () => {
    const weak = { DATABASE_URL: withPassword('p%24%24%24%24%24') }
    expect(problemOf(weak)).toBe('')
    expect(problemOf({ ...weak, ...PRODUCTION })).toMatch(
      /The password in DATABASE_URL must be a generated secret of at least 16/,
    )
    expect(problemOf({ ...PRODUCTION, DATABASE_URL: withPassword(STRONG) })).toBe('')
    for (const without of [ADDRESS, 'none'])
      expect(problemOf({ ...PRODUCTION, DATABASE_URL: without })).toBe('')
  })
})

test('in production a known or short service secret is rejected by name; elsewhere the stack’s is accepted', () => {
  const set = (secret: string) => ({ IDENTITY_SERVICE_SECRET: secret })
  expect(problemOf(set(DEMO_SECRETS.service))).toBe('')
  expect(problemOf({ ...PRODUCTION, ...set(DEMO_SECRETS.service) })).toMatch(
    /IDENTITY_SERVICE_SECRET is publicly known/,
  )
  expect(problemOf({ ...PRODUCTION, ...set('x'.repeat(23)) })).toMatch(
    /IDENTITY_SERVICE_SECRET must be a generated secret of at least 24/,
  )
  expect(problemOf({ ...PRODUCTION, ...set('x'.repeat(24)) })).toBe('')
})

test.each([
  'relay.test',
  'relay.test:587',
  'http://relay.test',
  'smtp://',
  'smtp:relay.test',
  'smtp://relay.test:port',
  'smtp://user:50%@relay.test',
])('SMTP_URL "%s" is rejected', (url) => {
  expect(problemOf({ SMTP_URL: url })).toMatch(/^Settings: SMTP_URL must be smtp:/)
})

test.each(['smtp://relay.test', 'smtps://u%40x:p%24@relay.test:465', 'smtp://127.0.0.1:25'])(
  'SMTP_URL "%s" is accepted',
  (url) => {
    expect(read({ SMTP_URL: url }).mail.url).toBe(url)
  },
)

test('no problem contains a secret', () => {
  const canary = 'canary'
  const problem = problemOf({
    ...PRODUCTION,
    DATABASE_URL: `postgres://gatehouse_app:${canary}@db.test/gatehouse`,
    DATABASE_PASSWORD: `${canary}1`,
    DATABASE_MIGRATION_URL: `nowhere:${canary}`,
    DATABASE_MIGRATION_PASSWORD_FILE: fileWith(canary),
    SMTP_URL: `smpt://user:${canary}@relay.test`,
    IDENTITY_SERVICE_SECRET: canary,
  })
  expect(problem.split('; ').length).toBeGreaterThan(5)
  expect(problem).not.toContain(canary)
})
