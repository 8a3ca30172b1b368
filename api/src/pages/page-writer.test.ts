import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#platform/db.ts'
import { startPageWriter } from './page-writer.ts'
import type { Get, Renderer } from './renderer.ts'

const BUILD = 'abcdef012345'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pages-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const site = { timezone: 'Europe/Dublin', country: 'IE', currency: 'EUR' }
const inBuild = (path: string) => join(directory, BUILD, path)
const page = (name: string) => inBuild(`msp/services/${name}/index.html`)
const read = (path: string) => readFileSync(inBuild(path), 'utf8')

/** Renders the service names that the API returns; one that begins with `failed:` can't be rendered. */
const renderer = (name = 'Gatehouse'): Renderer => ({
  renderFixed: async () => [
    { path: 'index.html', text: name },
    { path: 'spa.html', text: `shell of ${name}` },
  ],
  renderIndexes: async (get: Get) => [{ path: 'sitemap.xml', text: String(await get('services')) }],
  renderRecords: async function* (get: Get) {
    for (const slug of (await get('services')) as string[]) {
      const own = slug.replace('failed:', '')
      const file = { path: `msp/services/${own}/index.html`, record: `id of ${own}` }
      yield slug === own ? { ...file, text: own } : { ...file, error: new Error('broken') }
    }
  },
  listRecords: async (get: Get) =>
    ((await get('services')) as string[]).map(
      (slug) => `msp/services/${slug.replace('failed:', '')}/index.html`,
    ),
  recordFolders: ['msp/services'],
  renderInquiry: async () => '',
  renderPreview: async () => '',
})

async function write(
  services: string[] | Error,
  { name = 'Gatehouse', build = BUILD, printed = {} as Record<string, string> } = {},
) {
  const logged: { msg: string; record?: string }[] = []
  const writer = startPageWriter({
    db: { query: async () => [] } as unknown as Db,
    site: site as never,
    get: async () => {
      if (services instanceof Error) throw services
      return services
    },
    loadRenderer: async () => renderer(name),
    directory,
    build,
    printed,
    migrated: Promise.resolve(),
    logger: pino({}, { write: (text) => void logged.push(JSON.parse(text)) }),
  })
  let isReady = false
  void writer.ready.then(() => (isReady = true))
  await writer.first
  writer.stop()
  return { logged, isReady }
}

describe('public pages, written at start', () => {
  test('pages lie in the folder of their build, each with compressed copies', async () => {
    const { isReady } = await write(['backup', 'cloud'])
    expect(isReady).toBe(true)
    expect([read('index.html'), read('sitemap.xml')]).toEqual(['Gatehouse', 'backup,cloud'])
    expect(readFileSync(page('backup'), 'utf8')).toBe('backup')
    for (const file of [inBuild('index.html'), page('cloud')])
      expect(existsSync(`${file}.br`) && existsSync(`${file}.gz`)).toBe(true)
  })

  test('a changed configuration changes the pages at the next start', async () => {
    await write(['backup'])
    await write(['backup'], { name: 'Northgate IT' })
    expect([read('index.html'), read('spa.html')]).toEqual([
      'Northgate IT',
      'shell of Northgate IT',
    ])
  })

  test('a page with the same text keeps its date; a missing or older copy is written again', async () => {
    await write([])
    const before = new Date('2026-01-31')
    for (const name of ['index.html', 'spa.html']) utimesSync(inBuild(name), before, before)
    writeFileSync(`${inBuild('spa.html')}.br`, 'unfinished')
    await write([])
    expect(statSync(inBuild('index.html')).mtime).toEqual(before)
    expect(statSync(inBuild('spa.html')).mtime).not.toEqual(before)
    expect(readdirSync(join(directory, BUILD)).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  test('the build before is kept, older ones are removed, and other files are not touched', async () => {
    for (const build of ['111111111111', '222222222222', '333333333333']) await write([], { build })
    const old = new Date('2026-01-31')
    utimesSync(join(directory, '222222222222'), old, old)
    writeFileSync(join(directory, 'printed'), '')
    await write([])
    expect(readdirSync(directory).toSorted()).toEqual(['333333333333', BUILD, 'printed'].toSorted())
  })

  test('printed files are served with the pages', async () => {
    const pdf = join(directory, 'notice')
    writeFileSync(pdf, '%PDF')
    await write([], { printed: { 'privacy-notice-2026-01-31.pdf': pdf } })
    expect(read('privacy-notice-2026-01-31.pdf')).toBe('%PDF')
  })

  test('a replica is not ready without pages, but is with those of an earlier start', async () => {
    expect(await write(new Error('no database'))).toMatchObject({ isReady: false })
    await write(['backup'])
    const { isReady, logged } = await write(new Error('no database'), { name: 'Northgate IT' })
    expect([isReady, logged.map(({ msg }) => msg)]).toEqual([
      true,
      ['failed to write pages; retrying'],
    ])
    expect([read('index.html'), read('sitemap.xml')]).toEqual(['Northgate IT', 'backup'])
  })
})

describe('pages rendered from records', () => {
  test('the page of an unpublished service is deleted', async () => {
    await write(['backup', 'cloud'])
    await write(['cloud'])
    expect(existsSync(page('backup')) || existsSync(`${page('backup')}.br`)).toBe(false)
    expect(existsSync(page('cloud'))).toBe(true)
  })

  test('prerendered pages are kept if the records can’t be read', async () => {
    await write(['backup'])
    await write(new Error('no database'))
    expect(readFileSync(page('backup'), 'utf8')).toBe('backup')
  })

  test('until a record’s page is written, its address serves the app', async () => {
    await write(['failed:backup', 'cloud'])
    expect(readFileSync(page('backup'), 'utf8')).toBe('shell of Gatehouse')
    expect(readFileSync(`${page('backup')}.br`)).toEqual(readFileSync(inBuild('spa.html.br')))
    await write(['backup', 'cloud'])
    expect([readFileSync(page('backup'), 'utf8'), read('spa.html')]).toEqual([
      'backup',
      'shell of Gatehouse',
    ])
  })

  test('a page that fails to render or write keeps its old copy and is logged; the others are written', async () => {
    await write(['backup', 'cloud'])
    const { logged } = await write([
      'failed:backup',
      'x'.repeat(300),
      '../../../evil',
      'cloud',
      'last',
    ])
    expect(existsSync(join(directory, 'evil'))).toBe(false)
    expect(readFileSync(page('backup'), 'utf8')).toBe('backup')
    expect([page('cloud'), page('last')].every((file) => existsSync(file))).toBe(true)
    expect(
      logged
        .filter(({ msg }) => msg === 'failed to write page; keeping the old copy')
        .map(({ record }) => record),
    ).toEqual(['id of backup', `id of ${'x'.repeat(300)}`, 'id of ../../../evil'])
  })
})
