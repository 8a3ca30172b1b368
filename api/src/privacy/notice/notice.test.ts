import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  BASES,
  buildManifest,
  CATEGORIES,
  toManifestStores,
  NOTICE_SECTIONS,
  personal,
  POLICIES,
  PURPOSES,
  STORAGE,
  type Manifest,
  type Notice,
  type NoticeBlock,
  type NoticeSectionId,
} from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONFIG, startTest, type Test } from '../../../test/kit.ts'
import { JOBS } from '#jobs/index.ts'
import { declaredStores, tableStores } from '../../schema.ts'
import { EXTERNAL_STORES } from '../../external-stores.ts'
import { PRODUCT_TABLES } from '../../product.ts'
import { addVersion, releaseDraft, rewriteDraft } from './write-version.ts'
import { todayIn } from '#platform/site-config.ts'
import { openNotice } from './start-up-check.ts'
import { buildNotice } from './notice.ts'
import { findDrift, hashOfManifest, newestOf, readVersions, VERSIONS_FOLDER } from './versions.ts'

const stores = declaredStores(PRODUCT_TABLES)
const now = buildManifest({ models, config: CONFIG, stores })
const versions = readVersions()
const notice = buildNotice(newestOf(versions), versions, CONFIG)
const folders: string[] = []

let api: Test
beforeAll(async () => {
  api = await startTest()
})
afterAll(async () => {
  await api.stop()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

test('the newest version of the notice matches the program', () => {
  expect(findDrift(versions, now)).toEqual([])
})

test('[PRIV-01] the notice has the twelve sections in order, none empty', () => {
  expect(notice.sections.map(({ title }) => title)).toEqual([
    'Introduction',
    'Data We Collect',
    'How We Use Data',
    'Legal Basis',
    'Data Sharing',
    'International Transfers',
    'Data Security',
    'Data Retention',
    'Your Rights',
    'Cookies',
    'Changes to Notice',
    'Contact Us',
  ])
  expect(notice.sections.map(({ id }) => id)).toEqual(Object.keys(NOTICE_SECTIONS))
  for (const { blocks } of notice.sections) expect(blocks.length).toBeGreaterThan(0)
})

test('[PRIV-05] the notice contains the promises verbatim', () => {
  const [promised, swept] = blocksIn(notice, 'data-retention').filter(
    ({ kind }) => kind === 'table',
  )
  expect(promised).toMatchObject({ caption: 'How long we keep it' })
  expect(swept).toMatchObject({ caption: 'What the system deletes by itself' })
  expect(promised && 'rows' in promised ? promised.rows : []).toEqual([
    ['Customer data', '7 years after contract end'],
    ['Prospect data', '2 years after last contact'],
    ['Technical logs', '12 months'],
    ['Marketing consents', 'until withdrawn'],
    ['Messages on their way, and counts that limit abuse', 'at most 7 days'],
    ['Messages that could not be delivered', '7 days after delivery has failed'],
  ])
  expect(wordsIn(notice, 'your-rights')).toContain('within 30 days')
  expect(notice).toMatchObject({ version: '1.0', lastUpdated: '2025-06-15' })
  expect(wordsIn(notice, 'introduction')).toContain('June 15, 2025')
})

test('[PRIV-05] while no job enforces retention and erasure, the notice says that staff do', () => {
  const says = (id: NoticeSectionId) => /\bour staff\b[^.]*\bby hand\b/i.test(wordsIn(notice, id))
  const hasJob = (pattern: RegExp) => JOBS.some(({ name }) => pattern.test(name))
  expect(says('data-retention')).toBe(!hasJob(/retention/))
  expect(says('your-rights')).toBe(!hasJob(/erasure/))
  const everything = notice.sections.map(({ id }) => wordsIn(notice, id)).join(' ')
  // Not yet true: not every table and log is declared.
  expect(everything).not.toMatch(/automatically|does not start|won.t start|refuses to start/i)
})

test('the notice lists every personal field, used purpose, recipient and storage key in its table', () => {
  const collected = wordsIn(notice, 'data-we-collect')
  for (const { label } of Object.values(now.fields).filter((field) => field.personal))
    expect(collected).toContain(label)
  for (const store of Object.values(now.stores).filter((one) => one.personal)) {
    expect(collected).toContain(store.label)
    for (const id of store.purposes)
      expect(wordsIn(notice, 'legal-basis')).toContain(now.purposes[id]?.label)
  }
  for (const { name } of CONFIG.recipients) expect(wordsIn(notice, 'data-sharing')).toContain(name)
  for (const { key } of Object.values(now.storage))
    expect(rowsIn(notice, 'cookies').map(([first]) => first)).toContain(key)
})

test('the notice names safeguards of recipients abroad, or says "None."', () => {
  expect(wordsIn(notice, 'international-transfers')).toMatch(/^None\./)
  const abroad = { ...CONFIG.recipients[0], country: 'US', safeguard: 'Standard clauses' }
  const manifest = buildManifest({
    models,
    stores,
    config: { ...CONFIG, recipients: [abroad] as typeof CONFIG.recipients },
  })
  const changed = buildNotice({ ...newestOf(versions), manifest }, versions, CONFIG)
  expect(rowsIn(changed, 'international-transfers')).toEqual([
    [abroad.name, 'United States', 'Standard clauses'],
  ])
})

test('the notice is built from its version, not from the current program', () => {
  const version = newestOf(versions)
  const manifest = structuredClone(version.manifest)
  manifest.categories['identity'] = 'A category of yesterday'
  const old = buildNotice({ ...version, manifest }, versions, CONFIG)
  expect(wordsIn(old, 'data-we-collect')).toContain('A category of yesterday')
})

test('any edit of an annotation, a retention period, a recipient, a store or a log is reported as drift', () => {
  // Not in the notice without its setting.
  const { consentKept: _kept, ...storage } = STORAGE
  const sources = {
    models: models.map(({ path, privacy, fields }) => ({
      path,
      privacy,
      fields: mapValues(fields, (field) => field.privacy),
    })),
    recipients: CONFIG.recipients,
    vocabulary: {
      categories: CATEGORIES,
      purposes: PURPOSES,
      bases: BASES,
      policies: POLICIES,
      storage,
    },
    // Whether a table is append-only is a database privilege, not a promise of the notice.
    tables: mapValues(tableStores(PRODUCT_TABLES), ({ holds, by, erase, expires }) => ({
      holds,
      by,
      erase,
      term: expires?.says ?? expires?.term ?? null,
    })),
    elsewhere: EXTERNAL_STORES,
  }
  const places = leavesOf(sources)
  expect(places.length).toBeGreaterThan(400)
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.string(), (place, value) => {
      const edited = structuredClone(sources)
      change(edited, place, value)
      const manifest = buildManifest({
        models: models.map((model, at) => ({
          ...model,
          path: edited.models[at]?.path ?? '',
          privacy: edited.models[at]?.privacy ?? model.privacy,
          fields: mapValues(model.fields, (field, name) => ({
            ...field,
            privacy: edited.models[at]?.fields[name] ?? field.privacy,
          })),
        })),
        config: { ...CONFIG, recipients: edited.recipients },
        vocabulary: edited.vocabulary,
        stores: toManifestStores(
          mapValues(edited.tables, ({ term, ...store }) => ({
            ...store,
            expires: term === null ? null : { term },
          })),
          edited.elsewhere,
        ),
      })
      expect(findDrift(versions, manifest), place.join('.')).not.toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('any edit of the manifest changes its hash and is reported as drift', () => {
  const places = Object.entries(now).flatMap(([group, entries]) =>
    Object.keys(entries).map((id) => [group as keyof Manifest, id] as const),
  )
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.string(), ([group, id], value) => {
      const edited = structuredClone(now)
      ;(edited[group] as Record<string, unknown>)[id] = { edited: value }
      expect(hashOfManifest(edited)).not.toBe(hashOfManifest(now))
      expect(findDrift(versions, edited).length).toBeGreaterThan(0)
    }),
    { numRuns: 300 },
  )
})

test('an unreleased version of the notice is regenerated with its date; a released one isn’t', () => {
  const folder = copyVersions()
  const manifest = withMobile()
  expect(findDrift(readVersions(folder), manifest)).toEqual([
    '+ contacts.mobile — Contact details — delivery (contract) — the later of the two',
  ])
  expect(rewriteDraft({ manifest, folder })).toMatchObject({
    version: '1.0',
    lastUpdated: '2025-06-15',
  })
  expect(findDrift(readVersions(folder), manifest)).toEqual([])
  edit(folder, '1.0', (text) => text.replace('"released": false', '"released": true'))
  expect(() => rewriteDraft({ manifest: now, folder })).toThrow('is released and can’t be changed')
})

test('a new version of the notice needs a summary and a date between the last version and today', () => {
  const folder = copyVersions()
  const manifest = withMobile()
  const add = (date: string, summary = 'We keep mobile numbers') =>
    addVersion({ manifest, folder, date, summary, today: '2026-11-15' })
  expect(() => add('2025-06-14')).toThrow('must not be before 2025-06-15')
  expect(() => add('2026-11-16')).toThrow('must not be in the future')
  expect(() => add('2026-02-30')).toThrow('must be a date')
  expect(() => add('2026-11-15', ' ')).toThrow('must say what changed')
  expect(add('2026-11-15')).toMatchObject({ version: '1.1', released: true })
  expect(() => add('2026-11-15')).toThrow('Nothing has changed')

  const both = readVersions(folder)
  const changes = buildNotice(newestOf(both), both, CONFIG)
  expect(wordsIn(changes, 'changes-to-notice')).toMatch(
    /Version 1\.1, November 15, 2026: We keep mobile numbers\..*contacts\.mobile.*Version 1\.0, June 15, 2025/,
  )
  expect(wordsIn(changes, 'data-we-collect')).toContain('Mobile')

  edit(folder, '1.0', (text) => text.replace('First published version', 'Rewritten'))
  expect(() => readVersions(folder)).toThrow('1.1.json does not follow from the previous version')
})

test('a draft of the notice is released with its date, once, as the program is then', () => {
  const folder = copyVersions()
  const manifest = withMobile()
  const release = (date: string) => releaseDraft({ manifest, folder, date, today: '2026-11-15' })
  expect(() => release('2026-11-16')).toThrow('must not be in the future')
  expect(readVersions(folder).at(-1)?.released).toBe(false)
  expect(release('2026-11-15')).toMatchObject({
    version: '1.0',
    lastUpdated: '2026-11-15',
    released: true,
  })
  expect(findDrift(readVersions(folder), manifest)).toEqual([])
  expect(() => release('2026-11-15')).toThrow('is released and can’t be changed')
})

test('a version of the notice whose manifest was edited by hand is rejected', () => {
  const folder = copyVersions()
  edit(folder, '1.0', (text) => text.replace('"personal": true', '"personal": false'))
  expect(() => readVersions(folder)).toThrow('1.0.json was edited')
})

describe('at start', () => {
  const logged: string[] = []
  const log = (kind: string) => (_facts: unknown, message?: string) =>
    void logged.push(`${kind} ${message}`)
  const start = (
    folder: URL,
    {
      some = models,
      isProduction = true,
      noticeDrift = 'refuse' as 'refuse' | 'warn',
      siteFile = fileURLToPath(new URL('../site.json', VERSIONS_FOLDER)),
    } = {},
  ) => {
    logged.length = 0
    return openNotice({
      models: some,
      config: CONFIG,
      stores,
      env: { isProduction, noticeDrift, noticeFolder: folder, siteFile },
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
    })
  }
  const fewer = models.slice(1)
  const release = (folder: URL) =>
    edit(folder, '1.0', (text) => text.replace('"released": false', '"released": true'))

  test('in production a process whose released notice is outdated doesn’t start, unless configured to', () => {
    const folder = copyVersions()
    release(folder)
    expect(start(folder)).toEqual(readVersions(folder))
    expect(() => start(folder, { some: fewer })).toThrow(
      /doesn’t match the program. Write a new version \(npm run notice:write[^]*- model organisations/,
    )
    start(folder, { some: fewer, noticeDrift: 'warn' })
    expect(logged).toEqual(['error The privacy notice doesn’t match the program'])
    start(folder, { some: fewer, isProduction: false })
    expect(logged).toEqual([
      'warn The privacy notice doesn’t match the program: npm run notice:check',
    ])
  })

  test('a release that a later one has replaced starts beside the later one’s notice, if that names all it stores', () => {
    const publish = (folder: URL, some: typeof models) =>
      addVersion({
        manifest: buildManifest({ models: some, config: CONFIG, stores }),
        folder,
        date: '2026-11-15',
        summary: 'Other data',
        today: '2026-11-15',
      })
    const later = copyVersions()
    rewriteDraft({
      manifest: buildManifest({ models: fewer, config: CONFIG, stores }),
      folder: later,
    })
    release(later)
    publish(later, models)
    expect(start(later, { some: fewer }).map(({ version }) => version)).toEqual(['1.0', '1.1'])
    expect(() => start(later, { some: models.slice(2) })).toThrow('doesn’t match')

    const less = copyVersions()
    release(less)
    publish(less, fewer)
    expect(() => start(less)).toThrow(/doesn’t match[^]*\+ model organisations/)
  })

  test('an outdated draft of the notice is rewritten at start, once', () => {
    const folder = copyVersions()
    const [version] = start(folder, { some: fewer })
    expect(Object.keys(version?.manifest.models ?? {})).not.toContain('organisations')
    expect(logged).toEqual(['info the draft of the privacy notice is rewritten'])
    start(folder, { some: fewer })
    expect(logged).toEqual([])
  })

  test('an empty folder of the notice is filled from the site’s, and then goes its own way', () => {
    const folder = new URL('notice/', copyVersions())
    expect(start(folder)).toEqual(versions)
    const manifest = withMobile()
    const today = '2026-11-15'
    addVersion({ manifest, folder, date: today, summary: 'We keep mobile numbers', today })
    expect(start(folder, { noticeDrift: 'warn' }).map(({ version }) => version)).toEqual([
      '1.0',
      '1.1',
    ])
  })

  test('for a site without versions of the notice, an empty folder gets a first draft, once', () => {
    const site = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'gatehouse-site-'))}/`)
    folders.push(fileURLToPath(site))
    const folder = new URL('volume/', site)
    const siteFile = fileURLToPath(new URL('site.json', site))
    const [draft, ...others] = start(folder, { siteFile })
    expect(draft).toMatchObject({ version: '1.0', released: false, previousFile: null })
    expect(draft?.lastUpdated).toBe(todayIn(CONFIG.site))
    expect([others, logged]).toEqual([[], []])
    edit(folder, '1.0', (text) => text.replace('First published', 'Own'))
    expect(start(folder, { siteFile }).map(({ summary }) => summary)).toEqual(['Own version'])
  })
})

test('GET /api/privacy/notice returns the notice with an ETag, even without a database', async () => {
  const { status, json, headers } = await api.call('GET', '/api/privacy/notice')
  expect([status, json]).toEqual([200, notice])
  const tag = headers.get('etag') ?? ''
  const again = await api.call('GET', '/api/privacy/notice?version=1.0', null, {
    headers: { 'if-none-match': `W/${tag}` },
  })
  expect([again.status, again.text]).toEqual([304, ''])
  expect((await api.call('GET', '/api/privacy/notice?version=0.9')).status).toBe(404)
  expect((await api.call('GET', '/api/privacy/notice?version=1&version=2')).status).toBe(400)
  expect((await api.call('POST', '/api/privacy/notice')).status).toBe(405)
})

const leavesOf = (value: unknown, way: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) => leavesOf(part, [...way, key]))
    : [way]

const another = (value: unknown, text: string) => {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  return `${String(value)} ${text}`
}

function change(value: unknown, way: string[], text: string) {
  const [key = '', ...rest] = way
  const holder = value as Record<string, unknown>
  if (rest.length > 0) change(holder[key], rest, text)
  else holder[key] = another(holder[key], text)
}

const mapValues = <A, B>(record: Record<string, A>, map: (value: A, name: string) => B) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))

const blocksIn = ({ sections }: Notice, wanted: NoticeSectionId): NoticeBlock[] =>
  sections.find(({ id }) => id === wanted)?.blocks ?? []

const rowsIn = (of: Notice, id: NoticeSectionId) =>
  blocksIn(of, id).flatMap((block) => (block.kind === 'table' ? block.rows : []))

const wordsIn = (of: Notice, id: NoticeSectionId) =>
  blocksIn(of, id)
    .flatMap((block) => {
      if (block.kind === 'text') return [block.text]
      return block.kind === 'list' ? block.items : block.rows.flat()
    })
    .join(' ')

function withMobile() {
  const more = structuredClone(models)
  const contacts = more.find(({ path }) => path === 'contacts')
  if (contacts)
    contacts.fields['mobile'] = {
      type: 'tel',
      label: 'Mobile',
      privacy: personal('contact', ['delivery']),
    }
  return buildManifest({ models: more, config: CONFIG, stores })
}

function copyVersions() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse notice-'))
  folders.push(folder)
  cpSync(VERSIONS_FOLDER, folder, { recursive: true })
  return pathToFileURL(`${folder}/`)
}

function edit(folder: URL, version: string, change: (text: string) => string) {
  const file = new URL(`${version}.json`, folder)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
