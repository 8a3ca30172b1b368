import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SiteConfig } from '@gatehouse/model'
import { readBrand } from '../../api/src/pages/brand-files.ts'
import { writeTheme } from '../../api/src/pages/keycloak-theme.ts'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { buildTheme } from './build-theme.ts'

/** Writes Keycloak's theme into a folder of themes, without a build: `node web/keycloak/write-theme.ts FOLDER`. */
const [, , folder] = process.argv
if (!folder) {
  console.error('Usage: node web/keycloak/write-theme.ts FOLDER')
  process.exit(2)
}

const siteFolder = fileURLToPath(SITE_FOLDER)
const config = JSON.parse(readFileSync(join(siteFolder, 'site.json'), 'utf8')) as SiteConfig
const built = mkdtempSync(join(tmpdir(), 'gatehouse-theme-'))
try {
  buildTheme(built)
  writeTheme(folder, { built, config, brand: readBrand(config.brand, siteFolder) })
} finally {
  rmSync(built, { recursive: true })
}
