import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readingPaths } from '../build/model-paths.ts'
import { sendRequest, startFront, type Front } from './nginx-test-server.ts'

const ID = '018f5b2c-1111-7222-8333-0123456789ab'
const FILES = {
  'spa.html': 'app',
  '404.html': 'not found',
  'feed.xml': '<feed/>',
  'services/index.html': 'services',
  'services/backup/index.html': 'backup',
  'services/Old & new/index.html': 'old and new',
  'msp/services/index.html': 'msp services',
  'msp-services/index.html': 'msp-services',
}

async function startWith(over: Record<string, string>) {
  const front = await startFront({ over })
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(front.directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return front
}

let front: Front
let without: Front
beforeAll(async () => {
  front = await startWith({})
  without = await startWith({
    READING_PATHS: readingPaths(models.map((model) => ({ ...model, pages: null }))),
  })
})
afterAll(() => Promise.all([front, without].map(({ stop }) => stop())))

const visit = (path: string, of = front) => sendRequest(of.https, { path })
const shown = async (path: string, of = front) => {
  const { status, text } = await visit(path, of)
  return `${status} ${text}`
}

describe('addresses of reading pages', () => {
  test.each([
    ['/services', '200 services'],
    ['/services/', '200 services'],
    ['/services?q=cloud&sort=-name', '200 services'],
    ['/services/backup', '200 backup'],
    ['/services/backup/', '200 backup'],
    ['/services/backup?view=page', '200 backup'],
    ['/services/Old%20%26%20new', '200 old and new'],
    [`/services/${ID}`, '200 app'],
    [`/services/${ID.toUpperCase()}/`, '200 app'],
    ['/services/create', '200 app'],
    ['/services/nothing', '404 not found'],
    ['/services/nothing/', '404 not found'],
    ['/services/edit', '404 not found'],
    [`/services/edit/${ID}`, '200 app'],
    [`/services/delete/${ID}`, '200 app'],
    [`/services/${ID}/history`, '200 app'],
    [`/services/${ID}/nothing`, '404 not found'],
    ['/tickets/nothing', '200 app'],
    ['/msp/services', '200 msp services'],
    ['/msp/services/', '200 msp services'],
    ['/msp-services', '200 msp-services'],
    ['/msp/tickets/backup', '404 not found'],
  ])('%s is answered with %s', async (path, expected) => {
    expect(await shown(path)).toBe(expected)
  })

  test.each([
    ['/msp/services/backup', '/services/backup'],
    ['/msp/services/backup/', '/services/backup'],
    ['/msp/services/backup?a=b&c', '/services/backup?a=b&c'],
    ['/msp/services/Old%20%26%20new', '/services/Old%20%26%20new'],
    ['/msp/services/a%0d%0aSet-Cookie:%20b', '/services/a%0d%0aSet-Cookie:%20b'],
  ])('%s moved permanently to %s', async (path, target) => {
    const { status, headers } = await visit(path)
    expect([status, headers.location, headers['set-cookie']]).toEqual([301, target, undefined])
  })

  test('a site without reading pages has none of their addresses', async () => {
    expect(await shown('/services/nothing', without)).toBe('200 app')
    expect(await shown('/msp/services/backup', without)).toBe('404 not found')
  })
})

test('reading pages are revalidated and prefetch linked pages; app shells are not indexed', async () => {
  for (const path of ['/services', '/services/', '/services/backup', '/services/backup/']) {
    const { headers } = await visit(path)
    expect([
      headers['cache-control'],
      headers['speculation-rules'],
      headers['x-robots-tag'],
    ]).toEqual(['no-cache', '"/speculation-rules.json"', undefined])
  }
  const { headers } = await visit(`/services/${ID}`)
  expect([headers['speculation-rules'], headers['x-robots-tag']]).toEqual([undefined, 'noindex'])
})

test('the feed has the type of Atom', async () => {
  const { status, headers } = await visit('/feed.xml')
  expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml'])
})
