import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Db } from '#platform/db.ts'
import { startPageWriter } from './page-writer.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pages-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const site = { timezone: 'Europe/Dublin', country: 'IE', currency: 'EUR' }
const pages = () => join(directory, 'pages')
const page = (name: string) => join(pages(), 'msp/services', name, 'index.html')

async function write(services: string[] | Error, bundle = join(directory, 'server.js')) {
  const logged: { msg: string; record?: string }[] = []
  const writer = startPageWriter({
    db: { query: async () => [] } as unknown as Db,
    site: site as never,
    get: async () => {
      if (services instanceof Error) throw services
      return services
    },
    bundle,
    directory: pages(),
    logger: pino({}, { write: (text) => void logged.push(JSON.parse(text)) }),
  })
  await writer.first
  writer.stop()
  return logged
}

function build() {
  mkdirSync(directory, { recursive: true })
  for (const name of ['assets.json', 'site.json']) writeFileSync(join(directory, name), '{}')
  const file = join(directory, 'server.js')
  writeFileSync(
    file,
    `export const render = async () => ({ renderCatalogue: async (get) =>
      (await get('services')).map((slug) => {
        const name = slug.replace('failed:', '')
        const file = { path: 'msp/services/' + name + '/index.html', record: 'id of ' + name }
        return slug === name ? { ...file, text: name } : { ...file, error: new Error('broken') }
      }) })`,
  )
  // A new mtime gives each test its own module URL, because the module loader caches.
  utimesSync(file, new Date(), new Date(Date.now() + Math.random() * 1e6))
}

describe('pages rendered from records', () => {
  test('each prerendered page is written as a file with compressed copies', async () => {
    build()
    await write(['backup', 'cloud'])
    expect(readFileSync(page('backup'), 'utf8')).toBe('backup')
    expect(existsSync(`${page('cloud')}.br`) && existsSync(`${page('cloud')}.gz`)).toBe(true)
  })

  test('the page of an unpublished service is deleted', async () => {
    build()
    await write(['backup', 'cloud'])
    await write(['cloud'])
    expect(existsSync(page('backup')) || existsSync(`${page('backup')}.br`)).toBe(false)
    expect(existsSync(page('cloud'))).toBe(true)
  })

  test('prerendered pages are kept if the records can’t be read', async () => {
    build()
    await write(['backup'])
    await write(new Error('no database'))
    expect(readFileSync(page('backup'), 'utf8')).toBe('backup')
  })

  test('a page that fails to render or write keeps its old copy and is logged; the others are written', async () => {
    build()
    await write(['backup', 'cloud'])
    const outside = join(directory, 'evil')
    const logged = await write(['failed:backup', 'x'.repeat(300), '../../../evil', 'cloud', 'last'])
    expect(existsSync(outside)).toBe(false)
    expect(readFileSync(page('backup'), 'utf8')).toBe('backup')
    expect([page('cloud'), page('last')].every((file) => existsSync(file))).toBe(true)
    expect(
      logged
        .filter(({ msg }) => msg === 'failed to write page; keeping the old copy')
        .map(({ record }) => record),
    ).toEqual(['id of backup', `id of ${'x'.repeat(300)}`, 'id of ../../../evil'])
  })

  test('the page writer writes nothing and does not fail without a built site', async () => {
    await write(['backup'], join(directory, 'absent.js'))
    expect(existsSync(pages())).toBe(false)
  })
})
