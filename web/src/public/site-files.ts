import { owner } from '#base/site.ts'
import { publicUrl } from '#layout/head.ts'
import { escapeXml } from './feed.ts'

const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year; regenerated daily. */
const SECURITY_TXT_DAYS = 364

export type SitemapEntry = { path: string; changedAt?: string | null }

export const sitemap = (entries: SitemapEntry[]) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries.map(
      ({ path, changedAt }) =>
        `<url><loc>${escapeXml(publicUrl(path))}</loc>${changedAt ? `<lastmod>${changedAt}</lastmod>` : ''}</url>`,
    ),
    '</urlset>',
    '',
  ].join('\n')

export const robots = () =>
  ['User-agent: *', 'Disallow: /api/', '', `Sitemap: ${publicUrl('/sitemap.xml')}`, ''].join('\n')

export const securityTxt = (now: Date) =>
  [
    `Contact: mailto:${owner.email}`,
    `Expires: ${endOf(now, SECURITY_TXT_DAYS)}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl('/.well-known/security.txt')}`,
    `Policy: ${publicUrl('/security')}`,
    '',
  ].join('\n')

/** gpc.json: Global Privacy Control is honoured. */
export const privacyControl = (lastUpdate: string) =>
  `${JSON.stringify({ gpc: true, lastUpdate })}\n`

/** Rounded to a day: builds of the same day are identical. */
const endOf = (now: Date, days: number) =>
  `${new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`
