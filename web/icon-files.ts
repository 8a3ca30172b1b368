import { createHash } from 'node:crypto'
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

/** Icons of models, record and staff pages, by their own names. */
const RECORDS = [
  'arrow-down',
  'arrow-up',
  'buildings',
  'card-checklist',
  'chat-left-text',
  'collection',
  'file-earmark-text',
  'grid',
  'hdd-stack',
  'journal-text',
  'layout-three-columns',
  'life-preserver',
  'people',
  'person-badge',
  'person-lock',
  'plus',
  'search',
  'shield-exclamation',
  'shield-lock',
  'speedometer2',
  'three-dots',
  'trash3',
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

export const paletteIcons = buildFile('palette', byName(PALETTE))
export const socialIcons = buildFile('social', SOCIALS)
export const recordIcons = buildFile('icons', byName(RECORDS))

/** Icons as one cached SVG file, so that no script includes them. Keys are the ids of its symbols. */
function buildFile(name: string, icons: Record<string, string>) {
  const text = `<svg xmlns="http://www.w3.org/2000/svg">${Object.entries(icons).map(symbol).join('')}</svg>`
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return { text, address: `/static/${name}-${hash}.svg` }
}

function symbol([id, name]: [string, string]) {
  const paths = pathsOf(new URL(`${name}.svg`, ICONS).pathname)
  return `<symbol id="${id}" viewBox="0 0 16 16">${paths.map((path) => `<path fill-rule="evenodd" d="${path}"/>`).join('')}</symbol>`
}
