import { createHash } from 'node:crypto'
import type { Social } from '@gatehouse/model'
import { pathsOf } from './icon-paths.ts'

const ICONS = new URL('../node_modules/bootstrap-icons/icons/', import.meta.url)

const NAMES: Record<Social, string> = {
  credentials: 'patch-check',
  cloudLearning: 'cloud-check',
  developerProfile: 'braces',
  codeHosting: 'github',
  messaging: 'chat-dots',
  microblog: 'twitter-x',
  socialNetwork: 'facebook',
  professionalNetwork: 'linkedin',
}

/** The footer's icons as one cached SVG file, so that no script includes them. */
const text = `<svg xmlns="http://www.w3.org/2000/svg">${Object.entries(NAMES).map(symbol).join('')}</svg>`

export const socialIcons = {
  text,
  address: `/static/social-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.svg`,
}

function symbol([id, name]: [string, string]) {
  const paths = pathsOf(new URL(`${name}.svg`, ICONS).pathname)
  return `<symbol id="${id}" viewBox="0 0 16 16">${paths.map((path) => `<path fill-rule="evenodd" d="${path}"/>`).join('')}</symbol>`
}
