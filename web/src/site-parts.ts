import type { Notice, SiteConfig } from '@gatehouse/model'
import type { Parts, SiteData } from '#base/site-data.ts'
import type { BrandInput } from './site-brand.ts'

/** What a site's pages are rendered from, apart from the build. */
export type SiteInput = {
  config: SiteConfig
  brand: BrandInput
  notice: Notice
  language: string
}

/** The data blocks of documents; settings that no page shows stay out. */
export const partsOf = (
  { config, notice, language }: SiteInput,
  { logo, icons }: Pick<SiteData, 'logo' | 'icons'>,
): Parts => {
  const { site, owner, controller, socials, consent, analytics, contact } = config
  return {
    site: {
      config: { site, owner, controller, socials, consent, analytics, contact },
      language,
      logo,
      icons,
      noticeVersion: notice.version,
    },
    profile: config.profile,
    notice,
  }
}
