import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { createCertificate } from '../../ops/drills/kit/certificate.ts'
import { freePort } from '../stack/settings.ts'
import { checkDns } from './check-dns.ts'
import { checkPorts } from './check-ports.ts'
import { checkTestEmail } from './check-relay.ts'
import type { Finding } from '../../ops/doctor/finding.ts'
import { CONFIG } from '../../api/test/kit.ts'

const closers: (() => unknown)[] = []
afterAll(() => closers.forEach((close) => close()))

const HOSTS: [string, string] = ['portal.mine.ie', 'id.mine.ie']
const OWN = ['10.0.0.4', '203.0.113.5', '2001:db8::5']
const levelsOf = (findings: Finding[]) => findings.map(({ level }) => level)
const todosOf = (findings: Finding[]) =>
  findings.map((finding) => (finding.level === 'ok' ? '' : finding.todo))

/** Records by host: IPv4 and IPv6. */
function resolverOf(records: Record<string, string[]>) {
  const resolver = new Resolver()
  const find = async (host: string, is6: boolean) => {
    const found = (records[host] ?? []).filter((address) => address.includes(':') === is6)
    if (found.length === 0) throw Object.assign(new Error('none'), { code: 'ENODATA' })
    return found
  }
  return Object.assign(resolver, {
    resolve4: (host: string) => find(host, false),
    resolve6: (host: string) => find(host, true),
  }) as Resolver
}
const dnsOf = (site: string[], identity: string[], local: string[] = []) =>
  checkDns(HOSTS, {
    resolver: resolverOf({ [HOSTS[0]]: site, [HOSTS[1]]: identity }),
    findLocally: async () => local,
    own: OWN,
  })

test('names that lead to this machine pass the check', async () => {
  const findings = await dnsOf(['203.0.113.5', '2001:db8::5'], ['2001:db8::5'])
  expect(levelsOf(findings)).toEqual(['ok', 'ok'])
})

test('a name without a record fails with the record to create, without private addresses', async () => {
  const findings = await dnsOf(['203.0.113.5'], [])
  expect(levelsOf(findings)).toEqual(['ok', 'failure'])
  expect(todosOf(findings)[1]).toBe(
    'create the DNS record id.mine.ie A 203.0.113.5, and AAAA 2001:db8::5',
  )
})

test.each([OWN[0] ?? '', '127.0.0.1'])(
  'a name that the file of hosts alone leads to this machine, as %s, is a warning with the record to create',
  async (address) => {
    const findings = await dnsOf(['203.0.113.5'], [], [address])
    expect(levelsOf(findings)).toEqual(['ok', 'warning'])
    expect(todosOf(findings)[1]).toContain('create the DNS record id.mine.ie A 203.0.113.5')
    expect(levelsOf(await dnsOf(['203.0.113.5'], [], ['198.51.100.7']))).toEqual(['ok', 'failure'])
  },
)

test('names that lead to another machine are a warning, because of NAT; to different machines, a failure', async () => {
  expect(levelsOf(await dnsOf(['198.51.100.7'], ['198.51.100.7']))).toEqual(['warning', 'warning'])
  expect(levelsOf(await dnsOf(['203.0.113.5'], ['198.51.100.7']))).toEqual([
    'ok',
    'warning',
    'failure',
  ])
})

test('a DNS server that doesn’t respond is a failure of its own', async () => {
  const resolver = new Resolver({ timeout: 200, tries: 1 })
  resolver.setServers([`127.0.0.1:${await freePort()}`])
  const findings = await checkDns(HOSTS, { resolver, findLocally: async () => [], own: OWN })
  expect(levelsOf(findings)).toEqual(['failure', 'failure'])
  expect(findings[0]?.what).toMatch(/^portal\.mine\.ie can’t be looked up: .*(REFUSED|TIMEOUT)/)
  expect(todosOf(findings)[0]).toBe('correct this machine’s DNS server')
})

test.each(['127.0.0.1', '::1'])(
  'a port with a listener on %s is in use, unless the site runs',
  async (host) => {
    const server = createServer().listen(0, host)
    closers.push(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const env = { HTTP_PORT: `127.0.0.1:${port}`, HTTPS_PORT: String(await freePort()) }
    const findings = checkPorts(env)
    expect(levelsOf(findings)).toEqual(['failure', 'ok'])
    expect(findings[0]?.what).toBe(`Port ${port} is in use by another program`)
    expect(checkPorts(env, { isRunning: true })).toEqual([])
  },
)

test('a taken port is changed in .env of containers, and by a variable of up on a server', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  closers.push(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = { HTTP_PORT: String(port), HTTPS_PORT: String(await freePort()) }
  expect(todosOf(checkPorts(env))[0]).toContain('set HTTP_PORT in .env')
  const [onServer] = todosOf(checkPorts(env, { upCommand: '/root/gatehouse up' }))
  expect(onServer).toContain('as in HTTP_PORT=8080 /root/gatehouse up')
  expect(onServer).not.toContain('.env')
})

const PASSWORD = 'p$ss/word'
/** Of a server's first run. */
const WORDS = {
  initCommand: '/root/programs/gatehouse init',
  senderSetting: 'MAIL_FROM in /etc/gatehouse/env',
  authorityFile: '/etc/gatehouse/tls/authority.pem',
}

/** A relay that accepts one password. */
async function startRelay() {
  const mails: string[] = []
  const relay = new SMTPServer({
    authMethods: ['PLAIN'],
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD
        ? done(null, { user: username })
        : done(new Error(`no ${password} here`)),
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('refused') ? new Error('No such mailbox') : null),
    onData: (stream, _session, done) => {
      let mail = ''
      stream.on('data', (part) => (mail += String(part)))
      stream.on('end', () => done(null, void mails.push(mail)))
    },
  })
  relay.on('error', () => {})
  relay.listen(0, '127.0.0.1')
  closers.push(() => relay.close())
  await once(relay.server, 'listening')
  const { port } = relay.server.address() as AddressInfo
  const check = (password: string, owner = 'me@mine.ie') =>
    checkTestEmail({
      url: `smtp://me:${encodeURIComponent(password)}@127.0.0.1:${port}`,
      mailFrom: 'desk@mine.ie',
      owner,
      config: CONFIG,
      ...WORDS,
    })
  return { mails, check }
}

test('the owner gets a test email that says what it is', async () => {
  const { mails, check } = await startRelay()
  expect(levelsOf(await check(PASSWORD))).toEqual(['ok'])
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatch(
    /From: .*desk@mine\.ie[^]*To: me@mine\.ie[^]*Subject: Test email of Gatehouse/,
  )
  expect(mails[0]).toContain('This is the test email')
  expect(mails[0]?.replace(/=?\r\n/g, '')).toContain('(/root/programs/gatehouse init)')
})

test('a relay that rejects password or recipient is a failure that shows no password', async () => {
  const { mails, check } = await startRelay()
  for (const findings of [await check('wro%ng pass'), await check(PASSWORD, 'refused@mine.ie')]) {
    expect(levelsOf(findings)).toEqual(['failure'])
    expect(todosOf(findings)).toEqual([
      'correct the relay by /root/programs/gatehouse init, or the sender by MAIL_FROM in /etc/gatehouse/env',
    ])
    expect(findings[0]?.what).toContain('did not accept an email from desk@mine.ie')
    expect(JSON.stringify(findings)).not.toMatch(/wro%|wro%25|p\$ss/)
  }
  expect(mails).toEqual([])
})

test('a missing relay is a warning', async () => {
  const relay = { url: '', mailFrom: undefined, owner: 'me@mine.ie', config: CONFIG, ...WORDS }
  const findings = await checkTestEmail(relay)
  expect(levelsOf(findings)).toEqual(['warning'])
  expect(todosOf(findings)).toEqual(['run /root/programs/gatehouse init again once you have one'])
})

test('a relay with the certificate of an unknown authority is a failure that says where to put it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-relay-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const { file, key } = createCertificate(folder, 'localhost')
  const relay = new SMTPServer({
    secure: true,
    cert: readFileSync(file),
    key: readFileSync(key),
    disableReverseLookup: true,
  })
  relay.on('error', () => {})
  relay.listen(0, '127.0.0.1')
  closers.push(() => relay.close())
  await once(relay.server, 'listening')
  const { port } = relay.server.address() as AddressInfo
  const findings = await checkTestEmail({
    url: `smtps://localhost:${port}`,
    mailFrom: undefined,
    owner: 'me@mine.ie',
    config: CONFIG,
    ...WORDS,
  })
  expect(levelsOf(findings)).toEqual(['failure'])
  expect(findings[0]?.what).toContain('certificate')
  expect(todosOf(findings)[0]).toContain('certificate at /etc/gatehouse/tls/authority.pem')
})
