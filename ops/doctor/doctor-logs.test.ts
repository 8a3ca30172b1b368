import { once } from 'node:events'
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { LOGS_PROMISE } from '../../api/src/privacy/notice/notice.ts'
import type { Finding } from './finding.ts'
import { checkAge, checkKeycloak, checkLogs, checkNginx, roleFindings } from './logs.ts'
import { readInstallation } from './installation.ts'

const DAY_MS = 86_400_000
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-doctor-logs-'))
const closers: (() => unknown)[] = [() => rmSync(directory, { recursive: true })]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const wrongWith = (findings: Finding[]) =>
  findings
    .flatMap((finding) => (finding.level === 'failure' ? [`${finding.what}: ${finding.todo}`] : []))
    .join('\n')

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('nginx', () => {
  const servers = ['gatehouse', 'https', 'identity']
  /** Output of `nginx -T` for the shipped files, with one of them changed. */
  const printed = (change: (text: string) => string, name = 'gatehouse') =>
    servers
      .map((server) => {
        const file = readFileSync(
          new URL(`../../ops/nginx/${server}.conf`, import.meta.url),
          'utf8',
        )
        return `# configuration file /etc/gatehouse/nginx/${server}.conf:\n${server === name ? change(file) : file}\n`
      })
      .join('')

  test('the doctor passes the shipped nginx servers, which log nothing', () => {
    expect(checkNginx(printed((file) => file))).toEqual([
      { level: 'ok', what: 'nginx logs no request: 3 servers' },
    ])
  })

  test.each(servers)('the doctor fails a server of %s.conf with its log on', (server) => {
    const without = printed((file) => file.replace('access_log off;', ''), server)
    expect(wrongWith(checkNginx(without))).toContain(`/etc/gatehouse/nginx/${server}.conf`)
    expect(wrongWith(checkNginx(without))).toContain(LOGS_PROMISE)
    const errors = printed(
      (file) => file.replace('stderr emerg', '/var/log/nginx/x.log crit'),
      server,
    )
    expect(wrongWith(checkNginx(errors))).toMatch(/error_log stderr emerg/)
  })

  test('the doctor fails an nginx location that switches the log on again', () => {
    const on = printed((file) =>
      file.replace('location / {', 'location / { access_log /var/log/nginx/some.log;'),
    )
    expect(wrongWith(checkNginx(on))).toMatch(/access_log off/)
  })

  test('the doctor warns about an nginx that can’t be inspected', () => {
    expect(checkNginx(null).map(({ level }) => level)).toEqual(['warning'])
  })
})

describe('PostgreSQL', () => {
  /** Reverted afterwards: roles belong to the cluster. */
  async function judge(change: string) {
    const client = new pg.Client(
      `postgres://postgres@127.0.0.1:${inject('postgresPort')}/template_gatehouse`,
    )
    await client.connect()
    try {
      await client.query('begin')
      await client.query(change)
      return await roleFindings(client)
    } finally {
      await client.query('rollback')
      await client.end()
    }
  }

  test.each([
    'select 1',
    // A role's setting takes precedence over a database's.
    `alter database template_gatehouse set log_statement = 'all'`,
    `alter role gatehouse_app in database template_gatehouse set log_statement = 'none'`,
  ])('the doctor passes the database roles, which log no values, even after %s', async (change) => {
    expect((await judge(change)).map(({ level }) => level)).toEqual(['ok'])
  })

  test.each([
    ['alter role gatehouse_read reset log_min_messages', /gatehouse_read.*log_min_messages=fatal/],
    [`alter role gatehouse_app set log_statement = 'all'`, /gatehouse_app.*log_statement=none/],
    ['create role keycloak login', /values of keycloak/],
    [
      `alter role gatehouse_migrate in database template_gatehouse set log_statement = 'all'`,
      /setting overrides that of gatehouse_migrate: log_statement=all/,
    ],
  ])('the doctor fails a database role after %s', async (change, sentence) => {
    const findings = wrongWith(await judge(change))
    expect(findings).toMatch(sentence)
    expect(findings).toContain(LOGS_PROMISE)
  })
})

test('the doctor fails a realm that logs sign-ins or stores them for more than a day', () => {
  const realm = { name: 'gatehouse', keptSeconds: 86_400, listeners: ['email'] }
  expect(checkKeycloak([realm]).map(({ level }) => level)).toEqual(['ok'])
  const logging = wrongWith(checkKeycloak([{ ...realm, listeners: ['jboss-logging'] }]))
  expect(logging).toMatch(/who signs in to realm gatehouse: jboss-logging/)
  expect(logging).toContain(LOGS_PROMISE)
  for (const keptSeconds of [0, 90_000])
    expect(wrongWith(checkKeycloak([{ ...realm, keptSeconds }]))).toMatch(/more than a day/)
  expect(checkKeycloak(null).map(({ level }) => level)).toEqual(['warning'])
})

test('the doctor fails a log stored longer than the notice says', async () => {
  const folder = mkdtempSync(join(directory, 'old-'))
  const file = join(folder, 'access.log.52.gz')
  writeFileSync(file, '')
  const check = () => checkAge(readInstallation({}, { logPlaces: [folder] }))
  expect(await check()).toEqual([])
  const then = new Date(Date.now() - 367 * DAY_MS)
  utimesSync(file, then, then)
  expect(wrongWith(await check())).toMatch(/access\.log\.52\.gz is older than 12 months/)
  rmSync(file)
  symlinkSync('/usr/share/doc/systemd/README.logs', join(folder, 'README'))
  expect(await check()).toEqual([])
})

describe('canaries', () => {
  /** A site and an identity provider that log what the test sets. */
  async function results({ isLogging }: { isLogging: boolean }) {
    const folder = mkdtempSync(join(directory, 'logs-'))
    const log = (name: string, line: string) =>
      isLogging && appendFileSync(join(folder, name), `${line}\n`)
    writeFileSync(join(folder, 'keycloak.log'), 'started\n')
    const site = await listen((request, response) => {
      log('access.log', `GET ${request.url} ${request.headers.referer}`)
      response.end()
    })
    const identity = await listen((request, response) => {
      if (request.method === 'GET') return response.end(`<form action="${identity}/form">`)
      return void text(request).then((body) => {
        log('keycloak.log', `LOGIN_ERROR ${body}`)
        response.end()
      })
    })
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL: `postgres://gatehouse_app@127.0.0.1:${inject('postgresPort')}/template_gatehouse`,
      OIDC_ISSUER: identity,
    }
    return {
      place: folder,
      findings: await checkLogs(readInstallation(env, { siteUrl: site, logPlaces: [folder] })),
    }
  }

  test('the doctor fails on personal data in a log, naming the file and the broken promise', async () => {
    const { place, findings } = await results({ isLogging: true })
    const found = wrongWith(findings)
    expect(found).toContain(
      `${place}/access.log holds the query of a request, the referrer of a request`,
    )
    expect(found).toContain(`${place}/keycloak.log holds the name of a failed sign-in`)
    expect(found).toContain(LOGS_PROMISE)
  })

  test('the doctor passes logs without personal data', async () => {
    const { findings } = await results({ isLogging: false })
    expect(wrongWith(findings)).toBe('')
    expect(findings.map(({ what }) => what)).toContain('No personal data in 1 logs')
  })

  test('the doctor warns about logs that can’t be tested or read', async () => {
    const nowhere = {
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
      OIDC_ISSUER: 'http://127.0.0.1:1/x',
    }
    const findings = await checkLogs(
      readInstallation(nowhere, { siteUrl: 'http://127.0.0.1:1', logPlaces: [] }),
    )
    expect(wrongWith(findings)).toBe('')
    const told = findings.map(({ what }) => what).join('\n')
    expect(told).toMatch(/Couldn’t test whether the query of a request is logged/)
    expect(told).toMatch(/No logs found here/)
    expect(told).toMatch(/identity provider’s log settings can’t be read here/)
  })
})
