import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Notice, SiteConfig } from '@gatehouse/model'
import { SITE_FOLDER } from '../api/src/platform/paths.ts'
import { buildBrand } from './brand.ts'
import { catalogueOf } from './messages.ts'
import { buildRecordIcons, paletteIcons, socialIcons } from './icon-files.ts'

const file = (name: string) => new URL(name, import.meta.url).pathname
const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'))

export const siteFolder = fileURLToPath(SITE_FOLDER)
const siteConfig = read(join(siteFolder, 'site.json')) as SiteConfig
export const catalogue = catalogueOf(siteConfig.site.locale)
/** Language of the messages; a locale without a catalogue still sets date and number formats. */
export const language = siteConfig.site.locale.startsWith(catalogue) ? siteConfig.site.locale : 'en'
export const brand = buildBrand(siteConfig.brand, siteFolder)

/** Settings that pages show; others stay out of the bundle. */
const SHOWN = [
  'site',
  'owner',
  'controller',
  'socials',
  'consent',
  'analytics',
  'contact',
] as const satisfies (keyof SiteConfig)[]

export function buildConstants() {
  execFileSync(process.execPath, [file('../tools/notice/export-for-web.ts'), file('../.build')], {
    stdio: 'inherit',
  })
  const notice = read(file('../.build/notice.json')) as Notice
  const recordIcons = buildRecordIcons(read(file('../.build/icons.json')) as string[])
  return {
    iconFiles: [socialIcons, recordIcons, paletteIcons],
    constants: {
      SITE_CONFIG: JSON.stringify(
        Object.fromEntries(SHOWN.map((name) => [name, siteConfig[name]])),
      ),
      SITE_PROFILE: JSON.stringify(siteConfig.profile),
      LANGUAGE: JSON.stringify(language),
      LOGO: JSON.stringify(brand.logo),
      SOCIAL_ICONS: JSON.stringify(socialIcons.address),
      RECORD_ICONS: JSON.stringify(recordIcons.address),
      PALETTE_ICONS: JSON.stringify(paletteIcons.address),
      NOTICE: JSON.stringify(notice),
      NOTICE_VERSION: JSON.stringify(notice.version),
    },
  }
}
