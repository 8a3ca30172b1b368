import { fileURLToPath } from 'node:url'
import { builtThemeOf, writeTheme } from '../../api/src/pages/keycloak-theme.ts'
import { readBrandOf } from '../../api/src/pages/site-input.ts'
import { fromRoot, SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'

/** Writes Keycloak's theme into THEMES_DIR, for a Keycloak that starts before the API, which also does so at its start. */
const folder = process.env['THEMES_DIR']
if (!folder) throw new Error('Set THEMES_DIR to Keycloak’s folder of themes')
const siteFile = fileURLToPath(new URL('site.json', SITE_FOLDER))
const config = readConfig(siteFile)
const built = builtThemeOf(fromRoot('web/dist-server/server.js'))
writeTheme(folder, { built, config, brand: readBrandOf(config, siteFile) })
