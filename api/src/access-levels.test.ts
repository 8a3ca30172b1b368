import { models } from '@gatehouse/model/models'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireDeclaredLevels, PUBLIC } from '#platform/http/access-level.ts'
import {
  ADMIN,
  ALICE,
  startTest,
  TECHNICIAN,
  WITH_OWNERS,
  type Person,
  type Test,
} from '../test/kit.ts'

const ID = '0190a5b0-0000-7000-8000-000000000000'
const LONG_AGO = { acr: 'mfa', auth_time: Math.floor(Date.now() / 1000) - 3_600 }

const CALLERS = {
  'an anonymous caller': null,
  'a client': ALICE,
  'a technician with a password alone': { ...TECHNICIAN, acr: 'session' },
  'a technician': { ...TECHNICIAN, ...LONG_AGO },
  'an owner with a password alone': { ...ADMIN, acr: 'session' },
  'an owner': { ...ADMIN, ...LONG_AGO },
  'an owner who has just confirmed': ADMIN,
} satisfies Record<string, Person>
type Caller = keyof typeof CALLERS

/** Expected response per level and caller; by default `served`, any response except 401 and 403. */
const ANSWERS = {
  public: {},
  user: { 'an anonymous caller': 'sign in' },
  admin: {
    'an anonymous caller': 'sign in',
    'a client': 'forbidden',
    'a technician with a password alone': 'acr_values="mfa"',
    'an owner with a password alone': 'acr_values="mfa"',
  },
  owner: {
    'an anonymous caller': 'sign in',
    'a client': 'forbidden',
    'a technician with a password alone': 'forbidden',
    'a technician': 'forbidden',
    'an owner with a password alone': 'acr_values="mfa"',
  },
  'owner, fresh': {
    'an anonymous caller': 'sign in',
    'a client': 'forbidden',
    'a technician with a password alone': 'forbidden',
    'a technician': 'forbidden',
    'an owner with a password alone': 'acr_values="fresh", max_age="600"',
    'an owner': 'acr_values="fresh", max_age="600"',
  },
} satisfies Record<string, Partial<Record<Caller, string>>>
type Level = keyof typeof ANSWERS

/** Every endpoint that belongs to no model. A new one fails the test until its level is added here. */
const FIXED: Record<string, Level> = {
  'GET /api/models': 'public',
  'GET /api/models/counts': 'public',
  'GET /api/models/search': 'public',
  'GET /api/privacy/notice': 'public',
  'POST /api/privacy/requests': 'public',
  'POST /api/privacy/choices': 'public',
  'GET /api/me': 'user',
  'GET /api/me/sessions': 'user',
  'POST /api/me/sessions/sign-out-others': 'user',
  'POST /api/me/sessions/{id}/sign-out': 'user',
  'GET /api/me/views': 'user',
  'PUT /api/me/views/{model}': 'user',
  'POST /api/files': 'user',
  'POST /api/operations/{id}/undo': 'user',
  'GET /api/people': 'owner',
  'POST /api/people': 'owner, fresh',
  'PUT /api/people/{id}': 'owner, fresh',
  'POST /api/people/{id}/sign-out': 'owner',
  'GET /api/security-events': 'owner',
  'GET /api/security-events/counts': 'owner',
  'GET /api/security-events/export': 'owner, fresh',
  'GET /api/changes': 'owner',
  'GET /api/changes/export': 'owner, fresh',
  'GET /api/system': 'admin',
  'GET /api/system/mails': 'admin',
  'POST /api/system/mails/{id}/retry': 'admin',
}

/** Per model: access to list, get, create, update and delete; history level; actions on a record. */
const MODELS: Record<string, [access: string, history: Level, actions: Record<string, Level>]> = {
  organisations: ['UUAAA', 'user', {}],
  contacts: ['UUAAA', 'user', {}],
  services: ['PPAAA', 'admin', {}],
  contracts: ['UUAAA', 'user', {}],
  tickets: ['UUUAA', 'user', { reply: 'user', note: 'admin', close: 'user', reopen: 'user' }],
  messages: ['UUUAA', 'user', {}],
  assets: ['UUAAA', 'user', {}],
  incidents: ['UUAAA', 'user', {}],
  articles: ['PPAAA', 'admin', {}],
  privacyrequests: ['OO-O-', 'owner', {}],
  accounts: [
    'AA-A-',
    'admin',
    { approve: 'admin', refuse: 'admin', forgetfactors: 'owner, fresh' },
  ],
}

/** Models with files; their links need what reading the record needs. */
const WITH_FILES = ['contracts', 'messages', 'organisations', 'tickets']

const LETTERS: Record<string, Level> = { P: 'public', U: 'user', A: 'admin', O: 'owner' }
const ORDER: Level[] = ['public', 'user', 'admin', 'owner']

function levelsOf(path: string): [string, Level][] {
  const [letters = '', history = 'owner', actions = {}] = MODELS[path] ?? []
  const [list, get, create, update, remove] = letters.split('').map((letter) => LETTERS[letter])
  const lower = (...levels: (Level | undefined)[]) => ORDER.find((level) => levels.includes(level))
  const all: [string, Level | undefined][] = [
    [`GET /api/${path}`, list],
    [`POST /api/${path}`, create],
    [`GET /api/${path}/form-metadata`, lower(create, update)],
    [`GET /api/${path}/{id}`, get],
    [`PUT /api/${path}/{id}`, update],
    [`DELETE /api/${path}/{id}`, remove],
    [`GET /api/${path}/{id}/history`, history],
    [`GET /api/${path}/{id}/about`, get],
    [`GET /api/${path}/{id}/neighbours`, list],
    [`POST /api/${path}/{id}/file-links`, WITH_FILES.includes(path) ? get : undefined],
    [`POST /api/${path}/{id}/restore`, lower(remove, update)],
    [`POST /api/${path}/{id}/purge`, remove && 'owner, fresh'],
    ...Object.entries(actions).map(([name, level]): [string, Level] => [
      `POST /api/${path}/{id}/${name}`,
      level,
    ]),
  ]
  return all.filter((one): one is [string, Level] => one[1] !== undefined)
}

const DECLARED = new Map([
  ...Object.entries(FIXED),
  ...Object.keys(MODELS).flatMap((path) => levelsOf(path)),
])

let api: Test
beforeAll(async () => {
  api = await startTest({ models, settings: WITH_OWNERS })
})
afterAll(() => api.stop())

type Operation = { 'x-access'?: string; 'x-step-up'?: string }
type Document = { paths: Record<string, Record<string, Operation>> }

async function documented(person: Person) {
  const { json } = await api.call('GET', '/api/openapi.json', person)
  return Object.entries((json as Document).paths).flatMap(([url, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${url.replace(/(\/views)\/\w+$/, '$1/{model}')}`,
        operation,
      ]),
  )
}

test('every API operation has a declared level that matches the OpenAPI document', async () => {
  const found = new Map(await documented(ADMIN))
  expect([...found.keys()].toSorted()).toEqual([...DECLARED.keys()].toSorted())
  const said = ({ 'x-access': access = 'public', 'x-step-up': stepUp }: Operation) =>
    [access, ...(stepUp ? [stepUp] : [])].join(', ')
  expect([...found].map(([name, operation]) => [name, said(operation)])).toEqual(
    [...found.keys()].map((name) => [name, DECLARED.get(name)]),
  )
})

test('each OpenAPI document has only the operations of its level', async () => {
  const reach = { public: null, user: ALICE, admin: TECHNICIAN } satisfies Record<string, Person>
  for (const [level, person] of Object.entries(reach)) {
    const names = [...new Map(await documented(person)).keys()]
    const wanted = [...DECLARED].filter(
      ([, needed]) =>
        ORDER.indexOf(needed) >= 0 && ORDER.indexOf(needed) <= ORDER.indexOf(level as Level),
    )
    expect(names.toSorted(), level).toEqual(wanted.map(([name]) => name).toSorted())
  }
})

test.each(Object.keys(CALLERS) as Caller[])(
  'every endpoint responds to %s according to its declared level',
  async (caller) => {
    const wrong: string[] = []
    for (const [name, level] of DECLARED) {
      const [method = '', url = ''] = name.split(' ')
      const address = url.replace('{id}', ID).replace('{model}', 'tickets')
      const { status, headers, json } = await api.call(
        method,
        address,
        CALLERS[caller],
        bodyFor(method),
      )
      const said = answerOf({ status, code: json?.code, asks: headers.get('www-authenticate') })
      const answers: Partial<Record<Caller, string>> = ANSWERS[level]
      const expected = answers[caller] ?? 'served'
      // An admin's change is invisible to an admin who signed in without a second factor.
      const isUndo = url.endsWith('/undo') && caller.endsWith('alone')
      const wanted = isUndo ? 'acr_values="mfa"' : expected
      if (said !== wanted) wrong.push(`${name}: ${said}, not ${wanted}`)
    }
    expect(wrong).toEqual([])
  },
)

/** Invalid for every endpoint that reads a body. */
const bodyFor = (method: string) =>
  method === 'GET' || method === 'DELETE' ? {} : { body: { nowhere: 1 } }

type Answer = { status: number; code: string | undefined; asks: string | null }

function answerOf({ status, code, asks }: Answer) {
  if (status === 403) return code
  if (status !== 401) return 'served'
  return code === 'insufficient_user_authentication'
    ? asks?.replace('Bearer error="insufficient_user_authentication", ', '')
    : 'sign in'
}

test('registering a route without a level throws', () => {
  const app = Fastify()
  requireDeclaredLevels(app)
  app.get('/declared', { config: { needs: PUBLIC } }, () => '')
  expect(() => app.get('/forgotten', () => '')).toThrow('route /forgotten declares no access level')
})
