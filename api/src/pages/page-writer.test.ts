import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#platform/db.ts'
import { startPageWriter } from './page-writer.ts'

const BUILD = 'abcdef012345'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pages-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const site = { timezone: 'Europe/Dublin', country: 'IE', currency: 'EUR' }
const inBuild = (path: string) => join(directory, 'pages', BUILD, path)
const page = (name: string) => inBuild(`msp/services/${name}/index.html`)
const read = (path: string) => readFileSync(inBuild(path), 'utf8')

/** Renders the service names that the API returns; one that begins with `failed:` can't be rendered. */
const BUNDLE = `
export const render = async ({ config }) => ({
  renderFixed: async () => [
    { path: 'index.html', text: config.site.name },
    { path: 'spa.html', text: 'shell of ' + config.site.name },
  ],
  renderIndexes: async (get) => [{ path: 'sitemap.xml', text: String(await get('services')) }],
  listRecords: async (get) => (await get('services')).map((slug) => fileOf(slug).path),
  renderRecords: async function* (get) {
    for (const slug of await get('services'))
      yield slug.startsWith('failed:')
        ? { ...fileOf(slug), error: new Error('broken') }
        : { ...fileOf(slug), text: slug }
  },
  recordFolders: ['msp/services'],
})
const fileOf = (slug) => {
  const name = slug.replace('failed:', '')
  return { path: 'msp/services/' + name + '/index.html', record: 'id of ' + name }
}`

async function write(
  services: string[] | Error,
  { name = 'Gatehouse', build = BUILD, printed = {} as Record<string, string>, text = BUNDLE } = {},
) {
  const bundle = join(directory, 'server.js')
  writeFileSync(bundle, text)
  const logged: { msg: string; record?: string; err?: { at?: string[] } }[] = []
  const writer = startPageWriter({
    db: { query: async () => [] } as unknown as Db,
    site: site as never,
    records: Promise.resolve({
      get: async () => {
        if (services instanceof Error) throw services
        return services
      },
    }),
    build: { bundle, id: build, assets: { catalogue: 'en' } },
    input: { config: { site: { name, locale: 'en-IE' } } } as never,
    directory: join(directory, 'pages'),
    printed,
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
    expect(
      readdirSync(join(directory, 'pages', BUILD)).filter((name) => name.endsWith('.new')),
    ).toEqual([])
  })

  test('the build before is kept, older ones are removed, and other files are not touched', async () => {
    for (const build of ['111111111111', '222222222222', '333333333333']) await write([], { build })
    const old = new Date('2026-01-31')
    utimesSync(join(directory, 'pages/222222222222'), old, old)
    writeFileSync(join(directory, 'pages/printed'), '')
    // As if another replica removed it just now.
    symlinkSync('/nowhere', join(directory, 'pages/444444444444'))
    await write([])
    expect(readdirSync(join(directory, 'pages')).toSorted()).toEqual(
      ['333333333333', BUILD, 'printed'].toSorted(),
    )
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

describe('the process that renders', () => {
  test('a bundle that throws, ends the process or takes too much memory fails its run and is logged', async () => {
    for (const text of [
      'throw new Error("broken")',
      'process.exit(3)',
      'const all = []; for (;;) all.push(Array(1e6).fill({}))',
    ]) {
      const { isReady, logged } = await write(['backup'], { text })
      expect([isReady, logged.map(({ msg }) => msg)]).toEqual([
        false,
        ['failed to write pages; retrying'],
      ])
    }
    expect(await write(['backup'])).toMatchObject({ isReady: true })
  }, 30_000)

  test('it has none of the API’s environment', async () => {
    const text = BUNDLE.replace('config.site.name }', 'JSON.stringify(process.env) }')
    await write([], { text })
    expect(read('index.html')).toBe('{}')
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
    expect(existsSync(join(directory, 'pages/evil'))).toBe(false)
    expect(readFileSync(page('backup'), 'utf8')).toBe('backup')
    expect([page('cloud'), page('last')].every((file) => existsSync(file))).toBe(true)
    expect(
      logged
        .filter(({ msg }) => msg === 'failed to write page; keeping the old copy')
        .map(({ record }) => record),
    ).toEqual(['id of backup', `id of ${'x'.repeat(300)}`, 'id of ../../../evil'])
  })
})
