import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnv } from '#platform/env.ts'
import {
  ADMIN,
  METRICS_PORT,
  startApi,
  startTest,
  startWire,
  type Test,
} from '../../../test/kit.ts'

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-metrics-'))
const statusFile = join(directory, 'backup.json')
let api: Test

beforeAll(async () => {
  api = await startTest()
})
afterAll(async () => {
  await api.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('responses are counted and timed by route, method and status, without IDs or personal data', async () => {
  const { json } = await api.call('POST', '/api/kitchen-sinks', ADMIN, { body: { text: 'mine' } })
  await api.call('GET', `/api/kitchen-sinks/${json.id}`, ADMIN)
  await api.call('GET', `/api/kitchen-sinks/${crypto.randomUUID()}`, ADMIN)
  await api.call('GET', '/no-such-place/ada@example.test')
  const text = await textOf(api)
  const one = 'route="/api/kitchen-sinks/:id",method="GET"'
  expect(valueOf(text, `gatehouse_http_requests_total{${one},status="200"}`)).toBe(1)
  expect(valueOf(text, `gatehouse_http_requests_total{${one},status="404"}`)).toBe(1)
  expect(
    valueOf(text, 'gatehouse_http_requests_total{route="none",method="GET",status="404"}'),
  ).toBe(1)
  const time = 'gatehouse_http_request_duration_seconds'
  expect(valueOf(text, `${time}_count{${one}}`)).toBe(2)
  expect(valueOf(text, `${time}_bucket{${one},le="+Inf"}`)).toBe(2)
  expect(valueOf(text, `${time}_sum{${one}}`)).toBeGreaterThan(0)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|sub-|Ada|example\.test/)
})

test('/metrics is on a port of its own; the API’s names it with 410', async () => {
  const { app, metrics } = api
  const { statusCode, headers } = await metrics.inject('/metrics')
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const old = await app.inject('/metrics')
  expect(old.statusCode).toBe(410)
  expect(old.headers['content-type']).toMatch('application/problem+json')
  expect(old.json()).toMatchObject({ code: 'metrics-moved' })
  expect(old.json().detail).toContain(String(METRICS_PORT))
})

test.each([
  ['9464 for the only replica', {}, 9464],
  ['9464 for the first port of API_PORTS', { PORT: '8081', API_PORTS: '8081 8082' }, 9464],
  ['9465 for the second', { PORT: '8082', API_PORTS: '8081 8082' }, 9465],
  ['9464 for a port that API_PORTS lacks', { PORT: '8090', API_PORTS: '8081 8082' }, 9464],
  ['METRICS_PORT if it is set', { PORT: '8082', API_PORTS: '8081 8082', METRICS_PORT: '9' }, 9],
])('the port of /metrics is %s, on loopback', (_which, settings, port) => {
  const { metrics } = readEnv({ DATABASE_URL: 'none', OIDC_ISSUER: 'https://id.test', ...settings })
  expect(metrics).toEqual({ host: '127.0.0.1', port })
})

test('aborted requests are no longer in flight', async () => {
  const release = await api.database.hold('lock table services in access exclusive mode')
  const hangUp = AbortSignal.timeout(150)
  await fetch(`${api.base}/api/services`, { signal: hangUp }).catch(() => null)
  await release()
  expect(valueOf(await textOf(api), 'gatehouse_http_requests_in_flight')).toBe(0)
})

test('metrics cover process, pool, keys and notice', async () => {
  await api.call('GET', '/api/services', ADMIN)
  const text = await textOf(api)
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
  expect(valueOf(text, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m)
  expect(valueOf(text, 'gatehouse_database_connections{state="max"}')).toBe(10)
  expect(valueOf(text, 'gatehouse_database_connections{state="total"}')).toBeGreaterThan(0)
  expect(valueOf(text, 'gatehouse_database_connections{state="waiting"}')).toBe(0)
  expect(valueOf(text, 'gatehouse_request_places{state="max"}')).toBe(10)
  expect(valueOf(text, 'gatehouse_request_places{state="taken"}')).toBe(0)
  expect(valueOf(text, 'gatehouse_request_places{state="waiting"}')).toBe(0)
  expect(valueOf(text, 'gatehouse_requests_refused_total{code="too-many-requests"}')).toBe(0)
  expect(valueOf(text, 'gatehouse_ready')).toBe(1)
  expect(valueOf(text, 'gatehouse_database_up')).toBe(1)
  expect(valueOf(text, 'gatehouse_identity_keys_up')).toBe(1)
  const confirmed = valueOf(text, 'gatehouse_identity_keys_confirmed_timestamp_seconds')
  expect(Math.abs(Date.now() / 1000 - confirmed)).toBeLessThan(60)
  expect(text).toMatch(/^gatehouse_notice_info\{version="\d+\.\d+"\} 1$/m)
})

test('queued and failed mails and jobs are counted', async () => {
  await api.database.sql(
    `insert into outbox (id, kind, recipient, data, created_at) values
      (gen_random_uuid(), 'request-received', 'a@example.test', '{}', now() - interval '20 minutes'),
      (gen_random_uuid(), 'request-received', 'b@example.test', '{}', now())`,
  )
  await api.database.sql(
    `insert into outbox (id, kind, recipient, data, created_at, code, failed_at) values
      (gen_random_uuid(), 'request-received', 'c@example.test', '{}', now() - interval '3 days', '550 5.1.1', now()),
      (gen_random_uuid(), 'request-received', null, '{}', now() - interval '20 days', '550 5.1.1', now())`,
  )
  await api.database.sql(`select pgboss.create_queue('send-mail', '{"policy":"standard"}')`)
  await api.database.sql(
    `insert into pgboss.job (name, state) values ('send-mail', 'created'), ('send-mail', 'retry'), ('send-mail', 'failed')`,
  )
  const text = await textOf(api)
  expect(valueOf(text, 'gatehouse_mails_waiting')).toBe(2)
  expect(valueOf(text, 'gatehouse_mails_dead')).toBe(1)
  expect(valueOf(text, 'gatehouse_mails_oldest_age_seconds')).toBeGreaterThanOrEqual(1_200)
  expect(valueOf(text, 'gatehouse_mails_oldest_age_seconds')).toBeLessThan(86_400)
  expect(valueOf(text, 'gatehouse_jobs_waiting{name="send-mail"}')).toBe(2)
  expect(valueOf(text, 'gatehouse_jobs_failed{name="send-mail"}')).toBe(1)
  expect(text).not.toContain('@example.test')
})

test('a database outage is reported as a metric within 5 seconds, next to the other metrics', async () => {
  const wire = await startWire()
  const replica = await startApi({
    databaseUrl: wire.url(api.database.url('gatehouse_app')),
    keys: api.keys,
  })
  await wire.cut()
  const started = performance.now()
  const text = await textOf(replica)
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(valueOf(text, 'gatehouse_database_up')).toBe(0)
  expect(valueOf(text, 'gatehouse_ready')).toBe(0)
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0)
  expect(text).not.toContain('gatehouse_mails_waiting')
  await replica.stop()
})

test.each([
  [
    'the time in the status file',
    '{"finishedAt":"2026-01-31T02:00:00Z"}',
    Date.UTC(2026, 0, 31, 2) / 1000,
  ],
  ['0 if the status file is garbled', 'nonsense', 0],
  ['0 if the status file has no time', '{}', 0],
  ['0 if the status file is missing', null, 0],
])('the backup metric is %s', async (_what, content, expected) => {
  rmSync(statusFile, { force: true })
  if (content !== null) writeFileSync(statusFile, content)
  const replica = await startApi({
    databaseUrl: api.database.url('gatehouse_app'),
    keys: api.keys,
    backupStatusFile: statusFile,
  })
  const text = await textOf(replica)
  expect(valueOf(text, 'gatehouse_backup_finished_timestamp_seconds')).toBe(expected)
  await replica.stop()
})

test('without a backup status file there is no backup metric', async () => {
  expect(await textOf(api)).not.toContain('backup')
})

const textOf = async ({ metrics }: Pick<Test, 'metrics'>) => (await metrics.inject('/metrics')).body

/** Value of one series, whatever its label order. */
function valueOf(text: string, series: string) {
  const identity = identityOf(series)
  const line = text.split('\n').find((one) => identityOf(one.replace(/ \S+$/, '')) === identity)
  if (!line) throw new Error(`${series} is not reported`)
  return Number(line.slice(line.lastIndexOf(' ')))
}

const identityOf = (series: string) => {
  const [name = '', labels = ''] = series.replace(/\}$/, '').split('{')
  return [name, ...labels.split(/,(?=\w+=")/).toSorted()].join('|')
}
