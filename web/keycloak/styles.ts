import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, compileString } from 'sass'

const WEB = join(import.meta.dirname, '..')

/** A style sheet for Keycloak: font and tokens, then the folder's sheets ordered by name. */
export function styleSheet(folder: string) {
  const tokens = compile(join(WEB, 'src/styles/_tokens.scss')).css
  const sheets = readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return compileString([FONTS, tokens, ...sheets].join('\n'), {
    syntax: 'css',
    style: 'compressed',
  }).css
}

/** The site's font; its fallback has the same metrics, so nothing shifts when it loads. */
const FONTS =
  `@font-face { font-family: 'Schibsted Grotesk Variable'; src: url('../fonts/schibsted-grotesk.woff2') format('woff2'); font-weight: 400 900; font-display: swap; }` +
  compile(join(WEB, 'src/styles/_fonts.scss')).css
