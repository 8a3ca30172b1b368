import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { SMTPServer } from 'smtp-server'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { launchApi } from '../../ops/drills/kit/api-process.ts'
import { ADMIN, CONFIG, SITE, sqlOn, startApi, startTest, type Test } from '../test/kit.ts'
import { connectDb } from '#platform/db.ts'
import { startWorker } from '#jobs/worker.ts'
import type { Job } from '#jobs/job.ts'
import { sendMail } from '#jobs/send-mail.ts'
import { buildLogger } from '#platform/log.ts'
import { buildMailer } from '#platform/mail/mailer.ts'
import { migrate } from '#platform/migrate.ts'
import { startPageWriter } from '#pages/page-writer.ts'
import { PUBLIC } from '#platform/http/access-level.ts'

/** Must not appear in any log line, although every failure below contains all of it. */
const PERSON = {
  name: 'Maren Holmquast',
  email: 'maren.holmquast@example.test',
  phone: '+49 30 7654321',
  words: 'the boiler in Seilergasse',
}
const VALUES = Object.values(PERSON).join(', ')
const SOON = { timeout: 20_000, interval: 50 }

type Facts = { name: string; at?: string[]; cause?: Facts; errors?: Facts[] } & Row
type Row = Record<string, unknown>
type Line = Row & { msg: string; err?: Facts }

const lines: Line[] = []
const logger = buildLogger({ write: (text) => void lines.push(JSON.parse(text) as Line) })
const found = new Set<string>()
let api: Test
let replica: Awaited<ReturnType<typeof startApi>>
let directory: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'failures-'))
  api = await startTest()
  replica = await startApi({
    databaseUrl: api.database.url('gatehouse_app'),
    keys: api.keys,
    logger,
    extend: (app) => {
      for (const [name, fail] of Object.entries(PROGRAM))
        app.post(`/api/failing/${name}`, { config: { needs: PUBLIC } }, async (request) =>
          fail(request.body as Row),
        )
      app.post('/api/failing/text', { config: { needs: PUBLIC } }, () => Promise.reject(VALUES))
    },
  })
  await api.database.sql(RAISE)
})
afterAll(async () => {
  await replica.stop()
  await api.stop()
  rmSync(directory, { recursive: true })
})

/** Bugs and external failures whose errors contain sent values. */
const PROGRAM: Record<string, (sent: Row) => unknown> = {
  'a property of undefined': (sent) => (sent['none'] as { [key: string]: unknown })[VALUES],
  'something called that is no function': (sent) => (sent as { words: () => void }).words(),
  'text that is no JSON': (sent) => JSON.parse(String(sent['words'])),
  'text that is no address': (sent) => new URL(String(sent['words'])),
  'an address that is malformed': (sent) => decodeURIComponent(`%${String(sent['words'])}`),
  'a regular expression that is none': (sent) => new RegExp(`(${String(sent['words'])}`),
  'a number out of range': (sent) => String(sent['words']).repeat(-1),
  'a stack that overflows': function overflow(sent): unknown {
    return [overflow(sent), sent]
  },
  'a file that is absent': (sent) => readFileSync(join(directory, String(sent['email']))),
  'a server that is not there': (sent) => fetch(`http://127.0.0.1:1/?q=${String(sent['email'])}`),
  'a time limit': async () => {
    const late = AbortSignal.timeout(1)
    await new Promise((_resolve, reject) =>
      late.addEventListener('abort', () => reject(late.reason)),
    )
  },
  'a message with lines like frames': () => {
    throw new Error(`first\n    at ${PERSON.name} (${PERSON.email}:1:1)\n    at ${VALUES}`)
  },
  'a message that was changed since': () => {
    const error = new Error(`first\n    at ${PERSON.name} (${PERSON.email}:1:1)`)
    error.message = 'another'
    throw error
  },
  'a cause behind a cause': (sent) => {
    throw new Error(VALUES, {
      cause: new RangeError(VALUES, { cause: new TypeError(VALUES, sent) }),
    })
  },
  'several together': () =>
    Promise.any([1, 2].map((n) => Promise.reject(new Error(`${n} ${VALUES}`)))),
  'properties with values': (sent) => {
    throw Object.assign(new Error(VALUES), sent, { code: VALUES, table: VALUES, input: VALUES })
  },
  'an error named after a person': () => {
    throw Object.assign(new Error(VALUES), { name: VALUES })
  },
  'the same message logged twice': () => {
    logger.error(new Error(VALUES))
    logger.error({ err: new Error(VALUES) })
    throw new Error(VALUES)
  },
}

describe('a failed request is logged with its ID and a stack', () => {
  test.each(Object.keys(PROGRAM))(
    'a failed request is logged with ID and stack: %s',
    async (name) => {
      const { status, id } = await send(`/api/failing/${name}`, { ...PERSON })
      expect(status).toBe(500)
      const { err } = lineOf({ requestId: id })
      expect(allFrames(err).join('\n')).toMatch(/src\/log-failures\.test\.ts:\d+:\d+|node:|undici/)
      found.add(id)
    },
  )

  test('a thrown value that is no Error is logged without stack or value', async () => {
    const { status, id } = await send('/api/failing/text', {})
    expect(status).toBe(500)
    expect(lineOf({ requestId: id }).err).toEqual({ name: 'string' })
  })
})

/** A trigger that fails with a given code, and with values in every part of the error. */
const RAISE = `
  create function fail() returns trigger language plpgsql as $$ begin
    if new.text = 'gone' then perform pg_terminate_backend(pg_backend_pid()); end if;
    raise exception using errcode = new.text, message = new.textarea, detail = new.textarea, hint = new.textarea,
      table = 'kitchensink', column = 'text', constraint = 'kitchensink_rule';
  end $$;
  create trigger fail before insert on kitchensink for each row execute function fail()`
const CODES =
  '22001 22003 22012 22P02 23502 23505 23514 23P01 42501 42703 42883 42P01 53200 54001 58030 P0001 XX000'

describe('a PostgreSQL error is logged with request ID, code, table, column and constraint', () => {
  test.each(CODES.split(' '))('a PostgreSQL error is logged with its code: %s', async (code) => {
    const { status, id } = await send('/api/kitchensink', { text: code, textarea: VALUES })
    expect(status).toBeGreaterThanOrEqual(500)
    const { err } = lineOf({ requestId: id })
    const facts = err?.['code'] === code ? err : err?.cause
    const [table, column, constraint] = ['kitchensink', 'text', 'kitchensink_rule']
    expect(facts).toMatchObject({ code, table, column, constraint, routine: 'exec_stmt_raise' })
    expect(allFrames(err).join('\n')).toContain('api/src/engine/write/unit-of-work.ts')
    found.add(id)
  })

  test('a connection closed during a statement is logged with the request ID', async () => {
    const { status, id } = await send('/api/kitchensink', { text: 'gone', textarea: VALUES })
    expect(status).toBe(503)
    expect(lineOf({ requestId: id }).err).toMatchObject({
      name: 'HttpError',
      code: 'database-unavailable',
      cause: { code: '57P01' },
    })
    found.add(id)
  })
})

describe('background work', () => {
  test('a failed job is logged with its ID, and the queue stores only name and code', async () => {
    const failing = (name: string, run: Job['run']): Job => ({
      name,
      pollMs: 1_000,
      retryLimit: 1,
      find: async () => [name],
      run,
    })
    const jobs = [
      failing('unique', async (_id, { db }) => {
        await db.query(sql`create temp table people (email text unique)`)
        await db.query(sql`insert into people values (${PERSON.email}), (${PERSON.email})`)
      }),
      failing('program', async () => {
        throw Object.assign(new TypeError(VALUES), PERSON)
      }),
      failing('caused', async () => {
        throw new Error(VALUES, { cause: new Error(VALUES) })
      }),
      failing('thrown-text', () => Promise.reject(VALUES)),
    ]
    const worker = work({ jobs, mailer: null })
    const rows = await vi.waitFor(async () => {
      const all = await api.database.sql(
        `select id, name, output::text as output from pgboss.job where state = 'failed' and output is not null`,
      )
      expect(new Set(all.map(({ name }) => name)).size).toBe(jobs.length)
      return all
    }, SOON)
    await worker.stop()
    for (const { id, name, output } of rows) {
      const { err } = lineOf({ jobId: id, job: name })
      expect(allFrames(err).join('\n')).toMatch(
        name === 'thrown-text' ? /^$/ : /log-failures\.test\.ts/,
      )
      expect(Object.keys(JSON.parse(output))).toEqual(
        name === 'unique' ? ['code', 'name'] : ['name'],
      )
      expect(output).not.toContain('Maren')
      found.add(name)
    }
  })

  test.each(['a relay that rejects with a message', 'an unreachable relay'])(
    'a failed mail is logged with its job ID: %s',
    async (name) => {
      const relay = await startRelay()
      if (name === 'an unreachable relay') await relay.stop()
      const [ticket] = await api.database.sql(
        `insert into outbox (id, kind, recipient, data) values (gen_random_uuid(), 'request-received', $1,
          '{"reference":"PR-2026-0001","kind":"access","dueOn":"2026-12-01"}') returning id`,
        [PERSON.email],
      )
      const mailer = buildMailer({ url: relay.url, from: 'desk@example.test' })
      const worker = work({ jobs: [sendMail], mailer })
      const line = await vi.waitFor(
        () => lines.findLast((one) => one['job'] === 'send-mail' && one.err) ?? raise(),
        SOON,
      )
      await worker.stop()
      mailer.close()
      await relay.stop()
      await api.database.sql('delete from outbox')
      expect(ticket).toBeDefined()
      expect(line['jobId']).toMatch(/^[0-9a-f-]{36}$/)
      expect(line.err).toMatchObject({ code: expect.stringMatching(/^(E[A-Z]+|550)$/) })
      expect(allFrames(line.err).length).toBeGreaterThan(0)
      lines.push({ msg: 'seen' })
      found.add(name)
    },
  )

  test('a failed query for pending work and an unreachable queue are logged', async () => {
    const lost: Job = {
      name: 'lost',
      pollMs: 1_000,
      retryLimit: 1,
      find: async ({ db }) => (await db.query(sql`select ${VALUES}::int`)).map(() => ''),
      run: async () => {},
    }
    const worker = work({ jobs: [lost], mailer: null })
    await vi.waitFor(() => lineOf({ job: 'lost' }), SOON)
    await worker.stop()
    expect(lineOf({ job: 'lost' }).err).toMatchObject({ code: '22P02' })
    const absent = startWorker({
      databaseUrl: api.database.url('gatehouse_app', 'absent'),
      tools: { ...tools(), mailer: null },
      jobs: [],
    })
    await vi.waitFor(() => lineOf({ msg: 'failed to start worker; retrying' }), SOON)
    await absent.stop()
    found.add('work not found').add('no queue')
  })

  test('a lost idle connection is logged', async () => {
    const db = connectDb(api.database.url('gatehouse_app'), {
      max: 1,
      onLost: (error) =>
        logger.warn({ err: error }, 'database connection lost; the pool replaces it'),
    })
    const [{ pid } = { pid: 0 }] = await db.query(sql`select pg_backend_pid() as pid`)
    await sqlOn(api.database.url('postgres'), 'select pg_terminate_backend($1)', [pid])
    await vi.waitFor(() => lineOf({ msg: 'database connection lost; the pool replaces it' }), SOON)
    await db.close()
    expect(lineOf({ msg: 'database connection lost; the pool replaces it' }).err?.at).toBeDefined()
    found.add('a lost connection')
  })

  test('a page that fails to render and a bundle that fails to load are logged', async () => {
    const record = crypto.randomUUID()
    const write = async (text: string) => {
      const folder = mkdtempSync(join(directory, 'build-'))
      const bundle = join(folder, 'server.js')
      writeFileSync(bundle, text)
      const build = { bundle, id: 'abcdefabcdef', assets: { catalogue: 'en' } }
      const writer = startPageWriter({
        db: replica.db,
        site: SITE,
        models: [],
        records: Promise.resolve({ fetch: async () => ({ status: 200, text: '[]' }) }),
        directory: join(folder, 'pages'),
        build,
        input: { config: CONFIG } as never,
        printed: {},
        logger,
      })
      await writer.first
      writer.stop()
    }
    await write(
      `export const render = async () => ({
        renderFixed: async () => [], renderIndexes: async () => [], recordFolders: [],
        listPages: async () => [{ path: 'a/index.html', record: '${record}', stamp: '1' }],
        renderPage: async () => { throw new Error('${VALUES}') } })`,
    )
    expect(allFrames(lineOf({ record }).err).length).toBeGreaterThan(0)
    await write(`throw new Error('${VALUES}')`)
    expect(
      allFrames(lineOf({ msg: 'failed to write pages; retrying' }).err).length,
    ).toBeGreaterThan(0)
    found.add('a page').add('a site')
  })
})

describe('a failed migration is logged with its file name', () => {
  test.each([
    ['0901-syntax.sql', `create tabel people (name text default '${VALUES}');`, '42601'],
    [
      '0902-duplicates.sql',
      `create table people as select '${PERSON.email}' as email from generate_series(1, 2);
       create unique index people_email on people (email);`,
      '23505',
    ],
  ])('a failed migration is logged with its file name: %s', async (migration, text, code) => {
    const folder = join(directory, migration, '/')
    mkdirSync(folder)
    writeFileSync(join(folder, migration), text)
    await migrate(api.database.url('gatehouse_migrate'), [], pathToFileURL(folder)).catch(
      (error: unknown) => logger.error({ err: error }, 'migration failed; retrying'),
    )
    const line = lines.find(({ err }) => err?.['migration'] === migration)
    expect(line?.err?.cause).toMatchObject({ code })
    expect(allFrames(line?.err).join('\n')).toContain('api/src/platform/migrate.ts')
    found.add(migration)
  })
})

describe('a fatal error is logged with a stack', () => {
  const run = async (name: string, env: Record<string, string>) => {
    const log = join(directory, `${name}.log`)
    const child = await launchApi({
      log,
      env: {
        DATABASE_URL: api.database.url('gatehouse_app'),
        OIDC_ISSUER: 'https://idp.example.test',
        OIDC_JWKS_URI: api.keys.jwksUri,
        WORKER: 'off',
        ...env,
      },
    })
    await vi.waitFor(() => expect(child.hasEnded()).toBe(true), { ...SOON, timeout: 50_000 })
    const text = readFileSync(log, 'utf8')
    for (const line of text.trim().split('\n')) lines.push(JSON.parse(line) as Line)
    return lines.findLast(({ msg }) => msg === 'uncaught error; exiting')
  }

  test('an unreadable configuration and an unhandled rejection are logged with a stack', async () => {
    writeFileSync(join(directory, 'site.json'), `{ "owner": ${VALUES} }`)
    const preload = join(directory, 'preload.mjs')
    writeFileSync(
      preload,
      `const timer = setInterval(() => {
        if (process.listenerCount('uncaughtException') === 0) return
        clearInterval(timer)
        Promise.reject(new Error('${VALUES}'))
      }, 20)`,
    )
    const [unread, rejected] = await Promise.all([
      run('unread', { SITE_DIR: directory }),
      run('rejected', { NODE_OPTIONS: `--import=${preload}` }),
    ])
    expect(unread?.err).toMatchObject({ name: 'SetupError', cause: { name: 'SyntaxError' } })
    expect(allFrames(unread?.err).join('\n')).toContain('api/src/platform/site-config.ts')
    expect(allFrames(rejected?.err).length).toBeGreaterThan(0)
    found.add('unread').add('rejected')
  })
})

test('logs of at least forty different failures contain no personal data', () => {
  expect(found.size).toBeGreaterThanOrEqual(40)
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  for (const value of [...Object.values(PERSON), 'Maren', 'Seilergasse', '7654321'])
    expect(text).not.toContain(value)
})

async function send(path: string, body: object) {
  const response = await fetch(replica.base + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await api.tokenOf(ADMIN)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  await response.text()
  return { status: response.status, id: response.headers.get('x-request-id') ?? '' }
}

function lineOf(facts: Row): Line {
  const line = lines.find(
    (one) => one.err && Object.entries(facts).every(([name, value]) => one[name] === value),
  )
  return line ?? raise(`no line with ${JSON.stringify(facts)}`)
}

const allFrames = (facts: Facts | undefined): string[] =>
  facts
    ? [
        ...(facts.at ?? []),
        ...allFrames(facts.cause),
        ...(facts.errors ?? []).flatMap((one) => allFrames(one)),
      ]
    : []

const tools = () => ({ ...replica.jobContext, logger })

const work = (own: { jobs: Job[]; mailer: ReturnType<typeof buildMailer> | null }) =>
  startWorker({
    databaseUrl: api.database.url('gatehouse_app'),
    tools: { ...tools(), mailer: own.mailer },
    jobs: own.jobs,
  })

/** A relay that rejects every address and quotes it in the response. */
async function startRelay() {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) =>
      done(Object.assign(new Error(`no mailbox ${address} of ${VALUES}`), { responseCode: 550 })),
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function raise(message = 'not there'): never {
  throw new Error(message)
}
