import { openingLines, type Notice, type SiteConfig } from '@gatehouse/model'
import type { BrandInput } from '@gatehouse/model/brand'
import type { Parts, SiteData } from '#base/site-data.ts'

/** Input of a site's pages, apart from the build. */
export type SiteInput = {
  config: SiteConfig
  brand: BrandInput
  notice: Notice
  /** Definitions of public models, as GET /api/models answers anonymous callers. */
  definitions: unknown[]
  language: string
  /** Whether the notice's PDF and the preview images were made. */
  isPrinted: boolean
}

/** The data blocks of documents; settings that no page shows stay out. */
export const partsOf = (
  { config, notice, language, isPrinted, definitions }: SiteInput,
  { logo, icons }: Pick<SiteData, 'logo' | 'icons'>,
): Parts => {
  const { site, controller, socials, consent, analytics, contact } = config
  // Alerts go to an address that nobody else needs to know.
  const { alertEmail: _private, ...owner } = config.owner
  return {
    site: {
      config: { site, owner, controller, socials, consent, analytics, contact },
      language,
      // Formatted here: browsers may name weekdays differently, and hydration would fail.
      openingHours: site.hours ? openingLines(site.hours, language) : [],
      logo,
      icons,
      noticeVersion: notice.version,
      isPrinted,
      models: definitions.map(toMenuDefinition),
    },
    profile: config.profile,
    notice,
  }
}

/** Enough for the menu and reading pages: with their fields, the definitions would be most of a document. */
function toMenuDefinition(definition: unknown) {
  const given = Object(definition) as Record<string, unknown>
  const { path, routeName, name, menu, authorise, owner, without, pages, viewData } = given
  const { title, displayField } = Object(viewData) as Record<string, unknown>
  const view = { title, displayField }
  return { path, routeName, name, menu, authorise, owner, without, pages, viewData: view }
}
