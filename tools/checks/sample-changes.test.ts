import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cloneDatabase } from '../../api/test/kit.ts'
import { startRelay, type Relay } from '../../api/test/smtp-stub.ts'
import { startApi, type ApiProcess } from '../../ops/drills/kit/api-process.ts'
import { startKeyServer } from '../../ops/drills/kit/key-server.ts'
import { add, ADDITIONS, type AdditionName } from './sample-changes.ts'
import { copyWorkspace } from '../build/workspace.ts'

// Each addition must fit in one file of one module, plus at most one line of the model.
const SET_UP_TIMEOUT_MS = 240_000
const SOON = { timeout: 30_000, interval: 100 }
const ADMIN = { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' } as const
const NAMES = Object.keys(ADDITIONS) as AdditionName[]
const TSC = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname

let copy: string
let database: Awaited<ReturnType<typeof cloneDatabase>>
let keys: Awaited<ReturnType<typeof startKeyServer>>
let relay: Relay
let api: ApiProcess
/** `git diff --numstat` per addition. */
const written = new Map<AdditionName, string[]>()

beforeAll(async () => {
  copy = copyWorkspace()
  git('init', '--quiet')
  for (const name of NAMES) {
    commit()
    add(copy, ADDITIONS[name])
    written.set(name, git('diff', '--numstat').trim().split('\n'))
  }
  database = await cloneDatabase()
  keys = await startKeyServer()
  relay = await startRelay()
  api = await startApi({
    root: copy,
    env: { ...keys.env, DATABASE_URL: database.url('gatehouse_app'), SMTP_URL: relay.url },
  })
}, SET_UP_TIMEOUT_MS)

afterAll(async () => {
  await api?.stop()
  await relay?.down()
  keys?.stop()
  await database?.drop()
  rmSync(copy, { recursive: true, force: true })
})

test.each(NAMES)('%s changes one file in one module and at most one line of the model', (name) => {
  const files = written.get(name) ?? []
  const [inApi, inModel] = [files.filter(isIn('api/src/')), files.filter(isIn('model/src/models/'))]
  expect(inApi).toHaveLength(1)
  expect(inModel.map((line) => line.split('\t').slice(0, 2))).toEqual(
    inModel.length > 0 ? [['1', '0']] : [],
  )
  expect([...inApi, ...inModel].toSorted()).toEqual(files.toSorted())
})

test('the three sample additions compile', { timeout: SET_UP_TIMEOUT_MS }, () => {
  const settings = { extends: './tsconfig.json', include: ['api/src/server.ts'] }
  writeFileSync(join(copy, 'tsconfig.server.json'), JSON.stringify(settings))
  const { stdout } = spawnSync(TSC, ['-p', 'tsconfig.server.json'], { cwd: copy, encoding: 'utf8' })
  expect(stdout).toBe('')
})

test('closing an incident emails the client once', async () => {
  const organisation = await create('organisations', { name: 'Acme' })
  const reportedBy = await create('contacts', { fullName: 'Cleo', email: 'cleo@example.test' })
  const id = await create('incidents', {
    title: 'Stolen laptop',
    organisation,
    kind: 'Data loss',
    detectedAt: '2026-01-01T10:00:00Z',
    summary: 'It was encrypted.',
    reportedBy,
  })
  for (const status of ['Resolved', 'Closed', 'Closed'])
    expect((await call('PUT', `incidents/${id}`, { status })).status).toBe(200)
  await vi.waitFor(() => expect(relay.mails).toHaveLength(1), SOON)
  expect(relay.mails[0]).toMatch(/^To: cleo@example.test$/m)
  expect(relay.mails[0]).toMatch(/^Subject: Closed: Stolen laptop$/m)
})

test('an overlapping contract is rejected on create and on update', async () => {
  const organisation = await create('organisations', { name: 'Bolt' })
  const service = await create('services', {
    name: 'Care',
    slug: 'care',
    category: 'Advisory',
    summary: 'S',
    description: 'D',
  })
  const body = { organisation, service, startOn: '2030-01-01', endOn: '2030-12-31' }
  const id = await create('contracts', { ...body, reference: 'C-1' })
  const overlap = { ...body, reference: 'C-2', startOn: '2030-06-01', endOn: null }
  const refused = await call('POST', 'contracts', overlap)
  expect(refused.status).toBe(422)
  expect(refused.json.errors).toEqual([
    { field: 'startOn', message: 'Another contract covers this time.' },
  ])
  const next = await create('contracts', { ...overlap, startOn: '2031-01-01' })
  expect((await call('PUT', `contracts/${next}`, { startOn: '2030-12-31' })).status).toBe(422)
  expect((await call('PUT', `contracts/${id}`, { noticeDays: 30 })).status).toBe(200)
})

test('a ticket is escalated through the form that `about` offers, and one undo reverts all of it', async () => {
  const id = await create('tickets', {
    fullName: 'Cleo',
    email: 'cleo@example.test',
    subject: 'Down',
    message: 'Everything.',
  })
  const { json: about } = await call('GET', `tickets/${id}/about`)
  expect(JSON.stringify(about)).toContain('escalate')
  expect((await call('POST', `tickets/${id}/escalate`, {})).status).toBe(422)
  const done = await call('POST', `tickets/${id}/escalate`, { body: 'The board asks.' })
  expect([done.status, done.json.priority]).toEqual([200, 'Urgent'])
  const notes = await call('GET', 'messages')
  expect(notes.json.items).toMatchObject([{ internal: true }])
  const undone = await call('POST', `operations/${done.headers.get('operation-id')}/undo`)
  expect(undone.status, undone.text).toBe(200)
  expect((await call('GET', `tickets/${id}`)).json.priority).not.toBe('Urgent')
  expect((await call('GET', 'messages')).json.items).toEqual([])
})

const isIn = (folder: string) => (line: string) => line.includes(`\t${folder}`)

const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' })

function commit() {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.test']
  git('add', '--all')
  git(...who, 'commit', '--quiet', '-m', 'Copy')
}

async function create(path: string, body: object): Promise<string> {
  const { status, json, text } = await call('POST', path, body)
  expect(status, text).toBe(201)
  return json.id
}

async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${api.base}/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await keys.tokenOf(ADMIN)}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, json: text ? JSON.parse(text) : null }
}
