import { createHash, randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { models } from '@gatehouse/model/models'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkBucketRecipient } from '#platform/files/bucket-recipient.ts'
import { openStore } from '#platform/files/open-files.ts'
import type { Bucket } from '#platform/files/s3-store.ts'
import { idOf, keyOf, keysOf, previewKeyOf, type FileStore } from '#platform/files/store.ts'
import { newId } from '#platform/uuid.ts'
import {
  checkFiles,
  compare,
  differenceFindings,
  freeFinding,
} from '../../../../ops/doctor/files.ts'
import { readInstallation } from '../../../../ops/doctor/installation.ts'
import { startObjectStore, testedStores } from '../../../../ops/drills/kit/object-store.ts'
import { sendRequest, startFront } from '../../../../tools/site/nginx-test-server.ts'
import { freePort } from '../../../../tools/stack/settings.ts'
import { send } from '../../../test/http-client.ts'
import { boxes } from '../../../test/box-model.ts'
import { ADMIN, ALICE, CONFIG, startTest, type Test } from '../../../test/kit.ts'
import { loggerOf } from '../../../test/mail-worker.ts'
import { photo } from '../../../test/picture-fixtures.ts'
import { SIGNATURE, startScanner } from '../../../test/scanner-stub.ts'

/** The S3 server is built once: minutes. */
const BUILD_MS = 900_000
const SILENT = loggerOf(() => {})
const DAY_MS = 86_400_000
/** Of nginx's user on Debian. */
const NGINX_GROUP = 33

/** What the doctor fails with a scanner that is away. */
const WRONG = {
  disk: ['The virus scanner at 127.0.0.1'],
  bucket: [
    'FILES_BUCKET is set',
    'The virus scanner at 127.0.0.1',
    'The bucket of files keeps no versions',
  ],
}

async function pathsIn(folder: string) {
  const all = await readdir(folder, { recursive: true })
  return all.map((name) => join(folder, name))
}

/** As the installer makes it: what is created in there has nginx's group. */
async function handDownGroup(folder: string) {
  if (process.getuid?.() === 0) await chown(folder, 0, NGINX_GROUP)
  await chmod(folder, 0o2750)
}

describe.each(testedStores())('files in a %s', (kind) => {
  const closers: (() => unknown)[] = []
  let folder: string
  let bucket: Bucket | null = null
  /** Where the bytes are files of this machine. */
  let bytesFolder: string
  let store: FileStore
  let scanner: Awaited<ReturnType<typeof startScanner>>
  let t: Test

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'file-stores-'))
    closers.push(() => rm(folder, { recursive: true }))
    await handDownGroup(folder)
    bytesFolder = folder
    if (kind === 'bucket') {
      const directory = await mkdtemp(join(tmpdir(), 'file-bucket-'))
      const server = await startObjectStore({
        directory,
        address: '127.0.0.1',
        host: '127.0.0.1',
        port: await freePort(),
      })
      closers.push(() => rm(directory, { recursive: true }), server.stop)
      bucket = { endpoint: server.origin, bucket: server.bucket, ...server.credentials }
      bytesFolder = server.folder
    }
    store = await openStore(folder, bucket)
    scanner = await startScanner()
    closers.push(scanner.stop)
    t = await startTest({
      models: [...models, boxes],
      filesFolder: folder,
      ...(bucket ? { filesBucket: bucket } : {}),
      filesScanner: { host: scanner.host, port: scanner.port, maxBytes: 2_000_000 },
    })
    closers.push(t.stop)
  }, BUILD_MS)
  afterAll(async () => {
    await (await started)?.stop()
    for (const close of closers.toReversed()) await close()
  })

  async function upload(body: Buffer | string) {
    const bytes = Buffer.from(body)
    const response = await send(`${t.base}/api/files`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await t.tokenOf(ALICE)}`,
        'content-type': 'application/octet-stream',
        'content-length': String(bytes.length),
        'x-file-name': 'switch.log',
      },
      body: bytes,
    })
    return { status: response.status, json: JSON.parse(response.text) }
  }

  const attach = async (papers: string[]) => {
    const { status, json } = await t.call('POST', '/api/boxes', ALICE, {
      body: { text: 'Box', papers },
    })
    expect(status).toBe(201)
    return json
  }

  const attached = async (body: Buffer | string) => {
    const id = String((await upload(body)).json.id)
    await attach([id])
    return id
  }

  const rowOf = async (id: string) =>
    (await t.database.sql('select stage, verdict, checked_at from files where id = $1', [id]))[0]

  let started: ReturnType<typeof startFront> | null = null
  function front() {
    started ??= startFront({
      upstream: Number(new URL(t.base).port),
      files: bucket
        ? { FILES_BUCKET: `${bucket.endpoint}/${bucket.bucket}` }
        : { FILES_DIR: folder },
    })
    return started
  }

  async function listed(prefix?: string) {
    const found = []
    for await (const one of store.list(prefix)) found.push(one)
    return found
  }

  const keys = async (prefix?: string) => (await listed(prefix)).map(({ key }) => key)

  async function contentOf(id: string) {
    const path = join(folder, `copy-${id}`)
    await store.copyTo(keyOf(id), path)
    const bytes = await readFile(path)
    await rm(path)
    return bytes
  }

  async function plant(id: string, body: string, ageDays = 0) {
    const path = join(folder, `plant-${id}`)
    await writeFile(path, body)
    await store.put(keyOf(id), path)
    const at = new Date(Date.now() - ageDays * DAY_MS)
    await utimes(join(bytesFolder, keyOf(id)), at, at)
  }

  async function differences() {
    const client = new pg.Client({ connectionString: t.database.url('gatehouse_app') })
    await client.connect()
    try {
      return await compare(client, store)
    } finally {
      await client.end()
    }
  }

  test('what was uploaded is stored, listed in order, and deleted once', async () => {
    const bodies = Array.from({ length: 12 }, () => randomBytes(1_000))
    const ids: string[] = []
    for (const body of bodies) ids.push(await attached(body))
    const found = await keys()
    expect(found).toEqual(found.toSorted())
    expect(found.map(idOf)).toEqual(expect.arrayContaining(ids))
    for (const [index, id] of ids.entries())
      expect((await contentOf(id)).equals(bodies[index] ?? Buffer.alloc(0))).toBe(true)
    const [first = ''] = ids
    expect(await listed(keyOf(first))).toMatchObject([
      { key: keyOf(first), size: 1_000, changedAt: expect.any(Date) },
    ])
    expect(await keys('ff/ff/none')).toEqual([])
    const other = newId()
    await plant(other, 'x')
    await store.remove(keyOf(other))
    await store.remove(keyOf(other))
    expect(await keys(keyOf(other))).toEqual([])
  })

  test('a link opens the file through nginx, which alone may read it besides the API', async () => {
    const id = String((await upload('through nginx')).json.id)
    const { id: box } = await attach([id])
    const { json } = await t.call('POST', `/api/boxes/${String(box)}/file-links`, ALICE)
    const { status, text, headers } = await sendRequest((await front()).https, {
      path: json.items[0].url,
    })
    expect([status, text]).toEqual([200, 'through nginx'])
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename="switch.log"/),
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=60',
    })
    const modes = await Promise.all(
      (await pathsIn(folder)).map(async (one) => (await stat(one)).mode),
    )
    expect(modes.filter((mode) => (mode & 0o007) !== 0)).toEqual([])
  })

  test('the checksum in the row is that of the stored bytes', async () => {
    const id = await attached(randomBytes(50_000))
    const [row] = await t.database.sql('select sha256 from files where id = $1', [id])
    const digest = createHash('sha256')
      .update(await contentOf(id))
      .digest('hex')
    expect(row?.sha256).toBe(digest)
  })

  test('the doctor finds no difference between rows and bytes', async () => {
    await attached('all is well')
    expect(await differences()).toMatchObject({ lost: [], cut: [], stray: [] })
  })

  test('the doctor names bytes that are missing, bytes that were cut, and bytes without a row', async () => {
    const [lost, cut] = [await attached('lost'), await attached('cut short')]
    const [stray, deleted] = [newId(), await attached('its row is deleted')]
    await rm(join(bytesFolder, keyOf(lost)))
    await writeFile(join(bytesFolder, keyOf(cut)), 'cut')
    await plant(stray, 'nobody knows it')
    await t.database.sql('delete from files where id = $1', [deleted])
    const found = await differences()
    expect(found.lost).toEqual([lost])
    expect(found.cut).toEqual([cut])
    expect(found.stray.toSorted()).toEqual([keyOf(stray), keyOf(deleted)].toSorted())
    expect(differenceFindings(found)).toMatchObject([
      { level: 'failure', what: `The bytes of 1 file are missing: ${lost}` },
      { level: 'failure', what: `The bytes of 1 file have another length: ${cut}` },
      { level: 'warning', what: expect.stringContaining(keyOf(stray)) },
    ])
    await t.database.sql('delete from files where id = any($1)', [[lost, cut]])
    for (const id of [cut, stray, deleted]) await store.remove(keyOf(id))
  })

  /** An attached picture with its previews. */
  async function previewed() {
    const id = await attached(await photo())
    await t.files?.previews.make(id, SILENT)
    return id
  }

  test('previews are stored beside their file, and open through nginx', async () => {
    const id = await previewed()
    expect((await keys(keyOf(id))).toSorted()).toEqual(keysOf(id).toSorted())
    const url = t.files?.links.urlOf({ id, preview: 'small' }) ?? ''
    const { status, headers } = await sendRequest((await front()).https, { path: url })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': expect.stringMatching(/^inline;/),
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'x-content-type-options': 'nosniff',
    })
  })

  test('the doctor takes previews for no strays, however many, and misses none', async () => {
    const id = await previewed()
    expect(await differences()).toMatchObject({ lost: [], cut: [], stray: [] })
    await store.remove(previewKeyOf(id, 'small'))
    expect(await differences()).toMatchObject({ lost: [], cut: [], stray: [] })
    // More than it compares at once.
    const copies = Array.from({ length: bucket ? 0 : 1_100 }, (_one, n) => `${keyOf(id)}.${n}.webp`)
    for (const key of copies) await writeFile(join(bytesFolder, key), '')
    // The last of all keys.
    const lost = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
    await t.database.sql(
      `insert into files (id, name, type, size, stage, verdict) values ($1, 'lost', '', 1, 'staged', 'none')`,
      [lost],
    )
    expect(await differences()).toMatchObject({ lost: [lost], cut: [], stray: [] })
    await t.database.sql('delete from files where id = $1', [lost])
    for (const key of copies) await store.remove(key)
  })

  test('the sweep deletes previews with their file, before its row', async () => {
    const [swept, remaining] = [await previewed(), await previewed()]
    await t.database.sql(
      `update files set stage = 'removed', changed_at = now() - interval '400 days' where id = $1`,
      [swept],
    )
    await t.files?.sweep()
    expect(await keys(keyOf(swept))).toEqual([])
    expect(await rowOf(swept)).toBeUndefined()
    expect(await keys(keyOf(remaining))).toHaveLength(3)
  })

  test('previews without a row are deleted as bytes without a row are', async () => {
    const id = await previewed()
    await t.database.sql('delete from files where id = $1', [id])
    for (const key of keysOf(id)) await utimes(join(bytesFolder, key), new Date(0), new Date(0))
    await t.files?.sweepStrays()
    expect(await keys(keyOf(id))).toEqual([])
  })

  test('the sweep deletes bytes without a row once they are old enough, and nothing else', async () => {
    const [old, recent, known] = [newId(), newId(), await attached('stays')]
    await plant(old, 'old', 40)
    await plant(recent, 'recent')
    await utimes(join(bytesFolder, keyOf(known)), new Date(0), new Date(0))
    const foreign = join(bytesFolder, 'readme.txt')
    await writeFile(foreign, 'somebody else’s')
    await utimes(foreign, new Date(0), new Date(0))
    await t.files?.sweepStrays()
    const left = await keys()
    expect(left).not.toContain(keyOf(old))
    expect(left).toEqual(expect.arrayContaining([keyOf(recent), keyOf(known), 'readme.txt']))
    await rm(foreign)
    await store.remove(keyOf(recent))
  })

  test('a file without a verdict is not handed out, and is scanned again after a minute', async () => {
    scanner.setSilent(true)
    const clean = await uploadWithoutVerdict('no virus')
    const infected = await uploadWithoutVerdict(`a ${SIGNATURE}, found later`)
    scanner.setSilent(false)
    expect(await t.files?.recheck.due()).toEqual([])
    await t.database.sql(`update files set checked_at = now() - interval '2 minutes'`)
    const due = (await t.files?.recheck.due()) ?? []
    expect(due.toSorted()).toEqual([clean, infected].toSorted())
    for (const id of due) await t.files?.recheck.check(id)
    expect((await rowOf(clean))?.verdict).toBe('clean')
    expect((await rowOf(infected))?.verdict).toBe('infected')
    expect(await t.files?.recheck.due()).toEqual([])
  })

  /** As an upload while the scanner is away, which would take its 30 seconds here. */
  async function uploadWithoutVerdict(body: string) {
    scanner.setSilent(false)
    const id = newId()
    await plant(id, body)
    await t.database.sql(
      `insert into files (id, name, type, size, stage, verdict, checked_at, model, record_id)
       values ($1, 'late.txt', 'text/plain', $2, 'attached', 'unchecked', now(), 'boxes', $1)`,
      [id, body.length],
    )
    scanner.setSilent(true)
    return id
  }

  test('a scanner that is away leaves the file unchecked until the next minute', async () => {
    const id = await uploadWithoutVerdict('still waiting')
    scanner.setSilent(false)
    await t.database.sql(
      `update files set checked_at = now() - interval '2 minutes' where id = $1`,
      [id],
    )
    await store.remove(keyOf(id))
    await expect(t.files?.recheck.check(id)).rejects.toThrow(/ENOENT|NoSuchKey|does not exist/)
    expect((await rowOf(id))?.verdict).toBe('unchecked')
    expect(await t.files?.recheck.due()).not.toContain(id)
    await t.database.sql('delete from files where id = $1', [id])
  })

  test('an infected upload is refused and leaves nothing', async () => {
    const before = await keys()
    expect((await upload(`x ${SIGNATURE} x`)).json).toMatchObject({ code: 'file-refused' })
    expect(await keys()).toEqual(before)
  })

  test('system status and metrics say where files are, and what waits', async () => {
    const { json } = await t.call('GET', '/api/system', ADMIN)
    expect(json.files).toEqual({
      store: kind,
      freeShare: expect.any(Number),
      scanner: 'up',
      unchecked: 0,
      infected: 1,
      infectedIn: [{ model: 'boxes', id: expect.any(String) }],
    })
    const { body } = await t.metrics.inject('/metrics')
    expect(body).toMatch(/^gatehouse_files_infected 1$/m)
    expect(body).toMatch(/^gatehouse_files_unchecked 0$/m)
    expect(body).toMatch(/^gatehouse_files_scanner_up 1$/m)
    expect(body).toMatch(/^gatehouse_files_free_ratio 0\.\d+$/m)
  })

  test('the doctor names a store without versions, an open folder, and a scanner that is away', async () => {
    const check = (env: NodeJS.ProcessEnv) =>
      checkFiles(
        readInstallation({
          DATABASE_URL: t.database.url('gatehouse_app'),
          OIDC_ISSUER: 'https://id.test/realms/gatehouse',
          SIGNING_SECRET: 'signs-the-links-of-tests-only',
          NODE_ENV: 'production',
          FILES_DIR: folder,
          ...(bucket
            ? {
                FILES_BUCKET: `${bucket.endpoint}/${bucket.bucket}`,
                FILES_S3_KEY: bucket.accessKeyId,
                FILES_S3_SECRET: bucket.secretAccessKey,
              }
            : {}),
          ...env,
        }),
      )
    const wrong = (await check({ CLAMD_URL: 'tcp://127.0.0.1:1' })).flatMap((one) =>
      one.level === 'failure' ? [one.what] : [],
    )
    expect(wrong.map((what) => what.replace(/[,:].*/, ''))).toEqual(WRONG[kind])
    const levels = await check({ CLAMD_URL: `tcp://127.0.0.1:${scanner.port}` })
    expect(levels).toContainEqual({
      level: 'ok',
      what: expect.stringMatching(/^\d+ files have their rows and their bytes$/),
    })
    const unread = (await check({ FILES_S3_SECRET: 'another' })).filter(({ what }) =>
      what.startsWith("The bucket of files can't be read"),
    )
    expect(unread).toHaveLength(bucket ? 1 : 0)
    await chmod(folder, 0o755)
    expect(await check({})).toMatchObject([
      { level: 'failure', what: `Every user of this machine can read the files in ${folder}` },
      { level: 'ok' },
    ])
    await handDownGroup(folder)
    expect((await check({ FILES_DIR: join(folder, 'none') })).map(({ level }) => level)).toEqual([
      'failure',
    ])
  })
})

test('the doctor warns about a disk that is filling up and fails where uploads are refused', () => {
  expect(freeFinding('/files', 0.5).level).toBe('ok')
  expect(freeFinding('/files', 0.07).level).toBe('warning')
  expect(freeFinding('/files', 0.04).level).toBe('failure')
})

test('a bucket needs a recipient in the privacy notice, a folder needs none', () => {
  const bucket = {
    endpoint: 'https://s3.test',
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  }
  const [host] = CONFIG.recipients
  expect(checkBucketRecipient({ bucket: null }, CONFIG)).toBeNull()
  expect(checkBucketRecipient({ bucket }, CONFIG)).toMatch(/recipients in site.json .*"files"/)
  const named = host ? [...CONFIG.recipients, { ...host, id: 'files' }] : []
  expect(checkBucketRecipient({ bucket }, { recipients: named })).toBeNull()
})
