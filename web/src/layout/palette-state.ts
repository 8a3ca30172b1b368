import { buildStore } from '#base/store.ts'

/** Which overlay of the palette is open. */
export const paletteState = buildStore<'closed' | 'search' | 'shortcuts'>('closed')
