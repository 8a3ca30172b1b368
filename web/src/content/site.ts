/** The deployer's file (config/site.json), put in at build time. */
declare const SITE_CONFIG: {
  site: { name: string; locale: string; timezone: string }
  owner: { credit: string }
}

export const site = SITE_CONFIG.site
export const owner = SITE_CONFIG.owner
