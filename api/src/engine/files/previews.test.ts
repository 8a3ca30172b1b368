import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { models } from '@gatehouse/model/models'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { makePreviews } from '#jobs/make-previews.ts'
import { startWorker } from '#jobs/worker.ts'
import { diskStore } from '#platform/files/disk-store.ts'
import { buildPreviews } from '#platform/files/make-previews.ts'
import { buildPreviewProcess, type PreviewLimits } from '#platform/files/preview-process.ts'
import { keyOf, previewKeyOf, type FileStore } from '#platform/files/store.ts'
import { captureStatements } from '../../../test/capture-statements.ts'
import { boxes } from '../../../test/box-model.ts'
import { ALICE, BOB, startTest, type Test } from '../../../test/kit.ts'
import { send } from '../../../test/http-client.ts'
import { loggerOf } from '../../../test/mail-worker.ts'
import { photo, picture } from '../../../test/picture-fixtures.ts'

const SOON = { timeout: 10_000, interval: 50 }

let t: Test
let folder: string
let store: FileStore
const closers: (() => unknown)[] = []
const logged: { words: string | undefined; facts: object }[] = []
const logger = loggerOf((facts, words) => logged.push({ facts, words }))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'previews-'))
  t = await startTest({ models: [...models, boxes], filesFolder: folder })
  store = diskStore(folder)
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  logged.splice(0)
  // What a test leaves due is no other’s.
  await t.database.sql(`update files set preview = 'failed' where preview is distinct from 'ready'`)
})
afterAll(async () => {
  await t.stop()
  await rm(folder, { recursive: true })
})

async function upload(body: Buffer | string, name = 'photo.jpg', person = ALICE) {
  const bytes = Buffer.from(body)
  const { text } = await send(`${t.base}/api/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await t.tokenOf(person)}`,
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'x-file-name': name,
    },
    body: bytes,
  })
  return String(JSON.parse(text).id)
}

const attach = async (papers: string[]) => {
  const { json } = await t.call('POST', '/api/boxes', ALICE, { body: { text: 'Box', papers } })
  return String(json.id)
}

type Link = { id: string; url: string; previews?: { small: string; large: string } }
const linksOf = async (box: string): Promise<Link[]> =>
  (await t.call('POST', `/api/boxes/${box}/file-links`, ALICE)).json.items

const open = (url: string) => send(`${t.base}${url}`, { method: 'GET', headers: {} })

const stateOf = async (id: string) =>
  (await t.database.sql('select preview from files where id = $1', [id]))[0]?.preview

async function keys() {
  const found: string[] = []
  for await (const { key } of store.list()) found.push(key)
  return found
}

const incoming = () => join(folder, 'incoming')

/** Makes previews as the job does, with a store or limits of its own. */
function previewsWith(own: { store?: FileStore; limits?: Partial<PreviewLimits> } = {}) {
  const process = buildPreviewProcess(own.limits)
  closers.push(process.stop)
  const parts = { db: t.db, store: own.store ?? store, incoming: incoming() }
  const previews = buildPreviews({ ...parts, process })
  return { ...previews, pid: process.pid, make: (id: string) => previews.make(id, logger) }
}

describe('making previews', () => {
  test('a picture has its previews soon after its upload, without waiting for a poll', async () => {
    const worker = startWorker({
      databaseUrl: t.database.url('gatehouse_app'),
      tools: { ...t.jobContext, logger },
      jobs: [makePreviews],
    })
    closers.push(() => worker.stop())
    await vi.waitFor(
      () => expect(logged.map(({ words }) => words)).toContain('worker started'),
      SOON,
    )
    await setTimeout(1_000)
    const id = await upload(await photo())
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('ready'), SOON)
    expect(await keys()).toEqual(
      expect.arrayContaining([keyOf(id), previewKeyOf(id, 'small'), previewKeyOf(id, 'large')]),
    )
    expect(await readdir(incoming())).toEqual([])
  })

  test('what is no picture by its content is never due, whatever its name', async () => {
    await upload('<svg xmlns="http://www.w3.org/2000/svg"/>', 'drawing.png')
    await upload('<!doctype html><script>1</script>', 'page.png')
    await upload(await picture('tiff'), 'scan.png')
    expect(await previewsWith().due()).toEqual([])
  })

  test('a file without a verdict and an infected one get no previews, and a clean one does', async () => {
    const id = await upload(await photo())
    const previews = previewsWith()
    for (const verdict of ['unchecked', 'infected']) {
      await t.database.sql('update files set verdict = $2 where id = $1', [id, verdict])
      expect(await previews.due()).toEqual([])
      await previews.make(id)
      expect(await stateOf(id)).toBeNull()
    }
    await t.database.sql(`update files set verdict = 'clean' where id = $1`, [id])
    expect(await previews.due()).toEqual([id])
  })

  test('a staged file that the sweep may soon claim gets no previews', async () => {
    const id = await upload(await photo())
    await t.database.sql(
      `update files set changed_at = now() - interval '13 hours' where id = $1`,
      [id],
    )
    expect(await previewsWith().due()).toEqual([])
    await attach([id])
    expect(await previewsWith().due()).toEqual([id])
  })

  test('a picture that can’t be read is tried once', async () => {
    const id = await upload((await photo()).subarray(0, 900))
    const previews = previewsWith()
    expect(await previews.due()).toEqual([id])
    await previews.make(id)
    expect(await stateOf(id)).toBe('failed')
    expect(await previews.due()).toEqual([])
    expect(logged.map(({ words }) => words)).toEqual(['failed to read picture; it gets no preview'])
  })

  test('a picture that ends its process halfway is tried twice, and then no more', async () => {
    const id = await upload(await photo())
    const other = await upload(await photo())
    const previews = previewsWith()
    for (const state of ['tried', 'failed']) {
      expect(await previews.due()).toContain(id)
      await t.database.sql(`update files set preview = null where id = $1`, [other])
      await previews.make(other)
      const pid = previews.pid() ?? 0
      // Otherwise it might be done before it is killed.
      process.kill(pid, 'SIGSTOP')
      const made = previews.make(id)
      await vi.waitFor(async () => expect(await readdir(incoming())).toContain(`${id}.picture`))
      process.kill(pid, 'SIGKILL')
      await made
      expect(await stateOf(id)).toBe(state)
    }
    expect(await previews.due()).toEqual([])
    await previews.make(id)
    expect(await stateOf(id)).toBe('failed')
  })

  test('a picture that failed once may still succeed', async () => {
    const id = await upload(await photo())
    await t.database.sql(`update files set preview = 'tried' where id = $1`, [id])
    await previewsWith().make(id)
    expect(await stateOf(id)).toBe('ready')
  })

  test('while the store fails a picture is as due as before', async () => {
    const id = await upload(await photo())
    const broken: FileStore = { ...store, put: () => Promise.reject(new Error('503')) }
    const previews = previewsWith({ store: broken })
    for (let n = 0; n < 3; n++) await expect(previews.make(id)).rejects.toThrow('503')
    expect(await stateOf(id)).toBeNull()
    expect(await previews.due()).toEqual([id])
    expect(await readdir(incoming())).toEqual([])
  })

  test('an account that uploads many pictures delays another account’s by one picture at most', async () => {
    const body = await photo()
    const [older, newer] = [await upload(body, 'a.jpg', BOB), await upload(body, 'b.jpg', BOB)]
    for (let n = 0; n < 12; n++) await upload(body)
    const due: string[] = await previewsWith().due()
    expect(due.indexOf(newer)).toBe(1)
    expect(due.indexOf(older)).toBe(3)
  })

  test('a picture without bytes holds up no other', async () => {
    const id = await upload(await photo())
    await store.remove(keyOf(id))
    const previews = previewsWith()
    await previews.make(id)
    expect(await previews.due()).toEqual([])
  })

  test('a worker killed between the previews leaves a file that is previewed again', async () => {
    const id = await upload(await photo())
    let isAlive = true
    const dying: FileStore = {
      ...store,
      async put(key, path) {
        await store.put(key, path)
        // Never comes back, as the worker.
        isAlive = false
        await new Promise(() => {})
      },
    }
    void previewsWith({ store: dying }).make(id)
    await vi.waitFor(() => expect(isAlive).toBe(false), SOON)
    expect(await stateOf(id)).toBe('tried')
    const previews = previewsWith()
    expect(await previews.due()).toEqual([id])
    await previews.make(id)
    expect(await stateOf(id)).toBe('ready')
    expect((await keys()).filter((key) => key.includes(id))).toHaveLength(3)
  })

  test('on a machine without the binary nothing is tried, and the log says so once', async () => {
    const ids = [await upload(await photo()), await upload(await photo())]
    const program = join(folder, 'without-binary.mjs')
    await writeFile(program, 'process.send({ unavailable: "no binary" })')
    closers.push(() => rm(program))
    const previews = previewsWith({ limits: { program: pathToFileURL(program) } })
    await Promise.all(ids.map((id) => previews.make(id)))
    for (const id of ids) expect(await stateOf(id)).toBeNull()
    expect(await previews.due()).toEqual([])
    expect(logged.map(({ words }) => words)).toEqual([
      'previews can’t be made on this machine; running without',
    ])
  })

  test('while the process can’t start in time, pictures are tried again after a minute', async () => {
    const id = await upload(await photo())
    const program = join(folder, 'never-ready.mjs')
    await writeFile(program, 'process.on("message", () => {})')
    closers.push(() => rm(program))
    const previews = previewsWith({ limits: { program: pathToFileURL(program), timeoutMs: 500 } })
    const now = vi.spyOn(Date, 'now')
    try {
      await previews.make(id)
      expect(await stateOf(id)).toBeNull()
      expect(await previews.due()).toEqual([])
      now.mockReturnValue(Date.now() + 61_000)
      expect(await previews.due()).toContain(id)
    } finally {
      now.mockRestore()
    }
    expect(logged.map(({ words }) => words)).toEqual([
      'process for previews did not start; retrying in a minute',
    ])
  })

  test('due pictures are found by their index', async () => {
    const { statements } = await captureStatements(() => previewsWith().due())
    const [{ text, values } = { text: '', values: [] }] = statements
    expect(statements).toHaveLength(1)
    const client = new pg.Client({ connectionString: t.database.url('gatehouse_app') })
    closers.push(() => client.end())
    await client.connect()
    // With the statistics of a few rows, PostgreSQL may sort them instead; only an index that lacks the order has to.
    await client.query('set enable_seqscan = off; set enable_sort = off')
    const { rows } = await client.query(`explain ${text}`, values)
    // Below the inner limit: the turns of accounts are sorted among those rows only.
    const found = rows
      .map((row) => row['QUERY PLAN'])
      .join('\n')
      .split('Limit')
      .at(-1)
    expect(found).toContain('files_preview_index')
    expect(found).not.toContain('Sort')
  })
})

describe('links to previews', () => {
  async function previewed() {
    const id = await upload(await photo(), 'office.jpg')
    const box = await attach([id])
    await previewsWith().make(id)
    const [link] = await linksOf(box)
    return { id, box, link: link as Required<Link> }
  }

  test('a picture has links to its previews beside its own, anything else has none', async () => {
    const { id, link } = await previewed()
    expect(link).toMatchObject({
      id,
      url: expect.stringMatching(/^\/api\/files\/[^?]+\?until=/),
      previews: { small: expect.any(String), large: expect.any(String) },
    })
    const other = await attach([await upload('12:00 no answer', 'switch.log')])
    expect(await linksOf(other)).toEqual([{ id: expect.any(String), url: expect.any(String) }])
  })

  test('a preview is sent as WebP, with the headers of a file', async () => {
    const { id, link } = await previewed()
    const answer = await open(link.previews.small)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-accel-redirect')).toBe(`/_files/${previewKeyOf(id, 'small')}`)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('content-disposition')).toMatch(/^inline; filename="office.jpg.webp"/)
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('private, max-age=60')
    const large = await open(link.previews.large)
    expect(large.headers.get('x-accel-redirect')).toBe(`/_files/${previewKeyOf(id, 'large')}`)
  })

  test('a link opens the file or the preview it was signed for, and nothing else', async () => {
    const { id, link } = await previewed()
    const { url, previews } = link
    const altered = [
      previews.small.replace('preview=small', 'preview=large'),
      previews.small.replace('preview=small&', ''),
      previews.small.replace('preview=small', 'preview=original'),
      previews.small.replace('preview=small', 'preview=small&preview=large'),
      previews.small.replace(/until=\d+/, 'until=9999999999'),
      url.replace('?', '?preview=small&'),
      t.files?.links.urlOf({ id, preview: 'small' }, Date.now() - 61_000) ?? '',
    ]
    const answers = await Promise.all(altered.map((one) => open(one)))
    const absent = await open(url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))
    for (const { status, text } of answers)
      expect([status, JSON.parse(text).code]).toEqual([404, JSON.parse(absent.text).code])
  })

  test('a file found to be infected hands out no preview, and a link to one opens nothing', async () => {
    const { id, box, link } = await previewed()
    for (const verdict of ['unchecked', 'infected']) {
      await t.database.sql('update files set verdict = $2 where id = $1', [id, verdict])
      expect(await linksOf(box)).toEqual([])
      expect((await open(link.previews.small)).status).toBe(404)
    }
  })

  test('a signed link to a preview that was never made opens nothing', async () => {
    const id = await upload(await photo())
    const url = t.files?.links.urlOf({ id, preview: 'small' }) ?? ''
    expect((await open(url)).status).toBe(404)
  })
})
