import type { ComponentType } from 'react'
import { prerender } from 'react-dom/static'
import type { RouteObject } from 'react-router'
import { loadCatalogue, loadServicePage, type Get, type ServicePage } from '#public/catalogue.ts'
import { heads } from './heads.ts'
import { contactMessages } from '#messages/contact.ts'
import { privacyMessages } from '#messages/privacy.ts'
import { notice } from '#base/notice.ts'
import { profile } from '#base/profile.ts'
import { language, site } from '#base/site.ts'
import type { PagePart } from '#base/site-data.ts'
import { siteMessages } from '#messages/site.ts'
import { toPlainDocument, toShell, type Assets } from './document.ts'
import { service } from '#public/json-ld.ts'
import type { Refusal } from '#public/inquiry-form.tsx'
import { MessageNotSent, RequestNotSent } from '#public/send-failed.tsx'
import { RequestReceived, type Received } from '#public/request-received.tsx'
import { render, renderPage, renderTemplates } from './render.tsx'
import { servicePath } from '#base/service-path.ts'
import { Root } from '#layout/root.tsx'
import { privacyControl, robots, securityTxt, sitemap } from '#public/site-files.ts'
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
const SERVICES = '/msp/services'
const CATALOGUE = [SERVICES, '/msp-services']

/** A generated file: path and content. `record` is the id of its source. */
export type SiteFile = { path: string; text: string; record?: string }
type FailedFile = Omit<SiteFile, 'text'> & { error: unknown }

export const buildRenderer = (assets: Assets, brandFiles: Record<string, string>) => ({
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
  renderIndexes: (get: Get, now: Date) => renderIndexes(assets, get, now),
  renderRecords: (get: Get) => renderRecords(assets, get),
  /** Paths of the pages that `renderRecords` renders. */
  listRecords: async (get: Get) => (await loadCatalogue(get)).services.map(servicePageFile),
  /** Files in these folders are pages of records: those no longer published are removed. */
  recordFolders: [SERVICES.slice(1)],
  renderInquiry: (answer: Refusal | Received | null) => renderInquiry(assets, answer),
  renderPreview: () => renderPreview(assets),
})

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

/** Pages that list records, as anonymous visitors see them, and what changes every day. */
async function renderIndexes(assets: Assets, get: Get, now: Date): Promise<SiteFile[]> {
  const catalogue = await loadCatalogue(get)
  const linkedData = catalogue.services.flatMap(service)
  const source = 'src/public/services.tsx'
  const files: SiteFile[] = []
  for (const path of CATALOGUE) {
    const text = await renderPage(assets, { path, source, data: catalogue, linkedData })
    files.push({ path: fileOf(path), text })
  }
  const paths = catalogue.services
    .filter(({ slug }) => isSegment(slug))
    .map(({ slug }) => servicePath(slug))
  return [
    ...files,
    { path: 'sitemap.xml', text: sitemap([...staticPaths(), SERVICES, ...paths]) },
    { path: '.well-known/security.txt', text: securityTxt(now) },
  ]
}

/** Pages of records, one at a time. An API error ends it; a rendering error concerns its page alone. */
async function* renderRecords(
  assets: Assets,
  get: Get,
): AsyncGenerator<SiteFile | FailedFile, void> {
  const { services } = await loadCatalogue(get)
  for (const { id, slug } of services) {
    const data = await loadServicePage(id, get)
    const file = { path: servicePageFile({ slug }), record: id }
    yield renderService(assets, data).then(
      (text) => ({ ...file, text }),
      (error: unknown) => ({ ...file, error }),
    )
  }
}

/** The front proxy decodes the path before the file lookup. */
const servicePageFile = ({ slug }: { slug: string }) => fileOf(`${SERVICES}/${slug}`)

async function renderService(assets: Assets, data: ServicePage) {
  const { slug } = data.service
  if (!isSegment(slug)) throw new Error('The slug is not a path segment')
  const path = servicePath(slug)
  const source = 'src/public/service.tsx'
  return renderPage(assets, { path, source, data, linkedData: service(data.service) })
}

const isSegment = (slug: string) => !/[/\\]|^\.{1,2}$/.test(slug)

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
