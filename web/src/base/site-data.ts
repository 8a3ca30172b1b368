import type { Notice, SiteConfig } from '@gatehouse/model'

type Picture = { src: string; width: number; height: number }

/** What every page needs to know about its site. */
export type SiteData = {
  config: Pick<
    SiteConfig,
    'site' | 'controller' | 'socials' | 'consent' | 'analytics' | 'contact'
  > & { owner: Omit<SiteConfig['owner'], 'alertEmail'> }
  /** Of the messages: the site's locale, or English without a catalogue for it. */
  language: string
  /** Lines such as `Mon–Fri 09:00–17:30`; none without `site.hours`. */
  openingHours: string[]
  /** The deployer's logo; null for the default one. */
  logo: { light: Picture; dark: Picture | null; hasName: boolean } | null
  /** Addresses of the files of symbols. */
  icons: { social: string; palette: string; record: string }
  noticeVersion: string
  /** Definitions of public models, without their fields. */
  models: unknown[]
  /** The notice is there as PDF, and images for previews and home screens; otherwise the browser prints. */
  isPrinted: boolean
}

export type Parts = { site: SiteData; profile: SiteConfig['profile']; notice: Notice }
/** Only one page shows each; the app requests them if it was started on another. */
export type PagePart = 'profile' | 'notice'

const given: Partial<Parts> = {}

/** Before any module that reads them is imported. */
export const provideParts = (parts: Partial<Parts>) => void Object.assign(given, parts)

/** The build is the same for every site: the document says which one it is, in data blocks with these names as ids. */
export function findPart<P extends keyof Parts>(name: P): Parts[P] | undefined {
  const text = globalThis.document?.getElementById(name)?.textContent
  return given[name] ?? (text ? (JSON.parse(text) as Parts[P]) : undefined)
}

/** Every document has `site`; the others are loaded before the modules that read them. */
export const partOf = <P extends keyof Parts>(name: P) => findPart(name) as Parts[P]
