import { owner } from '#base/site.ts'
import { publicUrl } from '#layout/head.ts'

const DAY_MS = 86_400_000
/** RFC 9116 recommends less than a year. It is written again every day, so it never gets near. */
const SECURITY_TXT_DAYS = 364

/** Every address for search engines. */
export const sitemap = (paths: string[]) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths.map((path) => `<url><loc>${publicUrl(path)}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')

export const robots = () =>
  ['User-agent: *', 'Disallow: /api/', '', `Sitemap: ${publicUrl('/sitemap.xml')}`, ''].join('\n')

/** How to report a vulnerability, RFC 9116. */
export const securityText = (now: Date) =>
  [
    `Contact: mailto:${owner.email}`,
    `Expires: ${endOf(now, SECURITY_TXT_DAYS)}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl('/.well-known/security.txt')}`,
    `Policy: ${publicUrl('/security')}`,
    '',
  ].join('\n')

/** That the browser's privacy control is honoured here: globalprivacycontrol.org. */
export const privacyControl = (lastUpdate: string) =>
  `${JSON.stringify({ gpc: true, lastUpdate })}\n`

/** The same text all day long, so that a second build of a day is the first one. */
const endOf = (now: Date, days: number) =>
  `${new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`
