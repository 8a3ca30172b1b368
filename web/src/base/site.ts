import type { SiteConfig } from '@gatehouse/model'

/** site.json of the site's folder, inlined at build time. */
declare const SITE_CONFIG: Omit<SiteConfig, 'profile'>
/** The deployer's logo; null for the default one. */
declare const LOGO: Logo | null
/** Address of the footer's icons, by the names of `socials`. */
declare const SOCIAL_ICONS: string
/** Address of the palette's icons. */
declare const PALETTE_ICONS: string
/** Address of the icons of record and staff pages. */
declare const RECORD_ICONS: string
/** Version of the notice; the notice itself is in notice.ts, as only one page needs it. */
declare const NOTICE_VERSION: string

export const { site, owner, controller, socials, consent, analytics, contact } = SITE_CONFIG
type Picture = { src: string; width: number; height: number }
type Logo = { light: Picture; dark: Picture | null; hasName: boolean }

export const logo = LOGO
export const socialIcons = SOCIAL_ICONS
export const paletteIcons = PALETTE_ICONS
export const recordIcons = RECORD_ICONS
export const noticeVersion = NOTICE_VERSION
