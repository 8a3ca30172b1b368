import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModel, np } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineBehaviour } from '#engine/behaviour.ts'
import { ADMIN, ALICE, BOB, startTest, type Person, type Test } from '../../../test/kit.ts'
import { send } from '../../../test/http-client.ts'

const ABSENT = '018f3b1c-0000-7000-8000-0000000000ff'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const LOG = Buffer.from('12:00 no answer from the switch\n')

const folders = defineModel({
  name: 'Folder',
  title: 'Folders',
  path: 'folders',
  displayField: 'text',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'user' },
  purge: 'user',
  rowScope: { account: 'owner' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    text: { type: 'text', label: 'Text', required: true, privacy: np },
    owner: { type: 'text', label: 'Owner', writableBy: 'admin', stamp: 'account', privacy: np },
    papers: { type: 'file', label: 'Papers', max: 3, privacy: np },
    pictures: { type: 'file', label: 'Picture', accept: ['image/*'], maxBytes: 1_000, privacy: np },
    drafts: { type: 'file', label: 'Drafts', visibleTo: 'admin', writableBy: 'admin', privacy: np },
  },
  actions: {
    move: {
      label: 'Move papers',
      access: 'user',
      fields: {
        to: { type: 'relation', label: 'To', to: 'folders', onDelete: 'unlink', privacy: np },
        enclosed: { type: 'file', label: 'Enclosed', max: 3, accept: ['image/*'], privacy: np },
      },
      done: 'Papers moved.',
    },
  },
})

/** Takes all papers out; into the other record if there is one, otherwise only what the caller enclosed goes into a new one. */
const folderBehaviour = defineBehaviour(folders, {
  actions: {
    move: async ({ record, input, records }) => {
      const { papers, owner } = record
      await records(folders).update(record.id, { papers: null })
      if (input.to) await records(folders).update(input.to, { papers })
      else await records(folders).create({ text: 'New', owner, papers: input.enclosed ?? null })
    },
  },
})

let t: Test
let filesFolder: string
beforeAll(async () => {
  filesFolder = await mkdtemp(join(tmpdir(), 'files-'))
  t = await startTest({ models: [...models, folders], behaviours: [folderBehaviour], filesFolder })
})
afterAll(async () => {
  await t.stop()
  await rm(filesFolder, { recursive: true })
})

async function upload(by: Person, body = LOG, name = 'switch.log') {
  const response = await send(`${t.base}/api/files`, {
    method: 'POST',
    headers: {
      ...(by ? { authorization: `Bearer ${await t.tokenOf(by)}` } : {}),
      'content-type': 'application/octet-stream',
      'content-length': String(body.length),
      'x-file-name': encodeURIComponent(name),
    },
    body,
  })
  return { status: response.status, json: JSON.parse(response.text) }
}

const staged = async (by: Person, body = LOG, name = 'switch.log') =>
  String((await upload(by, body, name)).json.id)

const create = (by: Person, body: object) =>
  t.call('POST', '/api/folders', by, { body: { text: 'Folder', ...body } })

const update = (id: unknown, by: Person, body: object) =>
  t.call('PUT', `/api/folders/${String(id)}`, by, { body })

const links = (id: unknown, by: Person) =>
  t.call('POST', `/api/folders/${String(id)}/file-links`, by)

const stageOf = async (id: string) => {
  const [row] = await t.database.sql('select stage from files where id = $1', [id])
  return row?.stage ?? null
}

const open = (url: string) => send(`${t.base}${url}`, { method: 'GET', headers: {} })

async function storedFiles() {
  const all = await readdir(filesFolder, { recursive: true, withFileTypes: true })
  return all.filter((one) => one.isFile()).map(({ name }) => name)
}

describe('uploading', () => {
  test('an upload is staged, with the type of its content and a clean name', async () => {
    const { status, json } = await upload(ALICE, PNG, '../../etc/pass\u202Ewd.exe')
    expect(status).toBe(201)
    expect(json).toMatchObject({ name: '_.._etc_passwd.exe', type: 'image/png', size: PNG.length })
    expect(await stageOf(json.id)).toBe('staged')
    expect(await storedFiles()).toContain(json.id)
  })

  test('only signed-in people upload', async () => {
    expect((await upload(null)).status).toBe(401)
  })

  test('a body that is not declared as bytes is refused', async () => {
    const answer = await t.call('POST', '/api/files', ALICE, { body: { nowhere: 1 } })
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported-media-type'])
  })

  test('a file above the limit is refused before it is read', async () => {
    const { status, json } = await upload(ALICE, Buffer.alloc(5_000_001))
    expect([status, json.code]).toEqual([413, 'too-large'])
  })

  test('nobody stages more than 2 GB', async () => {
    const carol = { ...ALICE, sub: 'sub-carol' }
    await staged(carol)
    await t.database.sql(
      `update files set size = 2000000000 where owner_ref = (select ref from subject_refs where sub = 'sub-carol')`,
    )
    expect((await upload(carol)).json.code).toBe('too-many-files')
  })
})

describe('forms', () => {
  const namesOf = (fields: { name: string }[]) => fields.map(({ name }) => name)
  const describedBy = async (of: Test) => {
    const form = await of.call('GET', '/api/folders/form-metadata', ALICE)
    const all = await of.call('GET', '/api/models', ALICE)
    const definition = all.json.find(({ path }: { path: string }) => path === 'folders')
    return { form: form.json.fields, definition }
  }

  test('a form says how large a file may be: the field’s limit, or that of the installation', async () => {
    const { form, definition } = await describedBy(t)
    const limits = new Map(
      form.map((one: { name: string; maxBytes: number }) => [one.name, one.maxBytes]),
    )
    expect([limits.get('papers'), limits.get('pictures')]).toEqual([5_000_000, 1_000])
    const [papers] = definition.viewData.fields.filter(
      ({ name }: { name: string }) => name === 'papers',
    )
    expect(papers).toMatchObject({ max: 3, maxBytes: 5_000_000 })
  })

  test('without storage no form, page or action has a file field, and records work as before', async () => {
    const without = await startTest({ models: [...models, folders], behaviours: [folderBehaviour] })
    const { form, definition } = await describedBy(without)
    expect(namesOf(form)).toEqual(['text'])
    expect(namesOf(definition.viewData.fields)).toEqual(['text', 'owner'])
    expect(namesOf(definition.actions[0].fields)).toEqual(['to'])
    const made = await without.call('POST', '/api/folders', ALICE, { body: { text: 'Folder' } })
    expect([made.status, made.json.papers]).toEqual([201, null])
    const links = await without.call('POST', `/api/folders/${made.json.id}/file-links`, ALICE)
    expect([links.status, links.json.code]).toEqual([404, 'no-file-storage'])
    await without.stop()
  })
})

describe('attaching', () => {
  test('a record names its files by ID; name, type, size and state are labels', async () => {
    const id = await staged(ALICE, PNG, 'rack.png')
    const { status, json } = await create(ALICE, { papers: [id] })
    expect(status).toBe(201)
    expect(json.papers).toEqual([id])
    const file = { id, name: 'rack.png', type: 'image/png', size: PNG.length, state: 'ready' }
    expect(json.labels.papers).toEqual([file])
    const list = await t.call('GET', '/api/folders?limit=1', ALICE)
    expect(list.json.items[0].labels.papers).toEqual([file])
    expect(await stageOf(id)).toBe('attached')
  })

  test('another person’s file, an attached one, one named twice and none get the same error at the field', async () => {
    const bobs = await staged(BOB)
    const taken = await staged(ALICE)
    await create(ALICE, { papers: [taken] })
    const own = await staged(ALICE)
    const answers = await Promise.all(
      [[bobs], [taken], [ABSENT], [own, own.toUpperCase()]].map((papers) =>
        create(ALICE, { papers }),
      ),
    )
    const errors = answers.map(({ status, json }) => [status, json.errors])
    const message = 'Papers: a file is no longer there. Remove it and choose it again.'
    expect(errors).toEqual(answers.map(() => [422, [{ field: 'papers', message }]]))
    expect(await stageOf(bobs)).toBe('staged')
    expect(await stageOf(own)).toBe('staged')
  })

  test('what a field accepts is judged by content and size', async () => {
    const renamed = await staged(ALICE, LOG, 'rack.png')
    const large = await staged(ALICE, Buffer.concat([PNG, Buffer.alloc(1_000)]), 'rack.png')
    const wrong = await create(ALICE, { pictures: [renamed] })
    expect(wrong.json.errors).toEqual([{ field: 'pictures', message: 'Picture can be: image/*.' }])
    expect((await create(ALICE, { pictures: [large] })).status).toBe(422)
    expect((await create(ALICE, { pictures: [await staged(ALICE, PNG)] })).status).toBe(201)
  })

  test('a file field holds as many files as it says, one by default', async () => {
    const papers = await Promise.all([1, 2, 3, 4].map(() => staged(ALICE)))
    expect((await create(ALICE, { papers })).status).toBe(422)
    expect((await create(ALICE, { papers: papers.slice(1) })).status).toBe(201)
    const pictures = [await staged(ALICE, PNG), await staged(ALICE, PNG)]
    expect((await create(ALICE, { pictures })).status).toBe(422)
  })

  test('of two records that name one file at once, one is refused', async () => {
    const id = await staged(ALICE)
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(ALICE, { papers: [id] })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 422, 422, 422,
    ])
  })
})

describe('actions', () => {
  const move = (id: unknown, body: object) =>
    t.call('POST', `/api/folders/${String(id)}/move`, ALICE, { body })

  test('the server moves a file from one record into another in one operation, and undo moves it back', async () => {
    const id = await staged(ALICE, PNG)
    const [from, to] = [await create(ALICE, { papers: [id] }), await create(ALICE, {})]
    const moved = await move(from.json.id, { to: to.json.id })
    expect([moved.status, moved.json.papers]).toEqual([200, null])
    const of = async (one: typeof to) =>
      (await t.call('GET', `/api/folders/${one.json.id}`, ALICE)).json.papers
    expect([await of(from), await of(to), await stageOf(id)]).toEqual([null, [id], 'attached'])
    const operation = moved.headers.get('operation-id')
    const undone = await t.call('POST', `/api/operations/${operation}/undo`, ALICE)
    expect(undone.status, undone.text).toBe(200)
    expect([await of(from), await of(to), await stageOf(id)]).toEqual([[id], null, 'attached'])
  })

  test('an action takes only the caller’s own uploads, not what it takes out of the record itself', async () => {
    const [paper, own, bobs] = [
      await staged(ALICE, PNG),
      await staged(ALICE, PNG),
      await staged(BOB, PNG),
    ]
    const made = await create(ALICE, { papers: [paper] })
    const message = 'Enclosed: a file is no longer there. Remove it and choose it again.'
    for (const id of [paper, bobs, ABSENT]) {
      const { status, json } = await move(made.json.id, { enclosed: [id] })
      expect([status, json.errors]).toEqual([422, [{ field: 'enclosed', message }]])
    }
    const wrong = await move(made.json.id, { enclosed: [await staged(ALICE)] })
    expect(wrong.json.errors).toEqual([{ field: 'enclosed', message: 'Enclosed can be: image/*.' }])
    expect([await stageOf(paper), await stageOf(own), await stageOf(bobs)]).toEqual([
      'attached',
      'staged',
      'staged',
    ])
    expect((await move(made.json.id, { enclosed: [own] })).status).toBe(200)
    expect([await stageOf(paper), await stageOf(own)]).toEqual(['removed', 'attached'])
  })
})

describe('taking out', () => {
  test('what leaves a list is removed; undo and the version before attach it again', async () => {
    const [first, second] = [await staged(ALICE), await staged(ALICE)]
    const made = await create(ALICE, { papers: [first, second] })
    const changed = await update(made.json.id, ALICE, { papers: [second] })
    expect(changed.status).toBe(200)
    expect(await stageOf(first)).toBe('removed')
    const undone = await t.call(
      'POST',
      `/api/operations/${changed.headers.get('operation-id')}/undo`,
      ALICE,
    )
    expect(undone.status).toBe(200)
    expect(await stageOf(first)).toBe('attached')
    await update(made.json.id, ALICE, { papers: [] })
    const restored = await t.call('POST', `/api/folders/${made.json.id}/restore`, ALICE, {
      body: { version: 1 },
    })
    expect(restored.json.papers).toEqual([first, second])
    expect([await stageOf(first), await stageOf(second)]).toEqual(['attached', 'attached'])
  })

  test('a removed file of one record can’t be named by another', async () => {
    const id = await staged(ALICE)
    const made = await create(ALICE, { papers: [id] })
    await update(made.json.id, ALICE, { papers: null })
    expect((await create(ALICE, { papers: [id] })).status).toBe(422)
  })

  test('the trash keeps files; a purge removes them', async () => {
    const id = await staged(ALICE)
    const made = await create(ALICE, { papers: [id] })
    await t.call('DELETE', `/api/folders/${made.json.id}`, ALICE)
    expect(await stageOf(id)).toBe('attached')
    const purged = await t.call('POST', `/api/folders/${made.json.id}/purge`, ALICE)
    expect(purged.status).toBe(204)
    expect(await stageOf(id)).toBe('removed')
  })

  test('the sweep deletes bytes, then rows, of what is attached to nothing; never an attached file', async () => {
    const [waiting, removed, recent, attached] = await Promise.all(
      [1, 2, 3, 4].map(() => staged(ALICE)),
    )
    const made = await create(ALICE, { papers: [removed, attached] })
    await update(made.json.id, ALICE, { papers: [attached] })
    await t.database.sql(
      `update files set changed_at = now() - interval '40 days' where id <> $1`,
      [recent],
    )
    await t.files?.sweep()
    const stages = await Promise.all(
      [waiting, removed, recent, attached].map((id) => stageOf(String(id))),
    )
    expect(stages).toEqual([null, null, 'staged', 'attached'])
    const left = await storedFiles()
    expect(left).not.toContain(waiting)
    expect(left).not.toContain(removed)
    expect(left).toContain(attached)
    // Its ID is still in the history: the label says that the file is gone.
    const undone = await update(made.json.id, ALICE, { papers: [attached, removed] })
    expect(undone.status).toBe(422)
  })
})

describe('opening', () => {
  test('a link opens the file for whoever has it, through nginx, with headers under which nothing runs', async () => {
    const id = await staged(ALICE, PNG, 'Räck "1".png')
    const made = await create(ALICE, { papers: [id] })
    const { json } = await links(made.json.id, ALICE)
    const answer = await open(json.items[0].url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-accel-redirect')).toMatch(new RegExp(`^/_files/../../${id}$`))
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-disposition')).toBe(
      `inline; filename="R_ck _1_.png"; filename*=UTF-8''R%C3%A4ck%20%221%22.png`,
    )
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('HTML, SVG and scripts are downloads of unknown bytes', async () => {
    const id = await staged(ALICE, Buffer.from('<svg onload="alert(1)"/>'), 'logo.svg')
    const made = await create(ALICE, { papers: [id] })
    const { json } = await links(made.json.id, ALICE)
    const answer = await open(json.items[0].url)
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/)
  })

  test('an altered, an expired and an unsigned link get the same 404 as a file that never was', async () => {
    const id = await staged(ALICE)
    const made = await create(ALICE, { papers: [id] })
    const url = String((await links(made.json.id, ALICE)).json.items[0].url)
    const altered = [
      url.replace(id, ABSENT),
      url.replace(/until=\d+/, 'until=9999999999'),
      url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      url.replace(/&signature=.*/, ''),
      `/api/files/${id}`,
      t.files?.links.urlOf({ id }, Date.now() - 61_000) ?? '',
    ]
    const answers = await Promise.all(altered.map((one) => open(one)))
    expect(answers.map(({ status }) => status)).toEqual(altered.map(() => 404))
    const codes = answers.map(({ text }) => JSON.parse(text).code)
    expect(new Set(codes)).toEqual(new Set(['record-not-found']))
  })

  test('links follow the record’s visibility, and the field’s', async () => {
    const [own, internal] = [await staged(ALICE), await staged(ADMIN)]
    const made = await create(ALICE, { papers: [own] })
    const changed = await update(made.json.id, ADMIN, { drafts: [internal] })
    expect(changed.status).toBe(200)
    expect((await links(made.json.id, BOB)).status).toBe(404)
    expect((await links(made.json.id, null)).status).toBe(401)
    const idsFor = async (by: Person) =>
      (await links(made.json.id, by)).json.items.map(({ id }: { id: string }) => id)
    expect(await idsFor(ALICE)).toEqual([own])
    expect((await idsFor(ADMIN)).toSorted()).toEqual([own, internal].toSorted())
    const read = await t.call('GET', `/api/folders/${made.json.id}`, ALICE)
    expect(read.json.labels).not.toHaveProperty('drafts')
  })

  test('a file that only an earlier version names opens for those who saw that version', async () => {
    const id = await staged(ALICE)
    const made = await create(ALICE, { papers: [id] })
    await update(made.json.id, ADMIN, { owner: BOB.sub })
    await update(made.json.id, BOB, { papers: [] })
    expect((await links(made.json.id, BOB)).json.items).toHaveLength(1)
    expect((await links(made.json.id, ALICE)).status).toBe(404)
  })

  test('a file that left the record before the caller saw it opens for staff only', async () => {
    const id = await staged(ALICE)
    const made = await create(ALICE, { papers: [id] })
    await update(made.json.id, ALICE, { papers: [] })
    await update(made.json.id, ADMIN, { owner: BOB.sub })
    await update(made.json.id, BOB, { text: 'Mine' })
    expect((await links(made.json.id, BOB)).json.items).toEqual([])
    expect((await links(made.json.id, ADMIN)).json.items).toHaveLength(1)
  })

  test('a file that left the record in the change that handed it over opens for staff only', async () => {
    const id = await staged(ALICE)
    const made = await create(ALICE, { papers: [id] })
    await update(made.json.id, ADMIN, { owner: BOB.sub, papers: [] })
    expect((await links(made.json.id, BOB)).json.items).toEqual([])
    expect((await links(made.json.id, ADMIN)).json.items).toHaveLength(1)
  })

  test('a file without a verdict and an infected one are in no answer, and their links open nothing', async () => {
    const id = await staged(ALICE)
    const made = await create(ALICE, { papers: [id] })
    const url = String((await links(made.json.id, ALICE)).json.items[0].url)
    for (const state of ['unchecked', 'infected']) {
      await t.database.sql('update files set verdict = $2 where id = $1', [id, state])
      expect((await links(made.json.id, ALICE)).json.items).toEqual([])
      expect((await open(url)).status).toBe(404)
      const read = await t.call('GET', `/api/folders/${made.json.id}`, ALICE)
      expect(read.json.labels.papers[0].state).toBe(state)
    }
  })
})
