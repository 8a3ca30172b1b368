import { fieldsOf, hasFiles, isFile, isStored, type Model } from '@gatehouse/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  EARLIER,
  OTHERS,
  fileIdOf,
  idOf,
  LEAK_MODELS,
  CANARY,
  operationOf,
  OWN,
  ROLES,
  STAGED,
  toSql,
  WORLDS,
} from '../../../test/leak-fixtures.ts'
import { ADMIN, sqlOn, startTest, type Person, type Test } from '../../../test/kit.ts'

type Ask = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; url: string; body?: object; tag?: string }
type WorldName = keyof typeof WORLDS

const worlds = new Map<WorldName, Test>()
beforeAll(async () => {
  for (const [name, world] of Object.entries(WORLDS)) {
    // Never written to: the fixtures have rows of files, without bytes.
    const t = await startTest({ models: LEAK_MODELS, filesFolder: '/nonexistent' })
    await sqlOn(t.database.url('postgres'), toSql(world))
    worlds.set(name as WorldName, t)
  }
}, 120_000)
afterAll(async () => {
  for (const t of worlds.values()) await t.stop()
})

const HIDDEN_WORLDS = ['other hidden values', 'foreign records', 'another past'] as const

// Runs first, because later tests change the records.
test('histories differ for admins, and owners see only versions from their time', async () => {
  for (const model of LEAK_MODELS) {
    const url = `/api/${model.path}/${idOf(model.path, 'own0')}/history`
    const [plain, , , past] = await answersTo(ADMIN, { url })
    expect(past, model.path).not.toBe(plain)
    if (!model.rowScope) continue
    const t = worlds.get('another past')
    const { json } = (await t?.call('GET', url, ROLES['a member'])) ?? {}
    const versions = json.items?.map(({ version }: { version: number }) => version)
    expect(versions ?? null, model.path).toEqual(model.path === 'contracts' ? null : [3, 2])
  }
})

describe.each(Object.entries(ROLES))('%s', (_role, person) => {
  test.each(LEAK_MODELS.map((model) => [model.path, model] as const))(
    'reads of %s return the same, regardless of hidden fields and other users’ records',
    async (_path, model) => {
      expect(await differences(person, readings(model))).toEqual([])
    },
  )

  test.each(LEAK_MODELS.map((model) => [model.path, model] as const))(
    'writes to %s get the same responses, regardless of hidden fields and other users’ records',
    async (_path, model) => {
      expect(await differences(person, changes(model))).toEqual([])
    },
  )
})

test('the fixtures differ for an admin, so the comparison is meaningful', async () => {
  for (const model of LEAK_MODELS) {
    const url = `/api/${model.path}?limit=100`
    const [plain, , foreign] = await answersTo(ADMIN, { url })
    expect(foreign, model.path).not.toBe(plain)
    // `internal` decides visibility, so it is the same in all fixtures.
    const hidden = fieldsOf(model).filter(([, field]) => field.visibleTo === 'admin')
    if (hidden.every(([name]) => name === 'internal')) continue
    const [one, other] = await answersTo(ADMIN, {
      url: `/api/${model.path}/${idOf(model.path, 'own0')}`,
    })
    expect(other, model.path).not.toBe(one)
  }
})

test('members and managers see their own records, so the fixtures aren’t equal only because they are empty', async () => {
  const t = worlds.get('foreign records')
  const idsOf = async (person: Person, path: string) =>
    (await t?.call('GET', `/api/${path}?limit=100`, person))?.json.items
      .map((item: { id: string }) => item.id)
      .toSorted()
  for (const path of ['kitchensink', 'pins', 'tickets'])
    for (const person of [ROLES['a member'], ROLES['a manager']])
      expect(await idsOf(person, path), path).toContain(idOf(path, 'own1'))
})

test('links contain the files of the owner’s own versions, none of an earlier owner and none of hidden fields', async () => {
  const t = worlds.get('foreign records')
  const namedFor = async (person: Person, path: string, kind: 'own0' | 'foreign0' = 'own0') => {
    const url = `/api/${path}/${idOf(path, kind)}/file-links`
    const { status, json } = (await t?.call('POST', url, person)) ?? {}
    return status === 200 ? json.items.map(({ id }: { id: string }) => id) : status
  }
  const ids = (path: string, field: string, times: ('now' | 'earlier' | 'former')[]) =>
    times.map((time) => fileIdOf({ path, kind: 'own0', field, time }))
  const own = ids('tickets', 'attachments', ['now', 'earlier'])
  expect(await namedFor(ROLES['a member'], 'tickets')).toEqual(own)
  expect(await namedFor(ROLES['a member'], 'organisations')).toEqual([])
  expect(await namedFor(ROLES['a member'], 'tickets', 'foreign0')).toBe(404)
  const all = ids('organisations', 'documents', ['now', 'earlier', 'former'])
  expect(await namedFor(ADMIN, 'organisations')).toEqual(all)
})

test('previews have links where their files have, and nowhere else', async () => {
  const t = worlds.get('foreign records')
  const linksFor = async (kind: 'own0' | 'foreign0') => {
    const url = `/api/tickets/${idOf('tickets', kind)}/file-links`
    return (await t?.call('POST', url, ROLES['a member']))?.json
  }
  const { items } = await linksFor('own0')
  expect(items.length).toBeGreaterThan(0)
  const opens: [string, number][] = []
  for (const { id, url, previews } of items)
    for (const [preview, link] of Object.entries<string>(previews)) {
      const signature = new URL(link, 'http://test').searchParams.get('signature') ?? ''
      const other = preview === 'small' ? 'large' : 'small'
      for (const [address, status] of [
        [link, 200],
        // The signature of one opens no other, nor another file.
        [link.replace(preview, other), 404],
        [
          link.replace(id, fileIdOf({ path: 'tickets', kind: 'foreign0', field: 'attachments' })),
          404,
        ],
        [url.replace(/signature=.*/, `signature=${signature}`), 404],
      ] as const)
        opens.push([address, Number((await t?.call('GET', address, null))?.status) - status])
    }
  expect(opens.filter(([, difference]) => difference !== 0)).toEqual([])
  expect((await linksFor('foreign0')).items).toBeUndefined()
})

const VERSIONS = [1, 2, 3, 4]

function readings(model: Model): Ask[] {
  const { path } = model
  const url = `/api/${path}`
  const all = fieldsOf(model)
  const fields = all.filter(([, field]) => isStored(field))
  const computed = all.filter(([, field]) => !isStored(field))
  const filter = (name: string, operator: string, value: unknown) =>
    `filter=${encodeURIComponent(JSON.stringify({ all: [[name, operator, value]] }))}`
  const lists = [
    'limit=100',
    'limit=1',
    'total=exact&limit=1',
    ...fields.flatMap(([name, field]) =>
      field.sortable || field.visibleTo ? [`sort=${name}`, `sort=-${name}&limit=1`] : [],
    ),
    ...computed.flatMap(([name, { options = [] }]) =>
      options.map(({ value }) => `${filter(name, 'eq', value)}&total=exact`),
    ),
    ...['quartz', 'topaz', CANARY, EARLIER, 'ownword'].map((word) => `q=${word}&total=exact`),
    ...fields.flatMap(([name, field]) => [
      ...(field.to || field.visibleTo ? [filter(name, 'empty', true)] : []),
      ...(field.to ? [filter(name, 'eq', idOf(field.to, 'foreign0'))] : []),
      ...(['text', 'textarea', 'markdown'].includes(field.type)
        ? [filter(name, 'contains', 'topaz'), filter(name, 'contains', CANARY)]
        : []),
      ...(field.visibleTo && ['integer', 'decimal'].includes(field.type)
        ? [filter(name, 'gte', 5)]
        : []),
    ]),
  ]
  const orders = fields.filter(([, field]) => field.sortable).map(([name]) => `?sort=${name}`)
  return [
    ...lists.map((query) => ({ url: `${url}?${query}` })),
    ...['', '&total=exact', `&q=${CANARY}`].map((query) => ({ url: `${url}?trash=true${query}` })),
    { url: `${url}/form-metadata` },
    ...[...OWN, ...OTHERS].flatMap((kind) => {
      const one = `${url}/${idOf(path, kind)}`
      return ['', '?trash=true', '/history', '/about', '/neighbours', '/neighbours?trash=true']
        .concat(kind === 'own0' ? orders.map((order) => `/neighbours${order}`) : [])
        .map((rest) => ({ url: one + rest }))
    }),
    ...fileReadings(model),
  ]
}

/** Links to a record's files, and files without a link: as an ID, and with a link that nobody signed. */
function fileReadings(model: Model): Ask[] {
  if (!hasFiles(model)) return []
  const { path } = model
  return [...OWN, ...OTHERS].flatMap((kind): Ask[] => [
    { method: 'POST', url: `/api/${path}/${idOf(path, kind)}/file-links` },
    ...fileNames(model).flatMap((field) => {
      const url = `/api/files/${fileIdOf({ path, kind, field })}`
      const unsigned = `until=9999999999&signature=${'A'.repeat(43)}`
      return [
        { url },
        { url: `${url}?${unsigned}` },
        { url: `${url}?preview=small&${unsigned}` },
        { url: `${url}?preview=large&${unsigned}` },
      ]
    }),
  ])
}

const fileNames = (model: Model) =>
  fieldsOf(model)
    .filter(([, field]) => isFile(field))
    .map(([name]) => name)

/** All write requests, allowed or rejected. Own records end up unchanged except for their versions. */
function changes(model: Model): Ask[] {
  const { path, displayField } = model
  const url = (kind: (typeof OWN)[number] | (typeof OTHERS)[number]) =>
    `/api/${path}/${idOf(path, kind)}`
  const body = { [displayField]: 'Changed' }
  const post = (kind: Parameters<typeof url>[0], what: string, sent: object = {}): Ask => ({
    method: 'POST',
    url: `${url(kind)}/${what}`,
    body: sent,
  })
  const relations = fieldsOf(model).filter(([, field]) => field.to)
  return [
    ...OTHERS.flatMap((kind): Ask[] => [
      { method: 'PUT', url: url(kind), body },
      { method: 'PUT', url: url(kind), body, tag: '"1"' },
      { method: 'DELETE', url: url(kind) },
      post(kind, 'restore'),
      post(kind, 'restore', { version: 1 }),
      post(kind, 'purge'),
      ...VERSIONS.map((version): Ask => ({
        method: 'POST',
        url: `/api/operations/${operationOf(path, kind, version)}/undo`,
      })),
    ]),
    // 412 includes the current record.
    ...OWN.map((kind): Ask => ({ method: 'PUT', url: url(kind), body, tag: '"1"' })),
    { ...post('own2-trashed', 'restore'), tag: '"1"' },
    ...relations.flatMap(([name, field]): Ask[] => [
      { method: 'PUT', url: url('own0'), body: { [name]: idOf(field.to ?? '', 'foreign0') } },
      { method: 'PUT', url: url('own1'), body: { [name]: null } },
    ]),
    ...fileNames(model).flatMap((name): Ask[] =>
      [fileIdOf({ path, kind: 'foreign0', field: name }), STAGED].flatMap((id) => [
        { method: 'PUT', url: url('own0'), body: { [name]: [id] } },
        ...Object.keys(model.actions).map((action) =>
          post('own0', action, { body: 'Hello', [name]: [id] }),
        ),
      ]),
    ),
    ...[1, 2].flatMap((version) => [
      post('own0', 'restore', { version }),
      post('own1', 'restore', { version }),
      ...fieldsOf(model).map(([name]) => post('own1', 'restore', { version, fields: [name] })),
    ]),
    ...OWN.flatMap((kind) =>
      VERSIONS.map((version): Ask => ({
        method: 'POST',
        url: `/api/operations/${operationOf(path, kind, version)}/undo`,
      })),
    ),
    { method: 'DELETE', url: url('own1') },
    post('own2-trashed', 'restore'),
    post('own1', 'restore'),
    { method: 'DELETE', url: url('own2-trashed') },
    ...OWN.map((kind): Ask => ({ url: `${url(kind)}/history` })),
    ...OWN.map((kind): Ask => ({ url: `${url(kind)}/about` })),
    { url: `/api/${path}?limit=100` },
  ]
}

async function differences(person: Person, asks: Ask[]) {
  const found: string[] = []
  for (const ask of asks) {
    const [plain, ...others] = await answersTo(person, ask)
    for (const [place, other] of others.entries())
      if (other !== plain)
        found.push(
          `${ask.method ?? 'GET'} ${ask.url}, ${HIDDEN_WORLDS[place]}: ${other} is not ${plain}`,
        )
  }
  return found
}

const answersTo = (person: Person, ask: Ask) =>
  Promise.all([...worlds.values()].map((t) => answerIn(t, person, ask)))

async function answerIn(t: Test, person: Person, { method = 'GET', url, body, tag }: Ask) {
  const answer = await t.app.inject({
    method,
    url,
    headers: {
      ...(person ? { authorization: `Bearer ${await t.tokenOf(person)}` } : {}),
      ...(tag ? { 'if-match': tag } : {}),
    },
    ...(body ? { payload: body } : {}),
  })
  const headers = Object.entries(answer.headers).filter(([name]) => !VOLATILE_HEADERS.test(name))
  return JSON.stringify([answer.statusCode, headers, bare(answer.body)])
}

const VOLATILE_HEADERS = /^(date|x-request-id|operation-id)$/
const FIXED = '018f3b1c-0000-7000-'
const bare = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      id.startsWith(FIXED) ? id : 'an id',
    )
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (moment) =>
      moment.startsWith(String(new Date().getUTCFullYear())) && !moment.startsWith('2026-01-0')
        ? 'a moment'
        : moment,
    )
    .replaceAll(/until=\d+&signature=[\w-]+/g, '')
