import type { Notice, SiteConfig } from '@gatehouse/model'
import type { BrandInput } from '@gatehouse/model/brand'
import type { Parts, SiteData } from '#base/site-data.ts'

/** What a site's pages are rendered from, apart from the build. */
export type SiteInput = {
  config: SiteConfig
  brand: BrandInput
  notice: Notice
  language: string
  /** Whether the notice's PDF and the preview images were made. */
  isPrinted: boolean
}

/** The data blocks of documents; settings that no page shows stay out. */
export const partsOf = (
  { config, notice, language, isPrinted }: SiteInput,
  { logo, icons }: Pick<SiteData, 'logo' | 'icons'>,
): Parts => {
  const { site, controller, socials, consent, analytics, contact } = config
  // Alerts go to an address that nobody else needs to know.
  const { alertEmail: _private, ...owner } = config.owner
  return {
    site: {
      config: { site, owner, controller, socials, consent, analytics, contact },
      language,
      logo,
      icons,
      noticeVersion: notice.version,
      isPrinted,
    },
    profile: config.profile,
    notice,
  }
}
