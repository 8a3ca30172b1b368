import type { ComponentType } from 'react'
import { prerender } from 'react-dom/static'
import type { RouteObject } from 'react-router'
import type { Definition } from '#data/definitions.ts'
import { readingFieldOf, readingPath } from '#data/reading.ts'
import type { RecordData } from '#data/records.ts'
import { feed, type FeedEntry } from '#public/feed.ts'
import { loadIndex, loadPage } from '#reading/load-reading.ts'
import { keyOf, readAllRows, type Get } from '#reading/read-rows.ts'
import { heads } from './heads.ts'
import { contactMessages } from '#messages/contact.ts'
import { privacyMessages } from '#messages/privacy.ts'
import { notice } from '#base/notice.ts'
import { profile } from '#base/profile.ts'
import { language, site } from '#base/site.ts'
import type { PagePart } from '#base/site-data.ts'
import { siteMessages } from '#messages/site.ts'
import { toPlainDocument, toShell, type Assets } from './document.ts'
import { readingLinkedData } from '#public/json-ld.ts'
import type { Refusal } from '#public/inquiry-form.tsx'
import { MessageNotSent, RequestNotSent } from '#public/send-failed.tsx'
import { RequestReceived, type Received } from '#public/request-received.tsx'
import { render, renderPage, renderTemplates } from './render.tsx'
import { Root } from '#layout/root.tsx'
import {
  privacyControl,
  robots,
  securityTxt,
  sitemap,
  type SitemapEntry,
} from '#public/site-files.ts'
import { HeroIllustration } from '#ui/landing-illustration.tsx'

const PROFILE = 'src/public/profile.tsx'
const CONTACT = 'src/public/contact.tsx'
const PRIVACY = 'src/public/privacy.tsx'
const PAGES: { path: string; source?: string; parts?: PagePart[] }[] = [
  { path: '/', source: PROFILE, parts: ['profile'] },
  { path: '/profile', source: PROFILE, parts: ['profile'] },
  { path: '/contact', source: CONTACT },
  { path: '/privacy', source: PRIVACY, parts: ['notice'] },
  { path: '/privacy/received', source: 'src/public/request-received.tsx' },
  { path: '/security', source: 'src/public/security.tsx' },
  { path: '/login', source: 'src/auth/pages/login.tsx' },
  { path: '/unauthorised' },
]
/** Further addresses of the services' page. */
const ALIASES: Record<string, string[]> = { services: ['/msp/services', '/msp-services'] }
const FEED_MODEL = 'articles'
const FEED_MAX = 50
const READING = 'src/reading/reading-page.tsx'

/** A generated file: path and content. */
export type SiteFile = { path: string; text: string }
/** A record's page; `stamp` changes with anything that the page shows. */
export type RecordPage = { path: string; record: string; stamp: string }

export const buildRenderer = (
  assets: Assets,
  brandFiles: Record<string, string>,
  definitions: Definition[],
) => {
  const readable = definitions.filter((definition) => readingFieldOf(definition) !== undefined)
  return {
    /** Pages and files that need no API data. */
    renderFixed: async (now: Date): Promise<SiteFile[]> => [
      ...(await renderPages(assets)),
      { path: 'robots.txt', text: robots() },
      { path: '.well-known/security.txt', text: securityTxt(now) },
      { path: '.well-known/gpc.json', text: privacyControl(notice.lastUpdated) },
      { path: 'profile.json', text: JSON.stringify(profile) },
      { path: 'notice.json', text: JSON.stringify(notice) },
      ...Object.entries(brandFiles).map(([address, text]) => ({ path: address.slice(1), text })),
    ],
    renderIndexes: (get: Get, now: Date) => renderIndexes({ assets, readable, get, now }),
    listPages: (get: Get) => listPages(readable, get),
    renderPage: (page: RecordPage, get: Get) => renderRecord({ assets, readable, page, get }),
    recordFolders: readable.map(({ path }) => path.toLowerCase()),
    renderInquiry: (answer: Refusal | Received | null) => renderInquiry(assets, answer),
    renderPreview: () => renderPreview(assets),
  }
}

async function renderPages(assets: Assets): Promise<SiteFile[]> {
  const files: SiteFile[] = []
  for (const page of PAGES)
    files.push({ path: fileOf(page.path), text: await renderPage(assets, page) })
  const missing = await render('/404')
  const templates = await renderTemplates()
  const shell = { title: site.name, description: site.name, canonical: null }
  return [
    ...files,
    {
      path: '404.html',
      text: toShell(assets, {
        head: heads.notFound,
        withoutScripts: missing.html,
        templates,
      }),
    },
    {
      path: 'spa.html',
      text: toShell(assets, {
        head: shell,
        withoutScripts: `<p>${siteMessages.needsScripts}</p>`,
        templates,
      }),
    },
    { path: 'unconfirmed.html', text: await renderInquiry(assets, null) },
    { path: 'message-not-sent.html', text: await renderMessageNotSent(assets) },
  ]
}

/** Response to POST /contact, for browsers without scripts. */
const renderMessageNotSent = (assets: Assets) => {
  const { title } = contactMessages.notSentPage
  return renderPlainPage(assets, { Component: MessageNotSent, title, data: null, source: CONTACT })
}

/** Response to a privacy request without scripts; null if the outcome is unknown. */
async function renderInquiry(assets: Assets, answer: Refusal | Received | null) {
  if (answer && 'reference' in answer)
    return renderPlainPage(assets, {
      Component: RequestReceived,
      title: siteMessages.requestReceived,
      data: answer,
      source: PRIVACY,
    })
  const title = answer ? privacyMessages.notSentPage : privacyMessages.unconfirmedPage.title
  return renderPlainPage(assets, {
    Component: RequestNotSent,
    title,
    data: answer,
    source: PRIVACY,
  })
}

type PlainPage = { Component: ComponentType; title: string; data: unknown; source: string }

/** A page without the app, for POST-only addresses. */
async function renderPlainPage(assets: Assets, { Component, title, data, source }: PlainPage) {
  const route: RouteObject = { path: 'answer', loader: () => null, Component }
  const from = [{ path: '/', Component: Root, children: [route] }]
  const { html } = await render('/answer', { data, from })
  const head = { title: `${title} · ${site.name}`, description: title, canonical: null }
  return toPlainDocument(assets, { head, html, source })
}

type Rendering = { assets: Assets; readable: Definition[]; get: Get }

/** Index pages of records as anonymous visitors see them, and what changes with any record or every day. */
async function renderIndexes({
  assets,
  readable,
  get,
  now,
}: Rendering & { now: Date }): Promise<SiteFile[]> {
  const files: SiteFile[] = []
  const entries: SitemapEntry[] = staticPaths().map((path) => ({ path }))
  for (const definition of readable) {
    const own = `/${definition.path.toLowerCase()}`
    const data = await loadIndex(definition, get, { now })
    const linkedData = readingLinkedData(data)
    for (const path of [own, ...(ALIASES[definition.path] ?? [])]) {
      const text = await renderPage(assets, { path, source: READING, data, linkedData })
      files.push({ path: fileOf(path), text })
    }
    const rows = (await readAllRows(get, definition.routeName)).filter((row) =>
      isSegment(keyOf(definition, row)),
    )
    entries.push({ path: own }, ...rows.map((row) => toEntry(definition, row)))
    if (definition.path === FEED_MODEL)
      files.push({ path: 'feed.xml', text: feed(newestFirst(rows).slice(0, FEED_MAX)) })
  }
  return [
    ...files,
    { path: 'sitemap.xml', text: sitemap(entries) },
    { path: '.well-known/security.txt', text: securityTxt(now) },
  ]
}

const toEntry = (definition: Definition, row: RecordData): SitemapEntry => ({
  path: readingPath(definition.path, keyOf(definition, row)),
  changedAt: typeof row['updatedAt'] === 'string' ? row['updatedAt'] : null,
})

const newestFirst = (rows: RecordData[]) =>
  (rows as FeedEntry[]).toSorted((a, b) =>
    String(b.publishedAt ?? '').localeCompare(String(a.publishedAt ?? '')),
  )

/** Rows have no long texts, but a version. What a page shows of other records is in the stamp too. */
async function listPages(readable: Definition[], get: Get): Promise<RecordPage[]> {
  const rows = new Map<string, RecordData[]>()
  for (const { path, routeName } of readable) rows.set(path, await readAllRows(get, routeName))
  const shownBeside = linksBetween(rows)
  return readable.flatMap((definition) =>
    (rows.get(definition.path) ?? []).flatMap((row) => {
      const key = keyOf(definition, row)
      if (!isSegment(key)) return []
      return {
        path: fileOf(`/${definition.path.toLowerCase()}/${key}`),
        record: String(row['id']),
        stamp: JSON.stringify([editionOf(row), shownBeside(definition.path, row)]),
      }
    }),
  )
}

/** A slug may be another record's tomorrow, and a restored database counts versions again. */
const editionOf = ({ id, version, updatedAt }: RecordData) => [id, version, updatedAt]

/** A service's page shows its articles, an article's page its service, a plain page the titles of related records. */
function linksBetween(rows: Map<string, RecordData[]>) {
  const services = new Map(rows.get('services')?.map((row) => [row['id'], editionOf(row)]))
  const articles = Map.groupBy(rows.get('articles') ?? [], (row) => row['service'])
  return (path: string, row: RecordData) => {
    if (path === 'articles') return services.get(row['service']) ?? null
    if (path === 'services') return (articles.get(row['id']) ?? []).map(editionOf)
    return row['labels'] ?? null
  }
}

async function renderRecord({ assets, readable, page, get }: Rendering & { page: RecordPage }) {
  const definition = readable.find(({ path }) => page.path.startsWith(`${path.toLowerCase()}/`))
  if (!definition) throw new Error('No model has this page')
  const record = (await get(`${definition.path}/${page.record}`)) as RecordData
  const data = await loadPage(definition, get, record)
  const path = readingPath(definition.path, keyOf(definition, record))
  const linkedData = readingLinkedData(data)
  return renderPage(assets, { path, source: READING, data, linkedData })
}

/** The front proxy decodes the path before the file lookup. */
const isSegment = (key: string) => key !== '' && !/[/\\]|^\.{1,2}$/.test(key)

/** Sitemap entries: canonical paths only. */
const staticPaths = () =>
  [heads.profile, heads.contact, heads.privacy, heads.security].map(({ canonical }) => canonical)

/** Link preview page, captured as an image by api/src/pages/print.ts. */
async function renderPreview({ template, brand, styles: { [PROFILE]: own = [] } }: Assets) {
  const { prelude } = await prerender(
    <body>
      <p>{site.name}</p>
      <h1>{profile.headline}</h1>
      <HeroIllustration />
    </body>,
  )
  const common = /<link rel="stylesheet"[^>]*>/.exec(template)?.[0] ?? ''
  const sheets = [...own, ...(brand ? [brand] : [])]
  const styles = common + sheets.map((file) => `<link rel="stylesheet" href="${file}">`).join('')
  return `<!doctype html><html lang="${language}" data-bs-theme="light"><meta charset="utf-8">${styles}<style>${PREVIEW_STYLE}</style>${await new Response(prelude).text()}`
}

const PREVIEW_STYLE =
  'body { height: 630px; padding: 56px 60px; overflow: hidden; box-sizing: border-box } p { font-size: 30px; font-weight: 600; color: var(--gh-brand) } h1 { font-size: 62px; max-width: 1000px; margin: 10px 0 26px } svg { width: 1080px; height: auto } .walker { display: none }'

const fileOf = (path: string) => (path === '/' ? 'index.html' : `${path.slice(1)}/index.html`)
