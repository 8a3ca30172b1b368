import { expect, inject, test } from 'vitest'
import pg from 'pg'
import { EXTERNAL_STORES } from '../../api/src/external-stores.ts'
import { CHECK_NAMES } from './checks.ts'
import { readInstallation } from './installation.ts'
import { checkFolders, checkLogFiles, checkStores } from './stores.ts'

const url = (role: string, database: string) =>
  `postgres://${role}@127.0.0.1:${inject('postgresPort')}/${database}`

test('every declared store outside the tables names an existing doctor check', () => {
  for (const { check } of Object.values(EXTERNAL_STORES)) expect(CHECK_NAMES).toContain(check)
})

test('the doctor names an undeclared log or folder', () => {
  const logs = ['/var/log/nginx/access.log.2.gz', '/var/log/postgresql/postgresql-15-main.log']
  expect(checkLogFiles([...logs, '/var/log/dpkg.log'])).toEqual([])
  expect(checkLogFiles(['/var/log/nginx/stray.log'])).toMatchObject([
    { level: 'failure', what: 'The log /var/log/nginx/stray.log is not declared' },
  ])
  expect(checkFolders(['/var/lib/gatehouse/pages', '/var/lib/gatehouse/backup'])).toEqual([])
  expect(checkFolders(['/var/lib/gatehouse/uploads'])).toMatchObject([
    { level: 'failure', what: 'The folder /var/lib/gatehouse/uploads is not declared' },
  ])
})

test('the doctor names an undeclared table, even if the database is newer, and warns about UNDECLARED=warn', async () => {
  const admin = new pg.Client({ connectionString: url('postgres', 'postgres') })
  await admin.connect()
  await admin.query('create database doctor_stores template template_gatehouse')
  try {
    const findings = () =>
      checkStores(
        readInstallation(
          {
            DATABASE_URL: url('gatehouse_app', 'doctor_stores'),
            OIDC_ISSUER: 'http://127.0.0.1:1/realms/gatehouse',
            UNDECLARED: 'warn',
          },
          { logPlaces: [] },
        ),
      )
    expect((await findings()).map(({ level }) => level)).toEqual(['ok', 'warning'])
    const client = new pg.Client({ connectionString: url('postgres', 'doctor_stores') })
    await client.connect()
    await client.query('create table planted (x text)')
    expect(await findings()).toContainEqual(
      expect.objectContaining({
        level: 'failure',
        what: 'planted.x in the database is not declared',
      }),
    )
    await client.query(`insert into migrations (name) values ('9999-newer.sql')`)
    await client.end()
    expect(await findings()).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        what: 'planted.x in the database is not declared by this release, which is older than the database',
        todo: expect.not.stringContaining('drop'),
      }),
    )
  } finally {
    await admin.query('drop database doctor_stores with (force)')
    await admin.end()
  }
})
