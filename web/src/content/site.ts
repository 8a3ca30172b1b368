import type { SiteConfig } from '@gatehouse/model'

/** The deployer's file (config/site.json), put in at build time. */
declare const SITE_CONFIG: SiteConfig

export const { site, owner, controller, socials, consent, analytics, contact, profile } =
  SITE_CONFIG
