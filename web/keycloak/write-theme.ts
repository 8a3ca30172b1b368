import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SiteConfig } from '@gatehouse/model'
import { readBrand } from '../../api/src/pages/brand-files.ts'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { brandTokens, DRAWN, THEMES, tokensOf, type Theme } from '@gatehouse/model/brand'
import { drawBrand } from '../src/site-brand.ts'
import { mailMessages } from './mails.ts'
import { styleSheet } from './styles.ts'

/**
 * Writes Keycloak's theme `gatehouse` into a folder of themes, with the site's name, colours and logo: `node web/keycloak/write-
 * theme.ts FOLDER`.
 */
const SOURCE = join(import.meta.dirname, 'theme')
const FONT =
  '@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2'
const LOGO_HEIGHT = 26
/** Sources with `@name@` placeholders. */
const FILLED: Record<string, string[]> = {
  login: ['theme.properties', 'messages/messages_en.properties'],
  account: ['theme.properties'],
  email: ['theme.properties', 'html/template.ftl'],
}

const [, , folder] = process.argv
if (!folder) {
  console.error('Usage: node web/keycloak/write-theme.ts FOLDER')
  process.exit(2)
}

const siteFolder = fileURLToPath(SITE_FOLDER)
const { site, owner, brand } = JSON.parse(
  readFileSync(join(siteFolder, 'site.json'), 'utf8'),
) as SiteConfig
const { files, logo } = drawBrand(readBrand(brand, siteFolder))
const colours = {
  light: { ...DRAWN.light, ...(brand.colours && tokensOf('light', brand.colours.light)) },
  dark: { ...DRAWN.dark, ...(brand.colours && tokensOf('dark', brand.colours.dark)) },
}

const tokens = brand.colours ? brandTokens(brand.colours) : ''

const theme = join(folder, 'gatehouse')
rmSync(theme, { recursive: true, force: true })
for (const [kind, dark] of [
  ['login', 'gh-dark'],
  ['account', 'pf-v5-theme-dark'],
] as const) {
  const source = join(SOURCE, kind)
  const resources = join(kind, 'resources')
  copy(kind)
  write(join(resources, 'css/gatehouse.css'), styleSheet(source, dark, tokens, pictures()))
  write(join(resources, 'img/icon.svg'), files['/icon.svg'] ?? '')
  for (const name of THEMES) {
    write(join(resources, `img/logo-${name}.svg`), logoOf(name))
    if (kind === 'login')
      write(join(resources, `img/gate-${name}.svg`), fill(read('gate.svg'), gateColours(name)))
  }
  const font = createRequire(import.meta.url).resolve(FONT)
  cpSync(font, join(theme, resources, 'fonts/schibsted-grotesk.woff2'))
}
copy('email')
write('email/messages/messages_en.properties', mailMessages(owner.email))
console.log(`${theme} is written.`)

function copy(kind: string) {
  cpSync(join(SOURCE, kind), join(theme, kind), {
    recursive: true,
    filter: (source) => !source.endsWith('.css'),
  })
  const facts = {
    name: escape(site.name),
    mail: owner.email,
    url: site.url,
    ...colours.light,
    ...Object.fromEntries(
      Object.entries(colours.dark).map(([name, colour]) => [`dark-${name}`, colour]),
    ),
  }
  for (const name of FILLED[kind] ?? [])
    write(join(kind, name), fill(read(join(kind, name)), facts))
}

function pictures() {
  const { width, height } = logo?.light ?? { width: 1, height: 1 }
  const of = (name: Theme) => ({
    logo: `url(../img/logo-${name}.svg)`,
    gate: `url(../img/gate-${name}.svg)`,
    'logo-width': `${Math.round((LOGO_HEIGHT * width) / height)}px`,
    name: logo?.hasName ? "''" : JSON.stringify(site.name),
    'name-size': logo?.hasName ? '0' : '1.125rem',
  })
  return { light: of('light'), dark: of('dark') }
}

function logoOf(name: Theme) {
  if (!logo) return fill(read('logo.svg'), colours[name])
  const picture = (name === 'dark' && logo.dark) || logo.light
  return files[picture.src] ?? ''
}

/** Rooms have the page's colour in the light theme; in the dark one that would be too dark. */
function gateColours(name: Theme) {
  return { ...colours[name], room: colours[name][name === 'light' ? 'page' : 'floor'] ?? '' }
}

function fill(text: string, facts: Record<string, string>) {
  return text.replaceAll(/@([a-z\d-]+)@/g, (open, name: string) => {
    const value = facts[name]
    if (value === undefined) throw new Error(`Unknown placeholder ${open}`)
    return value
  })
}

/** Escapes text for HTML inside a FreeMarker template. */
function escape(text: string) {
  return text.replaceAll(/[&<>"'$#{}]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function read(name: string) {
  return readFileSync(join(SOURCE, name), 'utf8')
}

function write(name: string, text: string) {
  const file = join(theme, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
