import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, compileString } from 'sass'
import { THEMES, type Theme } from '@gatehouse/model/brand'

const WEB = join(import.meta.dirname, '..')

type OwnProperties = Record<Theme, Record<string, string>>

/**
 * A style sheet for Keycloak: the tokens with the deployer's colours, then the folder's sheets ordered by name. `dark` is the
 * class Keycloak's pages set in dark mode.
 */
export function styleSheet(folder: string, dark: string, brandColours: string, own: OwnProperties) {
  const tokens = compile(join(WEB, 'src/styles/_tokens.scss')).css
  const sheets = readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const selectors: Record<Theme, string> = { light: ':root', dark: `.${dark}` }
  const properties = THEMES.map(
    (theme) =>
      `${selectors[theme]} { ${Object.entries(own[theme])
        .map(([name, value]) => `--gh-${name}: ${value};`)
        .join(' ')} }`,
  )
  const css = [FONTS, tokens, brandColours, ...properties, ...sheets]
    .join('\n')
    .replaceAll(/\[data-bs-theme=['"]?dark['"]?\]/g, selectors.dark)
    .replaceAll(/:root,\s*\[data-bs-theme=['"]?light['"]?\]/g, ':root')
  return compileString(css, { syntax: 'css', style: 'compressed' }).css
}

/** The site's font; its fallback has the same metrics, so nothing shifts when it loads. */
const FONTS =
  `@font-face { font-family: 'Schibsted Grotesk Variable'; src: url('../fonts/schibsted-grotesk.woff2') format('woff2'); font-weight: 400 900; font-display: swap; }` +
  compile(join(WEB, 'src/styles/_fonts.scss')).css
