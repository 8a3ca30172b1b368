import type { SiteConfig } from '@gatehouse/model'

declare const SITE_PROFILE: SiteConfig['profile']

/** The specialist's own page, apart from site.ts: only that page needs it. */
export const profile = SITE_PROFILE
