import {
  defineModel,
  np,
  type Access,
  type Action,
  type Model,
  type Visitor,
} from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ADMIN,
  ALICE,
  ddlOf,
  startTest,
  TECHNICIAN,
  WITH_OWNERS,
  type Test,
} from '../../../test/kit.ts'

// Section 6 of the specification as a table: flags and allowed roles, independent of the implementation.
const SPECIFICATION = [
  {
    letter: 'm',
    flag: undefined,
    allowed: ['anonymous', 'user', 'admin', 'owner'],
    written: 'public',
  },
  { letter: 't', flag: true, allowed: ['admin', 'owner'], written: 'admin' },
  { letter: 'f', flag: false, allowed: ['user', 'admin', 'owner'], written: 'user' },
] as const satisfies {
  letter: string
  flag: boolean | undefined
  allowed: string[]
  written: Access
}[]
// Beyond the specification, which reads the flag as admin.
const OWNER_LINE = { letter: 'o', flag: true, allowed: ['owner'], written: 'owner' } as const
type Line = (typeof SPECIFICATION)[number] | typeof OWNER_LINE

const ACTIONS = ['list', 'get', 'create', 'update', 'delete'] as const
const ROLES = ['anonymous', 'user', 'admin', 'owner'] as const
type Role = (typeof ROLES)[number]
const VISITORS: Record<Role, Visitor> = {
  anonymous: null,
  user: ALICE,
  admin: TECHNICIAN,
  owner: ADMIN,
}

type Combination = { path: string; lines: Record<Action, Line>; model: Model }
const combinations = everyCombination()
const AT_ONCE = 24
let api: Test
beforeAll(async () => {
  const all = combinations.map(({ model }) => model)
  api = await startTest({
    models: [...models, ...all],
    ddl: await ddlOfCombinations(),
    settings: WITH_OWNERS,
  })
})
afterAll(() => api.stop())

test(
  '[PERM-02] [PERM-05] a missing flag means public, true admin only, any other value signed-in: 249 combinations, 4 roles, 5 actions',
  { timeout: 180_000 },
  async () => {
    const started = performance.now()
    const cells = combinations.flatMap((combination) =>
      ROLES.flatMap((role) => ACTIONS.map((action) => ({ combination, role, action }))),
    )
    const wrong: string[] = []
    await eachOf(cells, async ({ combination: { path, lines }, role, action }) => {
      const expected = isAllowed(lines[action], role) ? 'allowed' : refusalOf(role)
      const { status } = await attempt(path, role, action)
      const answered = status >= 200 && status < 300 ? 'allowed' : status
      if (answered !== expected)
        wrong.push(`${path} ${action} as ${role}: ${answered}, not ${expected}`)
    })
    expect(wrong).toEqual([])
    expect(cells).toHaveLength(4_980)

    // Rejected requests changed nothing; allowed ones wrote exactly one revision.
    const allowed = cells.filter(({ combination, role, action }) =>
      isAllowed(combination.lines[action], role),
    )
    const count = (action: Action) => allowed.filter((cell) => cell.action === action).length
    const events = await api.database.sql(
      `select action, count(*)::int as count from audit_events where entity <> 'accounts' group by action order by action`,
    )
    expect(events).toEqual([
      { action: 'create', count: count('create') },
      { action: 'delete', count: count('delete') },
      { action: 'update', count: count('update') },
    ])
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`permission matrix: ${cells.length} cells, ${wrong.length} wrong, ${seconds} s`)
  },
)

test('[PERM-05] [API-03] form metadata requires the right to create or update', async () => {
  const cells = combinations.flatMap((combination) => ROLES.map((role) => ({ combination, role })))
  const wrong: string[] = []
  await eachOf(cells, async ({ combination: { path, lines }, role }) => {
    const mayFill = isAllowed(lines.create, role) || isAllowed(lines.update, role)
    const expected = mayFill ? 200 : refusalOf(role)
    const { status, json } = await api.call('GET', `/api/${path}/form-metadata`, VISITORS[role])
    const names = status === 200 ? json.fields.map(({ name }: { name: string }) => name) : []
    if (status !== expected || names.join() !== (mayFill ? 'text' : ''))
      wrong.push(`${path} form as ${role}: ${status} ${names}, not ${expected}`)
  })
  expect(wrong).toEqual([])
  console.log(`form metadata: ${cells.length} cells, ${wrong.length} wrong`)
})

test.each(ROLES)(
  '[PERM-02] GET /api/models gives the %s all flags as specified, and fields only of models they may read',
  async (role) => {
    const { json } = await api.call('GET', '/api/models', VISITORS[role])
    const definitions = new Map<string, Definition>(
      (json as Definition[]).map((definition) => [definition.path, definition]),
    )
    for (const { path, lines } of combinations) {
      const flags = ACTIONS.filter((action) => lines[action].flag !== undefined)
      const definition = definitions.get(path)
      expect(definition?.authorise, path).toStrictEqual({
        ...Object.fromEntries(flags.map((action) => [action, lines[action].flag])),
        purge: true,
      })
      expect(definition?.owner, path).toStrictEqual([
        ...ACTIONS.filter((action) => lines[action].written === 'owner'),
        'purge',
      ])
      const mayRead = isAllowed(lines.list, role) || isAllowed(lines.get, role)
      const names = definition?.viewData.fields.map(({ name }) => name)
      expect(names, path).toEqual(mayRead ? ['text'] : [])
    }
  },
)

test('GET /api/models returns 304 for a matching ETag, and never across roles', async () => {
  const first = await api.call('GET', '/api/models', ALICE)
  const tag = first.headers.get('etag') ?? ''
  expect(tag).toMatch(/^"[\w-]{20,}"$/)
  expect(first.headers.get('vary')).toContain('authorization')
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const again = await api.call('GET', '/api/models', ALICE, {
      headers: { 'if-none-match': known },
    })
    expect([again.status, again.text.length, again.headers.get('etag')]).toEqual([304, 0, tag])
  }
  for (const other of [null, ADMIN]) {
    const theirs = await api.call('GET', '/api/models', other, {
      headers: { 'if-none-match': tag },
    })
    expect(theirs.status).toBe(200)
    expect(theirs.headers.get('etag')).not.toBe(tag)
  }
  const changed = await api.call('GET', '/api/models', ALICE, {
    headers: { 'if-none-match': '"x"' },
  })
  expect(changed.status).toBe(200)
})

test('[PERM-05] a caller who may change but not read a record gets no content back', async () => {
  const url = `/api/x-ttmmm/${idOf('admin', 'get')}`
  expect((await api.call('GET', url)).status).toBe(401)
  const changed = await api.call('PUT', url, null, { body: {} })
  expect([changed.status, changed.text]).toEqual([204, ''])
  const stale = await api.call('PUT', url, null, { body: {}, headers: { 'if-match': '"9"' } })
  expect([stale.status, stale.json.current]).toEqual([412, undefined])
  const seen = await api.call('PUT', url, ADMIN, { body: {} })
  expect(seen.json).toMatchObject({ text: 'get of admin', version: 1 })
})

test('[API-03] form metadata of a model without create returns 401 or 403, not 405', async () => {
  const statuses = ROLES.map(async (role) => {
    const { status } = await api.call('GET', '/api/accounts/form-metadata', VISITORS[role])
    return status
  })
  expect(await Promise.all(statuses)).toEqual([401, 403, 200, 200])
})

// privacy.md 11.4 to 11.12: list, get, create, update, delete; P public, U signed-in, A admin, O owner, - no role.
test.each([
  ['organisations', 'UUAAA'],
  ['contacts', 'UUAAA'],
  ['services', 'PPAAA'],
  ['contracts', 'UUAAA'],
  ['tickets', 'UUUAA'],
  ['assets', 'UUAAA'],
  ['incidents', 'UUAAA'],
  ['articles', 'PPAAA'],
  ['accounts', 'AA-A-'],
  ['privacyrequests', 'OO-O-'],
])('[PERM-05] %s allow exactly the documented roles: %s', async (path, letters) => {
  const allowed = {
    P: ROLES,
    U: ['user', 'admin', 'owner'],
    A: ['admin', 'owner'],
    O: ['owner'],
    '-': [],
  }
  for (const [place, action] of ACTIONS.entries())
    for (const role of ROLES) {
      const letter = letters[place] as keyof typeof allowed
      const { status } = await attempt(path, role, action, {})
      // Past the guard: a missing record, or an empty body.
      const passed = { list: 200, get: 404, create: 422, update: 404, delete: 404 }[action]
      const isPassed = (allowed[letter] as readonly Role[]).includes(role)
      const expected = isPassed ? passed : refusalOf(role)
      expect([action, role, status]).toEqual([action, role, letter === '-' ? 405 : expected])
    }
})

type Definition = {
  path: string
  authorise: object
  owner?: string[]
  viewData: { fields: { name: string }[] }
}

function everyCombination(): Combination[] {
  const combine = (left: number): Line[][] =>
    left === 0
      ? [[]]
      : combine(left - 1).flatMap((lines) => SPECIFICATION.map((line) => [...lines, line]))
  const [, admins] = SPECIFICATION
  const owners = [
    ACTIONS.map(() => OWNER_LINE),
    ...ACTIONS.map((_, place) => ACTIONS.map((__, at) => (at === place ? OWNER_LINE : admins))),
  ]
  return [...combine(ACTIONS.length), ...owners].map((chosen) => {
    const path = `x-${chosen.map(({ letter }) => letter).join('')}`
    const lines = Object.fromEntries(
      ACTIONS.map((action, place) => [action, chosen[place]]),
    ) as Record<Action, Line>
    const written = Object.fromEntries(
      ACTIONS.map((action) => [action, lines[action].written]),
    ) as Record<Action, Access>
    return { path, lines, model: modelOf(path, written) }
  })
}

function modelOf(path: string, access: Record<Action, Access>) {
  return defineModel({
    name: path,
    title: path,
    path,
    displayField: 'text',
    access,
    privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
    fields: { text: { type: 'text', label: 'Text', required: true, privacy: np } },
  })
}

async function ddlOfCombinations() {
  const [first, ...others] = combinations.map(({ path }) => path.replace('-', '_'))
  const copies = others.map((table) => `create table ${table} (like ${first} including all);`)
  const rows = [first, ...others].flatMap((table) =>
    ROLES.flatMap((role) =>
      (['get', 'update', 'delete'] as const).map(
        (action) =>
          `insert into ${table} (id, text) values ('${idOf(role, action)}', '${action} of ${role}');`,
      ),
    ),
  )
  const known = combinations.slice(0, 1).map(({ model }) => model)
  return [await ddlOf(models, [...models, ...known]), ...copies, ...rows].join('\n')
}

const idOf = (role: Role, action: Action) =>
  `00000000-0000-7000-8000-0000000000${ROLES.indexOf(role)}${ACTIONS.indexOf(action)}`

function attempt(path: string, role: Role, action: Action, body: object = { text: `by ${role}` }) {
  const visitor = VISITORS[role]
  const url = `/api/${path}`
  switch (action) {
    case 'list':
      return api.call('GET', url, visitor)
    case 'create':
      return api.call('POST', url, visitor, { body })
    case 'get':
      return api.call('GET', `${url}/${idOf(role, action)}`, visitor)
    case 'update':
      return api.call('PUT', `${url}/${idOf(role, action)}`, visitor, { body })
    case 'delete':
      return api.call('DELETE', `${url}/${idOf(role, action)}`, visitor)
  }
}

const isAllowed = ({ allowed }: Line, role: Role) => (allowed as readonly Role[]).includes(role)

const refusalOf = (role: Role) => (role === 'anonymous' ? 401 : 403)

async function eachOf<T>(all: T[], run: (one: T) => Promise<void>) {
  const rest = all.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of rest) await run(one)
    }),
  )
}
