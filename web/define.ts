import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Notice, SiteConfig } from '@gatehouse/model'
import { buildBrand } from './brand.ts'

const file = (name: string) => new URL(name, import.meta.url).pathname
const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'))

/** The deployer's file; the pictures it names lie beside it. */
const SITE_FILE = process.env['SITE_FILE'] ?? file('../config/site.json')
const siteConfig = read(SITE_FILE) as SiteConfig
export const brand = buildBrand(siteConfig.brand, dirname(SITE_FILE))

/** What no page shows stays out of the scripts. */
const SHOWN = [
  'site',
  'owner',
  'controller',
  'socials',
  'consent',
  'analytics',
  'contact',
  'profile',
  'signIn',
] as const satisfies (keyof SiteConfig)[]

/** What the site is built with: the deployer's file, and the privacy notice as the definitions make it. */
export function buildConstants() {
  execFileSync(
    process.execPath,
    [file('../tools/notice/write.ts'), file('../.build/notice.json')],
    {
      stdio: 'inherit',
    },
  )
  const notice = read(file('../.build/notice.json')) as Notice
  return {
    SITE_CONFIG: JSON.stringify(Object.fromEntries(SHOWN.map((name) => [name, siteConfig[name]]))),
    LOGO: JSON.stringify(brand.logo),
    NOTICE: JSON.stringify(notice),
    NOTICE_VERSION: JSON.stringify(notice.version),
  }
}
