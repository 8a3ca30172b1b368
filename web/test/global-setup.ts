import type { TestProject } from 'vitest/node'
import { exportForWeb, readSiteInput } from '../site-input.ts'
import type { Parts } from '../src/base/site-data.ts'
import { partsOf } from '../src/site-parts.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    siteParts: Parts
  }
}

const ICONS = {
  social: '/static/social.svg',
  palette: '/static/palette.svg',
  record: '/static/icons.svg',
}

/** The sample site's data, as its documents have it. */
export default function provideSiteParts({ provide }: TestProject) {
  exportForWeb()
  // Tests load the definitions they need.
  const input = { ...readSiteInput(), definitions: [] }
  provide('siteParts', partsOf(input, { logo: null, icons: ICONS }))
}
