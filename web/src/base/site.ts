import type { SiteConfig } from '@gatehouse/model'

/** site.json of the site's folder, put in at build time. */
declare const SITE_CONFIG: SiteConfig
/** Where the deployer's logo lies; null: the one that is drawn. */
declare const LOGO: Logo | null
/** Which notice the site was built with; the notice itself is in notice.ts, because only one page needs it. */
declare const NOTICE_VERSION: string

export const { site, owner, controller, socials, consent, analytics, contact, profile, signIn } =
  SITE_CONFIG
type Picture = { src: string; width: number; height: number }
type Logo = { light: Picture; dark: Picture | null; hasName: boolean }

export const logo = LOGO
export const noticeVersion = NOTICE_VERSION
