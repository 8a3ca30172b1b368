import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Notice, SiteConfig } from '@gatehouse/model'
import { readBrand } from '../api/src/pages/brand-files.ts'
import { SITE_FOLDER } from '../api/src/platform/paths.ts'
import { catalogueOf } from './messages.ts'

const EXPORTED = new URL('../.build/', import.meta.url)
const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'))

export const siteFolder = fileURLToPath(SITE_FOLDER)

/** What the site's folder says, for development and tests; the API reads it in production (api/src/pages/site-input.ts). */
export function readSiteInput() {
  const config = read(join(siteFolder, 'site.json')) as SiteConfig
  const { locale } = config.site
  return {
    config,
    brand: readBrand(config.brand, siteFolder),
    notice: read(fileURLToPath(new URL('notice.json', EXPORTED))) as Notice,
    definitions: read(fileURLToPath(new URL('definitions.json', EXPORTED))) as unknown[],
    // A locale without a catalogue still sets date and number formats.
    language: locale.startsWith(catalogueOf(locale)) ? locale : 'en',
    isPrinted: false,
  }
}

/** Writes the newest notice, the models' icons and public definitions into `.build`: reading models needs a process of its own. */
export function exportForWeb() {
  const script = new URL('../tools/notice/export-for-web.ts', import.meta.url)
  execFileSync(process.execPath, [fileURLToPath(script), fileURLToPath(EXPORTED)], {
    stdio: 'inherit',
  })
}

/** As exported last. */
export const readModelIcons = () => read(fileURLToPath(new URL('icons.json', EXPORTED))) as string[]
