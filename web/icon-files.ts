import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Social } from '@gatehouse/model'
import { pathsOf } from './icon-paths.ts'

const ICONS = new URL('../node_modules/bootstrap-icons/icons/', import.meta.url)

const SOCIALS: Record<Social, string> = {
  credentials: 'patch-check',
  cloudLearning: 'cloud-check',
  developerProfile: 'braces',
  codeHosting: 'github',
  messaging: 'chat-dots',
  microblog: 'twitter-x',
  socialNetwork: 'facebook',
  professionalNetwork: 'linkedin',
}

/** Icons of record and staff pages and of signed-in users, by their own names; `collection` is for models that name none. */
const RECORDS = [
  'arrow-clockwise',
  'arrow-down',
  'arrow-right',
  'arrow-up',
  'bell-fill',
  'card-checklist',
  'chat-left-text',
  'chat-left-text-fill',
  'check-circle-fill',
  'check2',
  'chevron-left',
  'chevron-right',
  'collection',
  'exclamation-circle-fill',
  'exclamation-triangle-fill',
  'info-circle-fill',
  'layout-three-columns',
  'paperclip',
  'people',
  'person-badge',
  'person-circle',
  'plus',
  'plus-lg',
  'search',
  'shield-lock',
  'speedometer2',
  'three-dots',
  'trash3',
  'x',
]

/** Icons of the palette: src/palette/palette-icon.tsx. */
const PALETTE = [
  'arrow-right',
  'arrow-repeat',
  'box-arrow-right',
  'chevron-right',
  'circle-half',
  'keyboard',
  'pencil',
  'plus-lg',
  'search',
  'trash3',
]

const byName = (names: string[]) => Object.fromEntries(names.map((name) => [name, name]))

/** The files of symbols, with the icons that the models name. */
export function buildIconFiles(modelIcons: string[]) {
  const social = buildFile('social', SOCIALS)
  const palette = buildFile('palette', byName(PALETTE))
  const record = buildFile('icons', byName([...new Set([...RECORDS, ...modelIcons])]))
  return {
    files: [social, record, palette],
    addresses: { social: social.address, palette: palette.address, record: record.address },
  }
}

/** Icons as one cached SVG file, so that no script includes them. Keys are the ids of its symbols. */
function buildFile(name: string, icons: Record<string, string>) {
  const text = `<svg xmlns="http://www.w3.org/2000/svg">${Object.entries(icons).map(symbol).join('')}</svg>`
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return { text, address: `/static/${name}-${hash}.svg` }
}

function symbol([id, name]: [string, string]) {
  const file = new URL(`${name}.svg`, ICONS).pathname
  if (!existsSync(file)) throw new Error(`Bootstrap Icons has no icon "${name}"`)
  const paths = pathsOf(file)
  return `<symbol id="${id}" viewBox="0 0 16 16">${paths.map((path) => `<path fill-rule="evenodd" d="${path}"/>`).join('')}</symbol>`
}
