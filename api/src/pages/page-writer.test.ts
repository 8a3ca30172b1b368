import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
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
const page = (name: string) => inBuild(`services/${name}/index.html`)
const read = (path: string) => readFileSync(inBuild(path), 'utf8')

/** Renders the service names that the API returns; one that begins with `failed:` can't be rendered, with `killed:` it ends the process, and with `503:` the API refuses to tell it. */
const BUNDLE = `

export const render = async ({ config }) => ({
  renderFixed: async () => [
    { path: 'index.html', text: config.site.name },
    { path: 'spa.html', text: 'shell of ' + config.site.name },
    { path: 'services/index.html', text: 'the index' },
  ],
  renderIndexes: async (get) => [{ path: 'sitemap.xml', text: String(await get('services')) }],
  listPages: async (get) =>
    (await get('services')).map((service) => {
      const name = service.replace(/^.*:/, '').replace(/@.*/, '')
      return { path: 'services/' + name + '/index.html', record: 'id of ' + name, stamp: service }
    }),
  renderPage: async ({ stamp }, get) => {
    if (stamp.startsWith('failed:')) throw new Error('broken')
    if (stamp.startsWith('killed:')) process.kill(process.pid, 'SIGKILL')
    if (/^\\d+:/.test(stamp)) await get(stamp.slice(0, 3))
    return stamp
  },
  recordFolders: ['services'],
})`

type Line = { msg: string; record?: string; rendered?: number; waiting?: number }

/** The first look of a replica. */
async function write(...args: Parameters<typeof start>) {
  const { writer, logged } = start(...args)
  let isReady = false
  void writer.ready.then(() => (isReady = true))
  await writer.first
  writer.stop()
  return { logged, isReady, rendered: logged.find(({ msg }) => msg === 'pages written')?.rendered }
}

function start(
  services: string[] | Error,
  { name = 'Gatehouse', build = BUILD, printed = {} as Record<string, string>, text = BUNDLE } = {},
) {
  const bundle = join(directory, 'server.js')
  writeFileSync(bundle, text)
  const logged: Line[] = []
  const writer = startPageWriter({
    db: { query: async () => [] } as unknown as Db,
    site: site as never,
    models: [],
    records: Promise.resolve({
      fetch: async (path) => {
        if (services instanceof Error) throw services
        if (path === 'services') return { status: 200, text: JSON.stringify(services) }
        return { status: Number(path), text: '' }
      },
    }),
    build: { bundle, id: build, assets: { catalogue: 'en' } },
    input: { config: { site: { name, locale: 'en-IE' } } } as never,
    directory: join(directory, 'pages'),
    printed,
    logger: pino({}, { write: (text) => void logged.push(JSON.parse(text)) }),
  })
  return { writer, logged }
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
      ['333333333333', BUILD, 'printed']
        .flatMap((name) => (name === 'printed' ? name : [name, `${name}.stamps.json`]))
        .toSorted(),
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

  test('the page of an unpublished service is deleted though the indexes can’t be rendered', async () => {
    await write(['backup', 'cloud'])
    const text = BUNDLE.replace(
      'renderIndexes: async (get) =>',
      'renderIndexes: async () => { throw new Error("broken") }, _: async (get) =>',
    )
    await write(['cloud'], { text })
    expect([existsSync(page('backup')), existsSync(page('cloud'))]).toEqual([false, true])
  })

  test('compressed copies of an unpublished service, left by a killed process, are deleted', async () => {
    await write(['backup', 'cloud'])
    rmSync(page('backup'))
    await write(['cloud'])
    expect(readdirSync(inBuild('services/backup'))).toEqual([])
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

describe('pages of records that did not change', () => {
  test('a restart renders only the pages whose stamp changed, besides the indexes', async () => {
    expect((await write(['backup', 'cloud'])).rendered).toBe(3)
    expect((await write(['backup', 'cloud'])).rendered).toBe(1)
    expect((await write(['backup', 'cloud@2', 'desk'])).rendered).toBe(3)
    expect(readFileSync(page('cloud'), 'utf8')).toBe('cloud@2')
  })

  test('another configuration or printed file renders every page', async () => {
    await write(['backup', 'cloud'])
    expect((await write(['backup', 'cloud'], { name: 'Northgate IT' })).rendered).toBe(3)
    const pdf = join(directory, 'notice')
    writeFileSync(pdf, '%PDF')
    const printed = { 'privacy-notice-2026-01-31.pdf': pdf }
    expect((await write(['backup', 'cloud'], { name: 'Northgate IT', printed })).rendered).toBe(3)
  })

  test('a page is rendered again if a file of it is missing or another replica replaced it', async () => {
    await write(['backup', 'cloud', 'desk'])
    rmSync(page('backup'))
    writeFileSync(`${page('cloud')}.new`, 'older')
    renameSync(`${page('cloud')}.new`, page('cloud'))
    rmSync(`${page('desk')}.br`)
    expect((await write(['backup', 'cloud', 'desk'])).rendered).toBe(4)
    expect([page('backup'), page('cloud')].map((file) => readFileSync(file, 'utf8'))).toEqual([
      'backup',
      'cloud',
    ])
    expect(existsSync(`${page('desk')}.br`)).toBe(true)
  })

  test('a damaged file of stamps renders every page', async () => {
    await write(['backup', 'cloud'])
    writeFileSync(`${join(directory, 'pages', BUILD)}.stamps.json`, '{"input":')
    expect((await write(['backup', 'cloud'])).rendered).toBe(3)
  })

  test('a page that failed is tried again though its record did not change', async () => {
    await write(['failed:backup', 'cloud'])
    const { logged } = await write(['failed:backup', 'cloud'])
    expect(logged.map(({ msg, record, rendered }) => record ?? rendered ?? msg)).toEqual([
      'id of backup',
      1,
    ])
  })

  test('a record that is gone fails its page only; an API that does not respond ends the run', async () => {
    const gone = await write(['404:backup', 'cloud'])
    expect([gone.rendered, gone.logged.length]).toEqual([2, 2])
    const { logged } = await write(['503:backup', 'desk', 'cloud@2'])
    expect(logged.map(({ msg }) => msg)).toEqual(['failed to write pages; retrying'])
    // Changed pages come before unwritten ones.
    expect(readFileSync(page('cloud'), 'utf8')).toBe('cloud@2')
    expect((await write(['desk', 'cloud@2'])).rendered).toBe(2)
  })
})

describe('a process that ends early', () => {
  const until = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

  test('a process whose time is up is followed by another at once', async () => {
    const text = `process.uptime = () => 16\n${BUNDLE}`
    const { writer, logged } = start(['backup', 'cloud', 'desk'], { text })
    await until(() => expect(logged.map(({ waiting }) => waiting)).toEqual([2, 1, 0]))
    writer.stop()
    expect(logged.map(({ rendered }) => rendered)).toEqual([2, 2, 2])
  })

  test('a page that kills its process comes last in the next one', async () => {
    const { writer } = start(['killed:backup', 'cloud', 'desk'])
    await until(() => expect(readFileSync(page('desk'), 'utf8')).toBe('desk'))
    writer.stop()
    expect(readFileSync(page('backup'), 'utf8')).toBe('shell of Gatehouse')
  }, 20_000)
})
