import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseEnv } from './env-file.ts'
import type { Answers } from './questions.ts'
import { readFolder } from './read-folder.ts'
import { writeFiles } from './write-files.ts'

const SAMPLE = new URL('../../sample/site.json', import.meta.url)
const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

function emptyFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-write-'))
  folders.push(folder)
  return folder
}

const ANSWERS = {
  SITE_HOST: 'portal.mine.ie',
  IDENTITY_HOST: 'id.mine.ie',
  OWNER_EMAIL: "o'neill@mine.ie",
  SMTP_URL: 'smtp://me%40mine.ie@relay.mine.ie:587',
  SMTP_PASSWORD: 'a/b#c%20',
  BACKUP_BUCKET: 'https://s3.mine.ie/b1',
  BACKUP_S3_KEY: 'key-of-bucket',
  BACKUP_S3_SECRET: 'secret-of-bucket',
  TLS: 'acme',
  SITE_NAME: 'Mine',
  LEGAL_NAME: 'Mine Ltd',
  POSTAL_ADDRESS: '1 Main Street',
  PRIVACY_EMAIL: 'privacy@mine.ie',
  COUNTRY: 'IE',
}
const write = (folder: string, answers: Answers = ANSWERS, version = '1.2.3') =>
  writeFiles(readFolder(folder), answers, { version })

const modeOf = (...path: string[]) => (statSync(join(...path)).mode & 0o777).toString(8)
const readAll = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]),
  )

test('a first run writes settings without a secret, and each secret into a file of its own', () => {
  const folder = emptyFolder()
  expect(write(folder)).toEqual(['.env', 'secrets/', 'site/site.json'])
  const env = readFileSync(join(folder, '.env'), 'utf8')
  expect(parseEnv(env)).toEqual({
    VERSION: '1.2.3',
    SITE_HOST: 'portal.mine.ie',
    IDENTITY_HOST: 'id.mine.ie',
    OWNER_EMAIL: "o'neill@mine.ie",
    TLS: 'acme',
    BACKUP_BUCKET: 'https://s3.mine.ie/b1',
  })
  expect(env).toContain('docs/reference/settings.md')
  const secrets = readAll(join(folder, 'secrets'))
  const { smtp_url, backup_s3_key, backup_s3_secret, files_s3_secret, ...generated } = secrets
  expect(files_s3_secret).toBe('')
  expect([smtp_url, backup_s3_key, backup_s3_secret]).toEqual([
    'smtp://me%40mine.ie:a%2Fb%23c%2520@relay.mine.ie:587',
    'key-of-bucket',
    'secret-of-bucket',
  ])
  expect(Object.keys(generated).toSorted()).toEqual([
    'backup_pass_phrase',
    'database_migration_password',
    'database_password',
    'identity_service_secret',
    'keycloak_database_password',
    'postgres_password',
    'realm_secret',
    'signing_secret',
  ])
  for (const text of Object.values(generated)) expect(text).toMatch(/^[0-9a-f]{48}$/)
  expect(new Set(Object.values(generated)).size).toBe(8)
  for (const secret of Object.values(secrets).filter(Boolean)) expect(env).not.toContain(secret)
  expect(modeOf(folder, 'secrets')).toBe('700')
  for (const name of Object.keys(secrets)) expect(modeOf(folder, 'secrets', name), name).toBe('444')
  expect(modeOf(folder, 'site/site.json')).toBe('644')
})

test('a second run keeps secrets and site.json, and answers come back as suggestions', () => {
  const folder = emptyFolder()
  write(folder)
  const { '.env': _, ...before } = readAll(folder)
  writeFileSync(join(folder, '.env'), `# Mine\nLOG_LEVEL=debug\n${readAll(folder)['.env']}`)
  expect(readFolder(folder).earlier).toMatchObject({
    SMTP_URL: 'smtp://me%40mine.ie@relay.mine.ie:587',
    SMTP_PASSWORD: 'a/b#c%20',
    BACKUP_S3_KEY: 'key-of-bucket',
    OWNER_EMAIL: "o'neill@mine.ie",
  })
  expect(write(folder, { ...ANSWERS, SITE_NAME: 'Other', TLS: 'off' }, '1.3.0')).toEqual([
    '.env',
    'secrets/',
  ])
  const { '.env': env, ...after } = readAll(folder)
  expect(after).toEqual(before)
  expect(env).toMatch(/^# Mine\nLOG_LEVEL=debug\n# Settings of this installation/)
  expect(parseEnv(env ?? '')).toMatchObject({ VERSION: '1.3.0', TLS: 'off', LOG_LEVEL: 'debug' })
})

test('a site.json that is still the sample is put aside; one with any address of its own is kept', () => {
  const folder = emptyFolder()
  const file = join(folder, 'site/site.json')
  mkdirSync(join(folder, 'site'))
  cpSync(SAMPLE, file)
  const sample = readFileSync(SAMPLE, 'utf8')
  expect(readFolder(folder).site).toBe('sample')
  write(folder)
  expect(readFileSync(file, 'utf8')).toContain('Mine Ltd')
  expect(readFileSync(join(folder, 'site/site.sample.json'), 'utf8')).toBe(sample)
  for (const own of [
    sample.replace('https://gatehouse.example', 'https://portal.mine.ie'),
    '{ not JSON',
  ]) {
    writeFileSync(file, own)
    expect(readFolder(folder).site).toBe('own')
    write(folder)
    expect(readFileSync(file, 'utf8')).toBe(own)
  }
})

test('without a bucket the files of its key are empty; the registry of the images is kept', () => {
  const folder = emptyFolder()
  const { BACKUP_S3_KEY: _k, BACKUP_S3_SECRET: _s, ...answers } = ANSWERS
  writeFiles(readFolder(folder), answers, { version: '1', registry: 'registry.mine.ie/gatehouse' })
  write(folder, answers)
  const { backup_s3_key, backup_s3_secret } = readAll(join(folder, 'secrets'))
  expect([backup_s3_key, backup_s3_secret]).toEqual(['', ''])
  expect(readFolder(folder).env['IMAGE_REGISTRY']).toBe('registry.mine.ie/gatehouse')
})
