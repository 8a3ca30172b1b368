import { toLines } from '@gatehouse/model'
import { site } from '#base/site.ts'
import { readingPath } from '#data/reading.ts'
import { publicUrl } from '#layout/head.ts'

export type FeedEntry = {
  id: string
  slug: string
  title: string
  summary: string | null
  kind: string
  publishedAt: string | null
  updatedAt: string
}

/** Atom (RFC 4287) of the newest articles. Changes only with them: an equal file keeps its date. */
export const feed = (entries: FeedEntry[]) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(site.locale)}">`,
    `<title>${escapeXml(site.name)}</title>`,
    `<id>${escapeXml(publicUrl('/feed.xml'))}</id>`,
    `<link rel="self" href="${escapeXml(publicUrl('/feed.xml'))}"/>`,
    `<link href="${escapeXml(publicUrl('/articles'))}"/>`,
    `<updated>${newestOf(entries)}</updated>`,
    `<author><name>${escapeXml(site.name)}</name></author>`,
    ...entries.map(toEntry),
    '</feed>',
    '',
  ].join('\n')

const toEntry = ({ id, slug, title, summary, kind, publishedAt, updatedAt }: FeedEntry) =>
  [
    '<entry>',
    `<title>${escapeXml(title)}</title>`,
    `<id>urn:uuid:${id}</id>`,
    `<link href="${escapeXml(publicUrl(readingPath('articles', slug)))}"/>`,
    ...(publishedAt ? [`<published>${publishedAt}</published>`] : []),
    `<updated>${updatedAt}</updated>`,
    `<category term="${escapeXml(kind)}"/>`,
    ...(summary ? [`<summary>${escapeXml(summary)}</summary>`] : []),
    '</entry>',
  ].join('')

const newestOf = (entries: FeedEntry[]) =>
  entries
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1) ?? '1970-01-01T00:00:00Z'

/** Without control characters, which XML doesn't allow. */
export const escapeXml = (text: string) =>
  toLines(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
