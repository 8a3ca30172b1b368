import { partOf } from './site-data.ts'

/** The specialist's own page, apart from site.ts: only that page needs it. */
export const profile = partOf('profile')
