import { isPrinted, language, site } from '#base/site.ts'
import { partOf, type PagePart } from '#base/site-data.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { publicUrl, type Head } from '#layout/head.ts'
import { isAboutSignIn, PAGE_DATA_ID, type PageData } from '#boot/page-data.ts'

/** Output of the client build, and the style sheet of the site's colours. */
export type Assets = {
  template: string
  font: string
  /** After all others; null with the default colours. */
  brand: string | null
  /** The app's files, for documents that start it immediately. */
  app: { scripts: string[]; styles: string[] }
  /** Scripts and styles of a lazy page by source file, except those of every page. */
  scripts: Record<string, string[]>
  styles: Record<string, string[]>
}

/** `theme-color` of both themes, as in styles/_tokens.scss. */
const THEME_COLOURS = { light: '#f3f5f1', dark: '#0d1412' }
const TITLE = /<title>.*<\/title>/s
const ROOT = /<div id="root">.*<\/div>/s

export function toDocument(
  { template, font, brand, app, scripts, styles }: Assets,
  page: {
    head: Head
    html: string
    data: Omit<PageData, 'scripts'> | null
    /** `<template>`s that boot.ts copies. */
    templates: string
    source?: string | undefined
    linkedData?: object[]
    /** Parts of the site's data that only this page shows; null without the app, which reads them. */
    parts?: PagePart[] | null
  },
) {
  const { head, html, data, templates, source = '', linkedData = [], parts: shown = [] } = page
  const own = scripts[source] ?? []
  const startsAtOnce = !data || isAboutSignIn(data)
  const sheets = new Set([...(startsAtOnce ? app.styles : []), ...(styles[source] ?? [])])
  const parts = [
    ...metaOf(head),
    `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`,
    ...[...sheets, ...(brand ? [brand] : [])].map(
      (file) => `<link rel="stylesheet" crossorigin href="${file}">`,
    ),
    ...(startsAtOnce ? [...app.scripts, ...own] : []).map(
      (file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">`,
    ),
    ...linkedData.map((one) => dataBlock('application/ld+json', one)),
    ...(shown ? (['site', ...shown] as const) : []).map((name) =>
      dataBlock('application/json', partOf(name), name),
    ),
    ...(data ? [dataBlock('application/json', { ...data, scripts: own }, PAGE_DATA_ID)] : []),
  ]
  const text = template
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace(TITLE, () => parts.join('\n    '))
    .replace(ROOT, () => `<div id="root">${html}</div>${templates}`)
  requirePlain(text, data?.path ?? head.title)
  return text
}

/** A page without the app: the response to a plain form post. */
export const toPlainDocument = (
  assets: Assets,
  page: { head: Head; html: string; source: string },
) =>
  toDocument(assets, { ...page, data: null, templates: '', parts: null })
    .replace('<html ', '<html data-app="none" ')
    .replaceAll(/\s*<script type="module"[^>]*><\/script>|\s*<link rel="modulepreload"[^>]*>/g, '')

/** The shell for client-rendered pages: records, callbacks, unknown addresses. */
export const toShell = (
  assets: Assets,
  {
    head,
    withoutScripts,
    ...page
  }: { head: Head; withoutScripts: string; templates: string; source?: string },
) =>
  toDocument(assets, {
    ...page,
    head,
    html: `<p class="busy late" role="status">${specifiedMessages.loadingApp}</p><noscript>${withoutScripts}</noscript>`,
    data: null,
  })

function metaOf({ title, description, canonical, hasFeed }: Head) {
  const url = canonical === null ? null : publicUrl(canonical)
  return [
    `<title>${escape(title)}</title>`,
    meta('name', 'description', description),
    ...(url
      ? [`<link rel="canonical" href="${escape(url)}">`]
      : [meta('name', 'robots', 'noindex')]),
    ...(hasFeed
      ? [
          `<link rel="alternate" type="application/atom+xml" title="${escape(site.name)}" href="/feed.xml">`,
        ]
      : []),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', site.name),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    ...(url ? [meta('property', 'og:url', url)] : []),
    ...(isPrinted ? imagesOf() : []),
    ...Object.entries(THEME_COLOURS).map(
      ([theme, colour]) =>
        `<meta name="theme-color" media="(prefers-color-scheme: ${theme})" content="${colour}">`,
    ),
  ]
}

const imagesOf = () => [
  meta('property', 'og:image', publicUrl('/og.png')),
  meta('property', 'og:image:width', '1200'),
  meta('property', 'og:image:height', '630'),
  meta('property', 'og:image:alt', site.name),
  meta('name', 'twitter:card', 'summary_large_image'),
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
]

const meta = (kind: 'name' | 'property', name: string, content: string) =>
  `<meta ${kind}="${name}" content="${escape(content)}">`

/** Escapes "<": it could end the data block. */
const dataBlock = (type: string, value: unknown, id?: string) =>
  `<script type="${type}"${id ? ` id="${id}"` : ''}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Throws instead of sending markup that the content security policy would block only in the browser. */
function requirePlain(text: string, page: string) {
  const markup = text
    .replaceAll(/<script type="application\/[^>]*>.*?<\/script>/gs, '')
    // Attribute values may well contain "style="; in text, quotes are escaped.
    .replaceAll(/="[^"]*"/g, '=""')
  const found =
    /<[a-z][^>]*\sstyle=[^>]*>/i.exec(markup) ??
    /<[a-z][^>]*\son[a-z]+=[^>]*>/i.exec(markup) ??
    /<script(?![^>]*\ssrc=)[^>]*>/i.exec(markup) ??
    /<style[^>]*>/i.exec(markup)
  if (found) throw new Error(`${page}: the content security policy blocks ${found[0]}`)
}
