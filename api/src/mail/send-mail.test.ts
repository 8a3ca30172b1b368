import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startApi } from '../../../ops/drills/kit/api-process.ts'
import { startKeyServer } from '../../../ops/drills/kit/key-server.ts'
import { ADMIN, CONFIG, startWire } from '../../test/kit.ts'
import { loggerOf, startMailWorkers } from '../../test/mail-worker.ts'

const SOON = { timeout: 25_000, interval: 100 }
const TAKE_OVER_MS = 15_000
const FROM = 'Gatehouse <privacy@gatehouse.example>'

const t = startMailWorkers()

test('[PRIV-04] a request is confirmed by one mail with reference and date, and the outbox is empty', async () => {
  t.work()
  const { reference, dueOn } = await t.ask('one@example.test')
  await vi.waitFor(() => expect(mailsTo('one@example.test')).toHaveLength(1), SOON)
  const [mail = ''] = mailsTo('one@example.test')
  expect(mail).toContain(`Subject: Privacy request ${reference} received`)
  expect(mail).toContain(`Please quote ${reference}`)
  const day = new Intl.DateTimeFormat(CONFIG.site.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  expect(mail).toContain(`by ${day.format(new Date(dueOn))}.`)
  expect(mail).not.toMatch(/Iris|What do you know/)
  await vi.waitFor(async () => expect(await inOutbox()).toEqual([]), SOON)
  await setTimeout(2_500)
  expect(mailsTo('one@example.test')).toHaveLength(1)
})

test('[PRIV-04] the provider is notified immediately with reference, kind, date and link, without name or text', async () => {
  t.work()
  const { reference, dueOn } = await t.ask('asks@example.test')
  const { privacyEmail } = CONFIG.controller
  await vi.waitFor(() => expect(mailsTo(privacyEmail)).toHaveLength(1), SOON)
  const [mail = ''] = mailsTo(privacyEmail)
  const day = new Intl.DateTimeFormat(CONFIG.site.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  expect(mail).toContain(
    `Subject: Privacy request ${reference}: access, due ${day.format(new Date(dueOn))}`,
  )
  const { json } = await t.api.call('GET', `/api/privacyrequests?q=${reference}`, ADMIN)
  expect(mail).toContain(`Open it: ${CONFIG.site.url}/privacyrequests/${json.items[0].id}`)
  expect(mail).not.toMatch(/Iris|What do you know|asks@example\.test/)
})

test('the queue holds row IDs and no personal data', async () => {
  t.work()
  await t.ask('canary@example.test')
  await vi.waitFor(() => expect(t.relay.mails).toHaveLength(2), SOON)
  const jobs = await t.api.database.sql('select * from pgboss.job')
  expect(jobs.length).toBeGreaterThan(0)
  for (const { data } of jobs) expect(Object.keys(data)).toEqual(['id'])
  expect(JSON.stringify(jobs)).not.toContain('canary')
})

test('a mail is sent once an unreachable relay is back', async () => {
  await t.relay.down()
  t.work()
  await t.ask('later@example.test')
  await vi.waitFor(
    async () => expect(await inOutbox()).toMatchObject([{ attempts: 1 }, { attempts: 1 }]),
    SOON,
  )
  await t.relay.up()
  await vi.waitFor(() => expect(t.relay.mails).toHaveLength(2), SOON)
})

test('a relay slower than the heartbeat gets the mail once', async () => {
  t.relay.thinksMs = 14_000
  t.work()
  t.work()
  await t.ask('slow@example.test')
  await vi.waitFor(() => expect(t.relay.mails).toHaveLength(2), SOON)
  await vi.waitFor(async () => expect(await inOutbox()).toEqual([]), SOON)
  expect(t.relay.begun).toBe(2)
})

test('two replicas send each mail once', async () => {
  t.work()
  t.work()
  const names = Array.from({ length: 8 }, (_, index) => `both${index}@example.test`)
  await Promise.all(names.map(t.ask))
  await vi.waitFor(() => expect(t.relay.mails).toHaveLength(16), SOON)
  await vi.waitFor(async () => expect(await inOutbox()).toEqual([]), SOON)
  await setTimeout(2_500)
  expect(t.relay.mails).toHaveLength(16)
  const ids = t.relay.mails.map((mail) => /^Message-ID: (.+)$/im.exec(mail)?.[1])
  expect(new Set(ids).size).toBe(16)
  for (const id of ids) expect(id).toMatch(/^<[0-9a-f-]{36}@gatehouse\.example>$/)
})

test('one worker sends 2,000 mails within a minute', async () => {
  const data = JSON.stringify({ reference: 'PR-2026-0001', kind: 'access', dueOn: '2026-01-31' })
  await t.api.database.sql(
    `insert into outbox (id, kind, recipient, data)
      select gen_random_uuid(), 'request-received', 'many' || n || '@example.test', '${data}' from generate_series(1, 2000) n`,
  )
  const started = Date.now()
  t.work()
  await vi.waitFor(async () => expect(await inOutbox()).toEqual([]), {
    timeout: 58_000,
    interval: 500,
  })
  console.log(`2,000 mails in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  expect(t.relay.mails).toHaveLength(2_000)
})

test('without a relay mails are queued, and the worker starts once the database is up', async () => {
  const wire = await startWire()
  await wire.cut()
  await t.ask('waiting@example.test')
  const databaseUrl = wire.url(t.api.database.url('gatehouse_app'))
  const logged: string[] = []
  const logger = loggerOf((_fields, message = '') => void logged.push(message))
  t.work({ databaseUrl, logger, hasRelay: false })
  await vi.waitFor(() => expect(logged).toContain('failed to start worker; retrying'), SOON)
  await wire.mend()
  await vi.waitFor(() => expect(logged).toContain('worker started'), SOON)
  await setTimeout(1_500)
  expect(await inOutbox()).toMatchObject([{ attempts: 0 }, { attempts: 0 }])
  await t.stopWorkers()
  await wire.cut()
})

test('another process sends the mail of a killed one within 15 s', async () => {
  t.relay.isSilent = true
  const keys = await startKeyServer()
  const doomed = await startApi({
    env: {
      ...keys.env,
      DATABASE_URL: t.api.database.url('gatehouse_app'),
      // The database also has the tables of the tests' own models.
      UNDECLARED: 'warn',
      SMTP_URL: t.relay.url,
      MAIL_FROM: FROM,
    },
  })
  await t.ask('crash@example.test')
  await vi.waitFor(() => expect(t.relay.begun).toBe(2), SOON)
  await doomed.kill()
  const killed = Date.now()
  t.relay.isSilent = false
  t.work()
  await vi.waitFor(() => expect(t.relay.mails).toHaveLength(2), SOON)
  expect(Date.now() - killed).toBeLessThan(TAKE_OVER_MS)
  keys.stop()
})

const mailsTo = (address: string) =>
  t.relay.mails.filter((mail) => mail.includes(`\r\nTo: ${address}\r\n`))

const inOutbox = () => t.api.database.sql('select recipient, attempts from outbox')
