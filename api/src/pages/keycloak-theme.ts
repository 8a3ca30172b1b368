import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openingLines, telLink, type SiteConfig } from '@gatehouse/model'
import {
  brandTokens,
  DRAWN,
  drawnIcon,
  svgSize,
  THEMES,
  tokensOf,
  type BrandInput,
  type Theme,
} from '@gatehouse/model/brand'
import { replaceFile } from './write-file.ts'

const NAME = 'gatehouse'
const LOGO_HEIGHT = 26
/** The class that Keycloak's pages have in dark mode. */
const DARK = { login: 'gh-dark', account: 'pf-v5-theme-dark' }

const FILLED = /\.(properties|ftl)$/
/** Templates of pictures, at the top of the built theme. */
const PICTURE = /^[^/]+\.svg$/

type Input = { built: string; config: SiteConfig; brand: BrandInput }

/** Of the web's build, beside its bundle. */
export const builtThemeOf = (bundle: string) => join(dirname(bundle), 'keycloak-theme')

/**
 * Writes Keycloak's theme `gatehouse`, pages and mails, with the site's name, colours and logo into a folder of themes. File by
 * file, each by rename: Keycloak may be reading them.
 */
export function writeTheme(folder: string, { built, config, brand }: Input) {
  const theme = join(folder, NAME)
  const palettes = {
    light: { ...DRAWN.light, ...(brand.colours && tokensOf('light', brand.colours.light)) },
    dark: { ...DRAWN.dark, ...(brand.colours && tokensOf('dark', brand.colours.dark)) },
  }
  const texts = textsOf(config, palettes)
  for (const name of filesIn(built).filter(
    (name) => !PICTURE.test(name) && !name.endsWith('.css'),
  )) {
    const bytes = readFileSync(join(built, name))
    replaceFile(join(theme, name), FILLED.test(name) ? fill(bytes.toString(), texts) : bytes)
  }
  for (const [kind, dark] of Object.entries(DARK)) {
    const sheet = join(kind, 'resources/css/gatehouse.css')
    const styles = readFileSync(join(built, sheet), 'utf8')
    replaceFile(join(theme, sheet), stylesFor(styles, dark, { config, brand }))
  }
  const template = (name: string) => readFileSync(join(built, name), 'utf8')
  for (const kind of Object.keys(DARK)) {
    const picture = (name: string, text: string) =>
      replaceFile(join(theme, kind, 'resources/img', name), text)
    picture('icon.svg', brand.icon ?? drawnIcon(brand.colours))
    for (const name of THEMES) {
      picture(`logo-${name}.svg`, logoOf(brand, name) ?? fill(template('logo.svg'), palettes[name]))
      if (kind === 'login')
        picture(`gate-${name}.svg`, fill(template('gate.svg'), gateColours(palettes[name], name)))
    }
  }
}

type Palettes = Record<Theme, Record<string, string>>

const textsOf = ({ site, owner }: SiteConfig, { light, dark }: Palettes) => ({
  name: escape(site.name),
  mail: owner.email,
  ...phoneTexts(site),
  url: site.url,
  ...light,
  ...Object.fromEntries(Object.entries(dark).map(([name, colour]) => [`dark-${name}`, colour])),
})

/** Empty on a site without a number, so that templates leave the line out. Keycloak's pages are in English. */
function phoneTexts({ phone, hours }: SiteConfig['site']) {
  const times = hours ? openingLines(hours, 'en').join(', ') : ''
  const open = times && ` (${times})`
  return phone
    ? { phone, 'phone-link': telLink(phone), open, 'or-call': ` or call ${phone}${open}` }
    : { phone: '', 'phone-link': '', open: '', 'or-call': '' }
}

/** The site's colours and pictures, after the styles of every site. */
function stylesFor(styles: string, dark: string, { config, brand }: Omit<Input, 'built'>) {
  const selectors: Record<Theme, string> = { light: ':root', dark: `.${dark}` }
  const own = THEMES.map((theme) => {
    const properties = Object.entries(propertiesOf(theme, config, brand))
    return `${selectors[theme]} { ${properties.map(([name, value]) => `--gh-${name}: ${value};`).join(' ')} }`
  })
  return [styles, brand.colours ? brandTokens(brand.colours) : '', ...own]
    .join('\n')
    .replaceAll(/\[data-bs-theme=['"]?dark['"]?\]/g, selectors.dark)
    .replaceAll(/:root,\s*\[data-bs-theme=['"]?light['"]?\]/g, ':root')
}

function propertiesOf(theme: Theme, { site }: SiteConfig, { logo }: BrandInput) {
  const [width = 1, height = 1] = (logo && svgSize(logo.light)) ?? []
  return {
    logo: `url(../img/logo-${theme}.svg)`,
    gate: `url(../img/gate-${theme}.svg)`,
    'logo-width': `${Math.round((LOGO_HEIGHT * width) / height)}px`,
    name: logo?.hasName ? "''" : JSON.stringify(site.name),
    'name-size': logo?.hasName ? '0' : '1.125rem',
  }
}

const logoOf = ({ logo }: BrandInput, theme: Theme) =>
  logo && ((theme === 'dark' && logo.dark) || logo.light)

/** Rooms have the page's colour in the light theme; in the dark one that would be too dark. */
const gateColours = (palette: Record<string, string>, theme: Theme) => ({
  ...palette,
  room: palette[theme === 'light' ? 'page' : 'floor'] ?? '',
})

function fill(text: string, values: Record<string, string>) {
  return text.replaceAll(/@([a-z\d-]+)@/g, (open, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`Unknown placeholder ${open}`)
    return value
  })
}

/** Escapes text for HTML inside a FreeMarker template. */
const escape = (text: string) =>
  text.replaceAll(/[&<>"'$#{}]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
