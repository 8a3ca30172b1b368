import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { START_PAGES, type SiteConfig } from '@gatehouse/model'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { writeFingerprint } from '../../api/src/build-fingerprint.ts'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { printedFolder } from '../../api/src/pages/printed-files.ts'
import { readPrintedInput } from '../../api/src/pages/site-input.ts'
import { readVersions } from '../../api/src/privacy/notice/versions.ts'
import { createCertificate } from '../drills/kit/certificate.ts'
import { ownSite } from '../drills/kit/own-site.ts'
import { checkAcme } from './acme.ts'
import { archiveFinding, type ArchiverState } from './archive.ts'
import { checkBackups } from './backup.ts'
import { runChecks } from './checks.ts'
import {
  checkBuild,
  checkNotice,
  checkPrinted,
  checkBackupRecipient,
  checkSamples,
  checkSettings,
  checkSite,
} from './configuration.ts'
import { checkDatabase } from './database.ts'
import type { Finding } from './finding.ts'
import { checkIdentity } from './identity.ts'
import { checkClock, checkDisk, checkNode } from './machine.ts'
import { checkMail } from './mail.ts'
import { readInstallation } from './installation.ts'
import { checkConnectionLimits } from './nginx.ts'
import {
  checkApi,
  checkMetrics,
  checkCertificate,
  checkPublicSite,
  checkRedirect,
  certificateFinding,
} from './site.ts'

const DAY_MS = 86_400_000
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-doctor-'))
const closers: (() => unknown)[] = [() => rmSync(directory, { recursive: true })]
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

const databaseUrl = (role: string, database = 'template_gatehouse') =>
  `postgres://${role}@127.0.0.1:${inject('postgresPort')}/${database}`

function installation(env: NodeJS.ProcessEnv = {}, siteUrl?: string) {
  const siteFolder = siteWith(ownSite('gatehouse.internal'))
  return readInstallation(
    {
      NODE_ENV: 'production',
      SITE_DIR: siteFolder,
      DATABASE_URL: databaseUrl('gatehouse_app'),
      DATABASE_MIGRATION_URL: databaseUrl('gatehouse_migrate'),
      OIDC_ISSUER: 'http://127.0.0.1:1/realms/gatehouse',
      ...env,
    },
    { siteUrl, logPlaces: [] },
  )
}

let files = 0
function siteWith(text: string) {
  const folder = join(directory, `site-${files++}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'site.json'), text)
  return folder
}

const failuresOf = (findings: Finding[]) =>
  findings.flatMap((finding) => (finding.level === 'failure' ? [finding.what] : []))

function wrongWith(findings: Finding[]) {
  expect(findings.every((finding) => finding.level === 'ok' || finding.todo !== '')).toBe(true)
  return failuresOf(findings).join('\n')
}

async function listen(
  listener: RequestListener,
  make: (on: RequestListener) => Server = createServer,
) {
  const server = make(listener).listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('the machine', () => {
  test('the doctor fails an old Node and passes a new one', () => {
    expect(wrongWith(checkNode(installation(), '20.1.0'))).toMatch(/Node 20\.1\.0 is too old/)
    expect(failuresOf(checkNode(installation()))).toEqual([])
  })

  test('the doctor fails on a nearly full disk and warns about one that is filling up', () => {
    expect(wrongWith(checkDisk(installation(), () => 0.01))).toMatch(/1% of the disk/)
    expect(checkDisk(installation(), () => 0.05)[0]?.level).toBe('warning')
    expect(checkDisk(installation(), () => 0.5)[0]?.level).toBe('ok')
  })
})

describe('the configuration', () => {
  test('the doctor names a missing setting', () => {
    expect(wrongWith(checkSettings(installation({ DATABASE_URL: '' })))).toMatch(
      /DATABASE_URL is missing/,
    )
    expect(failuresOf(checkSettings(installation()))).toEqual([])
  })

  test('the doctor fails on a weak secret and on a secret file that is missing', () => {
    const env = {
      IDENTITY_SERVICE_SECRET: DEMO_SECRETS.service,
      DATABASE_PASSWORD_FILE: join(directory, 'nowhere'),
    }
    const message = wrongWith(checkSettings(installation(env)))
    expect(message).toMatch(/IDENTITY_SERVICE_SECRET is publicly known/)
    expect(message).toMatch(
      /DATABASE_PASSWORD_FILE names .*nowhere, which can’t be read \(ENOENT\)/,
    )
  })

  test('the doctor fails on an invalid, incomplete or missing site file', () => {
    for (const folder of [siteWith('{'), siteWith('{}'), '/nowhere'])
      expect(failuresOf(checkSite(installation({ SITE_DIR: folder })))).toHaveLength(1)
    expect(failuresOf(checkSite(installation()))).toEqual([])
  })

  test('the doctor accepts a site file of the previous release, without links of certifications', () => {
    const config = JSON.parse(ownSite('gatehouse.internal')) as SiteConfig
    for (const certification of config.profile.certifications) delete certification.url
    const folder = siteWith(JSON.stringify(config))
    expect(failuresOf(checkSite(installation({ SITE_DIR: folder })))).toEqual([])
  })

  test('the doctor fails on sample content in production and warns elsewhere', () => {
    const sample = new URL('../../sample/', import.meta.url).pathname
    const findings = checkSamples(installation({ SITE_DIR: sample }))
    expect(wrongWith(findings)).toMatch(/The profile is the sample/)
    expect(wrongWith(findings)).toMatch(/site\.phone is an example: \+353 20 910 0100/)
    expect(wrongWith(findings)).toMatch(/site\.emergency\.phone is an example/)
    expect(wrongWith(findings)).toMatch(/controller\.privacyEmail is an example/)
    const elsewhere = checkSamples(installation({ SITE_DIR: sample, NODE_ENV: '' }))
    expect(elsewhere.map(({ level }) => level)).not.toContain('failure')
    expect(checkSamples(installation()).map(({ level }) => level)).toEqual(['ok'])
  })

  test('the doctor warns about each sample social link', () => {
    const sample = new URL('../../sample/', import.meta.url).pathname
    const warnings = checkSamples(installation({ SITE_DIR: sample })).filter(
      ({ level }) => level === 'warning',
    )
    const names = warnings.map(({ what }) => /^socials\.(\w+) is a sample/.exec(what)?.[1])
    expect(names).toEqual([
      'credentials',
      'cloudLearning',
      'developerProfile',
      'codeHosting',
      'messaging',
    ])
  })

  test('the doctor warns about links that are all as init wrote them', () => {
    const config = JSON.parse(ownSite('gatehouse.internal')) as SiteConfig
    const check = (socials: SiteConfig['socials']) =>
      checkSamples(
        installation({ SITE_DIR: siteWith(JSON.stringify({ ...config, socials })) }),
      ).map(({ level }) => level)
    expect(check(START_PAGES)).toEqual(['warning'])
    expect(check({ ...START_PAGES, microblog: 'https://gatehouse.internal/us' })).toEqual(['ok'])
  })

  test('the doctor warns about a bucket whose host the notice doesn’t name', () => {
    const config = JSON.parse(ownSite('gatehouse.internal')) as SiteConfig
    const [host] = config.recipients
    const named = [...config.recipients, { ...host, id: 'backup' }] as SiteConfig['recipients']
    const check = (recipients: SiteConfig['recipients'], env = {}) =>
      checkBackupRecipient(
        installation({ ...env, SITE_DIR: siteWith(JSON.stringify({ ...config, recipients })) }),
      ).map(({ level }) => level)
    const bucket = { BACKUP_BUCKET: 'https://s3.gatehouse.internal/backups' }
    expect(check(config.recipients)).toEqual([])
    expect(check(config.recipients, bucket)).toEqual(['warning'])
    expect(check(named, bucket)).toEqual(['ok'])
  })

  test('the doctor fails on a notice that doesn’t match the program', () => {
    const config = JSON.parse(ownSite('gatehouse.internal')) as SiteConfig
    const folder = siteWith(JSON.stringify({ ...config, backups: { retentionDays: 999 } }))
    expect(wrongWith(checkNotice(installation({ SITE_DIR: folder }), readVersions()))).toMatch(
      /doesn’t match the program/,
    )
    const sample = new URL('../../sample/', import.meta.url).pathname
    expect(failuresOf(checkNotice(installation({ SITE_DIR: sample }), readVersions()))).toEqual([])
    expect(checkNotice(installation({ SITE_DIR: sample, NOTICE_DRIFT: 'warn' }))[0]?.level).toBe(
      'warning',
    )
  })

  test('the doctor fails on a site that is not built, or built from other code or texts', () => {
    expect(wrongWith(checkBuild(installation({ WEB_SERVER_BUNDLE: '/nowhere.js' })))).toMatch(
      /is not built/,
    )
    const [programs, pages] = [siteWith(''), siteWith('')]
    writeFileSync(join(pages, 'server.js'), '')
    const folder = siteWith(ownSite('gatehouse.internal'))
    const built = installation({ SITE_DIR: folder, WEB_SERVER_BUNDLE: join(pages, 'server.js') })
    const check = (installed = '/nowhere/') => checkBuild(built, { programs, installed })
    writeFingerprint(programs, 'code', pathToFileURL(`${folder}/`))
    writeFingerprint(pages, 'pages', pathToFileURL(`${folder}/`))
    expect(failuresOf(check())).toEqual([])
    // Files that ops/install.sh would copy have changed since.
    const other = `${siteWith(ownSite('elsewhere.internal'))}/`
    expect(failuresOf(check(other))).toEqual([])
    mkdirSync(join(other, 'messages'))
    writeFileSync(join(other, 'messages/site.ts'), 'export default {}')
    expect(wrongWith(check(other))).toMatch(/differs from the site that the pages were built from/)
    writeFileSync(join(folder, 'index.ts'), 'export const site = {}')
    expect(wrongWith(check())).toMatch(/that the programs were built from/)
  })
})

describe('the printed notice', () => {
  test('the doctor warns if the notice is not there as PDF', () => {
    const pages = siteWith('')
    const own = installation({
      SITE_DIR: new URL('../../sample/', import.meta.url).pathname,
      PAGES_DIR: pages,
    })
    expect(checkPrinted(own).map(({ level }) => level)).toEqual(['warning'])
    if (!own.config) throw new Error('the sample is valid')
    const input = readPrintedInput(own.config, { siteFile: own.siteFile, versions: readVersions() })
    const folder = printedFolder(pages, input)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'privacy-notice-2025-06-15.pdf'), '%PDF')
    expect(checkPrinted(own).map(({ level }) => level)).toEqual(['ok'])
  })
})

describe('the database', () => {
  test('the doctor passes a migrated database', async () => {
    expect(failuresOf(await checkDatabase(installation()))).toEqual([])
  })

  test('the doctor fails a database that does not respond', async () => {
    const url = 'postgres://gatehouse_app@127.0.0.1:1/gatehouse'
    expect(wrongWith(await checkDatabase(installation({ DATABASE_URL: url })))).toMatch(
      /Cannot connect to database/,
    )
  })

  test('the doctor fails on a role that owns the tables or has no limits', async () => {
    const findings = await checkDatabase(
      installation({ DATABASE_URL: databaseUrl('gatehouse_migrate') }),
    )
    expect(wrongWith(findings)).toMatch(/can alter tables/)
    expect(wrongWith(findings)).toMatch(/statement_timeout of role gatehouse_migrate is 0/)
  })

  test('the doctor says REINDEX where indexes were sorted by another version of the collation', async () => {
    await withDatabase('doctor_collation', 'template_gatehouse', async (name) => {
      const client = new pg.Client({ connectionString: databaseUrl('postgres', name) })
      await client.connect()
      await client.query(
        `update pg_database set datcollversion = '0.1' where datname = 'doctor_collation'`,
      )
      await client.end()
      const findings = await checkDatabase(
        installation({ DATABASE_URL: databaseUrl('gatehouse_app', name) }),
      )
      const finding = findings.find(({ what }) => what.includes('collation version 0.1'))
      expect(finding).toMatchObject({
        level: 'failure',
        todo: expect.stringContaining('REINDEX DATABASE doctor_collation'),
      })
    })
  })

  test('the doctor says REINDEX for the database of a Keycloak in the same cluster', async () => {
    await withDatabase('keycloak', 'template_gatehouse', async (name) => {
      const client = new pg.Client({ connectionString: databaseUrl('postgres', name) })
      await client.connect()
      await client.query(`update pg_database set datcollversion = '0.1' where datname = 'keycloak'`)
      await client.end()
      expect(wrongWith(await checkDatabase(installation({})))).toMatch(
        /texts in keycloak were sorted by collation version 0\.1/,
      )
    })
  })

  test('the doctor names missing migrations', async () => {
    await withDatabase('doctor_empty', 'template0', async (name) => {
      const env = {
        DATABASE_URL: databaseUrl('gatehouse_app', name),
        DATABASE_MIGRATION_URL: databaseUrl('gatehouse_migrate', name),
      }
      expect(wrongWith(await checkDatabase(installation(env)))).toMatch(
        /Migrations not applied: 0001/,
      )
    })
  })

  test('the doctor fails on sample records', async () => {
    await withDatabase('doctor_samples', 'template_gatehouse', async (name) => {
      const client = new pg.Client({ connectionString: databaseUrl('gatehouse_migrate', name) })
      await client.connect()
      await client.query('create table doctor_samples as select true as sample')
      await client.query('grant select on doctor_samples to gatehouse_app')
      await client.end()
      const findings = await checkDatabase(
        installation({ DATABASE_URL: databaseUrl('gatehouse_app', name) }),
      )
      expect(wrongWith(findings)).toMatch(/1 records are samples/)
    })
  })

  test('the doctor warns about undelivered emails as long as they can be sent again', async () => {
    await withDatabase('doctor_mails', 'template_gatehouse', async (name) => {
      const client = new pg.Client({ connectionString: databaseUrl('gatehouse_migrate', name) })
      await client.connect()
      await client.query(
        `insert into outbox (id, kind, recipient, data, code, failed_at) values
          (gen_random_uuid(), 'ticket-received', 'gone@example.test', '{}', '550 5.1.1', now()),
          (gen_random_uuid(), 'ticket-received', null, '{}', '550 5.1.1', now()),
          (gen_random_uuid(), 'ticket-received', 'later@example.test', '{}', null, null)`,
      )
      await client.end()
      const findings = await checkDatabase(
        installation({ DATABASE_URL: databaseUrl('gatehouse_app', name) }),
      )
      expect(findings).toContainEqual(
        expect.objectContaining({ level: 'warning', what: '1 emails were not delivered' }),
      )
    })
  })

  test('the doctor fails on a clock more than half a minute off', () => {
    expect(wrongWith([checkClock('the database', Date.now() - 31_000)])).toMatch(
      /differs from ours by 31/,
    )
    expect(wrongWith([checkClock('the database', Number.NaN)])).toMatch(/differs from ours/)
    expect(failuresOf([checkClock('the database', Date.now() + 20_000)])).toEqual([])
  })

  async function withDatabase(
    name: string,
    template: string,
    use: (name: string) => Promise<void>,
  ) {
    const client = new pg.Client({ connectionString: databaseUrl('postgres', 'postgres') })
    await client.connect()
    try {
      await client.query(`create database ${name} owner gatehouse_migrate template ${template}`)
      await use(name)
    } finally {
      await client.query(`drop database if exists ${name} with (force)`)
      await client.end()
    }
  }
})

describe('the identity provider', () => {
  type Answers = {
    issuer?: string
    alg?: string
    methods?: string[]
    sign?: number
    date?: string
    /** Also redirect URIs that only share a prefix. */
    hasStar?: boolean
    env?: Record<string, string>
  }

  async function provider({
    issuer,
    alg = 'RS256',
    methods = ['S256'],
    sign = 200,
    date,
    hasStar = false,
    env = {},
  }: Answers) {
    let base = ''
    const port = await listen((request, response) => {
      if (date) response.setHeader('date', date)
      const { pathname: path, searchParams } = new URL(request.url ?? '', base)
      const isExact = searchParams.get('redirect_uri')?.endsWith('/signin-callback') ?? false
      if (path.endsWith('/auth')) return response.writeHead(isExact || hasStar ? sign : 400).end()
      const body = path.endsWith('/certs')
        ? { keys: [{ alg, use: 'sig' }] }
        : {
            issuer: issuer ?? base,
            jwks_uri: `${base}/protocol/openid-connect/certs`,
            authorization_endpoint: `${base}/protocol/openid-connect/auth`,
            code_challenge_methods_supported: methods,
          }
      return response.end(JSON.stringify(body))
    })
    base = `http://127.0.0.1:${port}/realms/gatehouse`
    return checkIdentity(installation({ OIDC_ISSUER: base, ...env }))
  }

  test('the doctor passes a matching identity provider', async () => {
    expect(failuresOf(await provider({}))).toEqual([])
  })

  test.each<[string, Answers, RegExp]>([
    ['another issuer', { issuer: 'https://elsewhere' }, /reports https:\/\/elsewhere/],
    ['keys for another algorithm', { alg: 'ES256' }, /No key/],
    ['no PKCE', { methods: [] }, /PKCE/],
    ['an unregistered client', { sign: 400 }, /rejects a sign-in of gatehouse-web/],
    ['a wrong clock', { date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, /Clock of the identity provider/],
  ])('the doctor fails an identity provider with %s', async (_what, responses, text) => {
    expect(wrongWith(await provider(responses))).toMatch(text)
  })

  test.each<[string, Answers, RegExp]>([
    ['a wildcard redirect URI', { hasStar: true }, /any address that starts with/],
    ['no second factor for admins', { env: { ADMIN_MFA: 'off' } }, /without a second factor/],
    [
      'a secret of the demo',
      { env: { NODE_ENV: '', IDENTITY_SERVICE_SECRET: DEMO_SECRETS.service } },
      /IDENTITY_SERVICE_SECRET is the demo’s/,
    ],
  ])('the doctor reports an identity provider with %s', async (_what, responses, text) => {
    const findings = (await provider(responses)).filter(({ level }) => level !== 'ok')
    expect(findings.map(({ what }) => what).join('\n')).toMatch(text)
  })

  test('the doctor fails an identity provider that does not respond', async () => {
    expect(wrongWith(await checkIdentity(installation()))).toMatch(
      /Cannot connect to identity provider/,
    )
  })
})

describe('mail', () => {
  test('the doctor passes a working relay, and fails an unreachable or missing one', async () => {
    const relay = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
    const server = relay.listen(0, '127.0.0.1')
    closers.push(() => new Promise<void>((resolve) => relay.close(resolve)))
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const found = await checkMail(installation({ SMTP_URL: `smtp://127.0.0.1:${port}` }))
    expect(found.map(({ level }) => level)).toEqual(['ok'])
    expect(wrongWith(await checkMail(installation({ SMTP_URL: 'smtp://127.0.0.1:1' })))).toMatch(
      /Cannot connect to mail relay/,
    )
    expect(wrongWith(await checkMail(installation()))).toMatch(/SMTP_URL is not set/)
    expect((await checkMail(installation({ NODE_ENV: '' })))[0]?.level).toBe('warning')
  })
})

describe('the site', () => {
  test('the doctor names the port of a replica that is down or not ready', async () => {
    const ready = await listen((_request, response) => response.end())
    const away = await listen((_request, response) => response.writeHead(503).end())
    const findings = await checkApi(installation({ API_PORTS: `${ready} ${away} 1` }))
    expect(findings.map(({ level }) => level)).toEqual(['ok', 'failure', 'failure'])
    expect(wrongWith(findings)).toMatch(`The API on port ${away} is not ready (503)`)
    expect(wrongWith(await checkApi(installation({ PORT: String(away) })))).toMatch(/not ready/)
    expect(failuresOf(await checkApi(installation({ PORT: String(ready) })))).toEqual([])
  })

  test('the doctor warns of a replica whose metrics do not respond', async () => {
    const metrics = await listen((_request, response) => response.end())
    const port = { METRICS_PORT: String(metrics) }
    expect((await checkMetrics(installation(port))).map(({ level }) => level)).toEqual(['ok'])
    const findings = await checkMetrics(installation({ METRICS_PORT: '1' }))
    expect(findings.map(({ level }) => level)).toEqual(['warning'])
  })

  test('the doctor fails a site that is down, whose API is down, or that responds with an error', async () => {
    expect(wrongWith(await checkPublicSite(installation({}, 'http://127.0.0.1:1')))).toMatch(
      /Cannot connect to http/,
    )
    const apiDown = await listen((request, response) =>
      response.writeHead(request.url === '/' ? 200 : 503).end(),
    )
    expect(
      wrongWith(await checkPublicSite(installation({}, `http://127.0.0.1:${apiDown}`))),
    ).toMatch(/does not respond \(503\)/)
    const none = await listen((_request, response) => response.writeHead(404).end())
    expect(wrongWith(await checkPublicSite(installation({}, `http://127.0.0.1:${none}`)))).toMatch(
      /responds with 404/,
    )
    const whole = await listen((_request, response) => response.end())
    expect(
      failuresOf(await checkPublicSite(installation({}, `http://127.0.0.1:${whole}`))),
    ).toEqual([])
  })

  test('the doctor fails a site served over http and passes a redirect to https', async () => {
    const clear = await listen((_request, response) => response.end())
    expect(wrongWith([await checkRedirect(`https://127.0.0.1:${clear}`)])).toMatch(
      /does not redirect to https/,
    )
    const leading = await listen((_request, response) =>
      response.writeHead(308, { location: 'https://gatehouse.internal/' }).end(),
    )
    expect((await checkRedirect(`https://127.0.0.1:${leading}`)).level).toBe('ok')
  })

  test('the doctor warns about a certificate that expires within two weeks and fails one that expires within a week', () => {
    const until = (days: number) =>
      certificateFinding({ valid_to: new Date(Date.now() + days * DAY_MS).toUTCString() }, null)
    expect(wrongWith([until(-3)])).toMatch(/The certificate expired \d days ago/)
    expect(until(5).level).toBe('failure')
    expect(until(10).level).toBe('warning')
    expect(until(60).level).toBe('ok')
  })

  test('the doctor fails an untrusted or missing certificate', async () => {
    const { file, key } = createCertificate(directory, 'localhost')
    const options = { cert: readFileSync(file), key: readFileSync(key) }
    const port = await listen(
      (_request, response) => response.end(),
      (on) => createTlsServer(options, on),
    )
    const findings = await checkCertificate(installation({}, `https://localhost:${port}`))
    expect(wrongWith(findings)).toMatch(/Browsers reject the certificate/)
    const site = await checkPublicSite(installation({}, `https://localhost:${port}`))
    expect(wrongWith(site)).toMatch(/has an invalid certificate/)
    const clear = await listen((_request, response) => response.end())
    expect(
      wrongWith(await checkCertificate(installation({}, `https://127.0.0.1:${clear}`))),
    ).toMatch(/does not speak TLS/)
  })
})

describe('the certificate authority', () => {
  const file = join(directory, 'acme-status.json')
  const check = ({ isUrgent = false, ...env }: { isUrgent?: boolean; TLS?: string } = {}) =>
    checkAcme({ ACME_STATUS_FILE: file, ...env }, { isUrgent })
  const failedWith = (message: string, hoursAgo = 1) =>
    writeFileSync(
      file,
      JSON.stringify({
        checkedAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
        isOk: message === '',
        message,
      }),
    )

  test.each([
    ['DNS problem: NXDOMAIN looking up A for gatehouse.test', /DNS records/],
    ['Fetching http://gatehouse.test/.well-known/acme-challenge/x: Connection refused', /port 80/],
    ['Timeout during connect (likely firewall problem)', /port 80/],
    ['CAA record for gatehouse.test prevents issuance', /CAA record/],
    [
      'Requesting acme-v02.api.letsencrypt.org/directory: Network is unreachable',
      /authority is away/,
    ],
    ['too many failed authorizations (5) for "gatehouse.test"', /by the hour/],
    ['something new', /read the log/],
  ])('the doctor names the authority’s error %s and what to do', (message, todo) => {
    failedWith(message)
    const [finding] = check()
    expect(finding).toMatchObject({ level: 'warning', todo: expect.stringMatching(todo) })
    expect(finding?.what).toContain(message)
  })

  test('a failed renewal is a failure once the certificate is not trusted or expires within a week', () => {
    failedWith('something new')
    expect(check({ isUrgent: true })[0]?.level).toBe('failure')
  })

  test('a failed renewal is reported beside an untrusted certificate', async () => {
    failedWith('something new')
    const { file: cert, key } = createCertificate(directory, 'localhost')
    const port = await listen(
      (_request, response) => response.end(),
      (on) => createTlsServer({ cert: readFileSync(cert), key: readFileSync(key) }, on),
    )
    const env = { ACME_STATUS_FILE: file }
    const findings = await checkCertificate(installation(env, `https://localhost:${port}`))
    expect(failuresOf(findings)).toEqual([
      expect.stringMatching(/Browsers reject/),
      expect.stringMatching(/something new/),
    ])
  })

  test('the doctor reports a certbot that has not tried, or stopped trying, and passes a success', () => {
    rmSync(file, { force: true })
    expect(check()[0]?.what).toMatch(/has not tried/)
    failedWith('', 72)
    expect(check()[0]?.what).toMatch(/72 hours ago/)
    failedWith('')
    expect(check()[0]?.level).toBe('ok')
  })

  test('certificates from files or a balancer need no authority', () => {
    failedWith('something new')
    expect([...check({ TLS: 'files' }), ...check({ TLS: 'off' })]).toEqual([])
    expect(checkAcme({}, { isUrgent: true })).toEqual([])
  })
})

describe('nginx', () => {
  /** Output of `nginx -T` with Debian's nginx.conf around our site, as ops/install.sh leaves it or not. */
  const printed = (main: string, connections: number) =>
    `# configuration file /etc/nginx/nginx.conf:\n${main}\nevents {\n\tworker_connections ${connections};\n}\nhttp { include x; }\n` +
    '# configuration file /etc/nginx/sites-enabled/gatehouse.conf:\nserver { listen 443; }\n'

  test('the doctor fails too few nginx connections or open files and names each', () => {
    expect(failuresOf(checkConnectionLimits(printed('worker_rlimit_nofile 16384;', 8192)))).toEqual(
      [],
    )
    expect(wrongWith(checkConnectionLimits(printed('worker_rlimit_nofile 16384;', 768)))).toMatch(
      /worker_connections of nginx is 768/,
    )
    expect(wrongWith(checkConnectionLimits(printed('worker_rlimit_nofile 1024;', 8192)))).toMatch(
      /worker_rlimit_nofile of nginx is 1024/,
    )
    expect(wrongWith(checkConnectionLimits(printed('', 8192)))).toMatch(
      /worker_rlimit_nofile .* is not set/,
    )
  })

  test('the doctor passes the nginx of the image and of the stack', () => {
    const file = readFileSync(new URL('../nginx/nginx.conf', import.meta.url), 'utf8')
    expect(
      checkConnectionLimits(`# configuration file /tmp/gatehouse/nginx.conf:\n${file}\n`)[0]?.level,
    ).toBe('ok')
  })

  test('the doctor skips an nginx that can’t be inspected or serves other sites', () => {
    expect(checkConnectionLimits(null)).toEqual([])
    expect(
      checkConnectionLimits('# configuration file /etc/nginx/nginx.conf:\nevents {}\n'),
    ).toEqual([])
  })
})

describe('backups', () => {
  const BUCKET = 'https://s3.mine.ie/b1'
  const folder = () => mkdtempSync(join(directory, 'backups-'))
  const check = (files: string, bucket = BUCKET) =>
    checkBackups(
      installation({ BACKUP_STATUS_FILE: join(files, 'status.json'), BACKUP_BUCKET: bucket }),
    )
  const write = (files: string, name: string, content: object | string) =>
    writeFileSync(join(files, name), JSON.stringify(content))
  const finished = (files: string, hoursAgo: number, more = {}) =>
    write(files, 'status.json', {
      finishedAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
      bucket: BUCKET,
      isComplete: true,
      ...more,
    })

  test('the doctor reports a missing backup, an old one and an unreadable status file', async () => {
    const files = folder()
    expect(wrongWith(await check(files))).toMatch(/No completed backup/)
    writeFileSync(join(files, 'status.json'), 'not json')
    expect(wrongWith(await check(files))).toMatch(/No completed backup/)
    finished(files, 72)
    expect(wrongWith(await check(files))).toMatch(/The last backup is 72 hours old/)
    finished(files, 2)
    expect(wrongWith(await check(files))).not.toMatch(/last backup/)
    finished(files, 2, { isComplete: false })
    expect(wrongWith(await check(files))).toMatch(/Some files are not in the backup/)
    expect((await checkBackups(installation()))[0]?.level).toBe('warning')
  })

  test('the doctor fails without a bucket, and on a backup that is in another one', async () => {
    const files = folder()
    finished(files, 2)
    expect(wrongWith(await check(files, ''))).toMatch(/no backup outside this machine/)
    expect(wrongWith(await check(files, 'https://s3.mine.ie/b2'))).toMatch(/No completed backup in/)
  })

  test('the doctor fails until the kit of this bucket was shown', async () => {
    const files = folder()
    expect(wrongWith(await check(files))).toMatch(/kit was never shown/)
    write(files, 'kit.json', { shownAt: '2026-11-19T10:00:00Z', bucket: 'https://old.mine.ie/b' })
    expect(wrongWith(await check(files))).toMatch(/kit was never shown/)
    write(files, 'kit.json', { shownAt: '2026-11-19T10:00:00Z', bucket: BUCKET })
    expect(wrongWith(await check(files))).not.toMatch(/kit/)
  })

  test('the doctor judges the archive by the last segment in the bucket', async () => {
    const state: ArchiverState = {
      mode: 'on',
      archived: '0000000200000001000000FF',
      current: '000000020000000200000000',
      secondsSince: 3600,
      hasFailedSince: false,
    }
    // Idle.
    expect(archiveFinding(state).level).toBe('ok')
    expect(archiveFinding({ ...state, hasFailedSince: true }).what).toMatch(
      /do not reach the bucket.*0000000200000001000000FF, 3600 s ago/,
    )
    const late = { ...state, current: '000000020000000200000002' }
    expect(archiveFinding(late).what).toMatch(/^2 segments wait/)
    expect(archiveFinding({ ...late, secondsSince: 60 }).level).toBe('ok')
    expect(archiveFinding({ ...state, archived: null }).level).toBe('warning')
    // That of the tests archives nothing.
    expect(wrongWith(await check(folder()))).toMatch(/archive_mode is off/)
  })
})

test('the doctor runs every check even if no service is running', async () => {
  const findings = await runChecks(
    readInstallation({ NODE_ENV: 'production', SITE_DIR: '/nowhere' }, { logPlaces: [] }),
  )
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['machine', 'settings', 'configuration', 'backups']),
  )
  expect(wrongWith(findings)).toMatch(/DATABASE_URL is missing/)
})
