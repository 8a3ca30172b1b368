import type { Notice, SiteConfig } from '@gatehouse/model'
import type { Parts, SiteData } from '#base/site-data.ts'

/** What a site's pages are rendered from, apart from the build. */
export type SiteInput = {
  config: SiteConfig
  /** Of the deployer's logo and colours: addresses for the pages, and the files to serve. */
  brand: { logo: SiteData['logo']; styles: string | null; files: Record<string, string> }
  notice: Notice
  language: string
}

/** The data blocks of documents; settings that no page shows stay out. */
export const partsOf = (
  { config, brand, notice, language }: SiteInput,
  icons: SiteData['icons'],
): Parts => {
  const { site, owner, controller, socials, consent, analytics, contact } = config
  return {
    site: {
      config: { site, owner, controller, socials, consent, analytics, contact },
      language,
      logo: brand.logo,
      icons,
      noticeVersion: notice.version,
    },
    profile: config.profile,
    notice,
  }
}
