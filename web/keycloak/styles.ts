import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, compileString } from 'sass'
import { THEMES, type Theme } from '../brand-colours.ts'

const WEB = join(import.meta.dirname, '..')

/** What a theme's sheet takes besides the tokens: the custom properties of each theme. */
type Own = Record<Theme, Record<string, string>>

/**
 * A sheet for Keycloak: the site's tokens with the deployer's colours, then every sheet of the folder in order of its name.
 * `dark` is the class that Keycloak's pages set.
 */
export function styleSheet(folder: string, dark: string, brandColours: string, own: Own) {
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

/** The site's own font; its stand-in has the same measures, so that nothing jumps. */
const FONTS =
  `@font-face { font-family: 'Schibsted Grotesk Variable'; src: url('../fonts/schibsted-grotesk.woff2') format('woff2'); font-weight: 400 900; font-display: swap; }` +
  compile(join(WEB, 'src/styles/_fonts.scss')).css
