import { loadPart } from './load-part.ts'

/** The specialist's own page, apart from site.ts: only that page needs it. */
export const profile = await loadPart('profile')
