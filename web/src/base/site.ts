import { partOf } from './site-data.ts'

const data = partOf('site')

export const { site, owner, controller, socials, consent, analytics, contact } = data.config
/** A firm may present itself instead of a person. */
export const isOwnerFirm = owner.name === site.name
export const { language, openingHours, logo, icons, noticeVersion, isPrinted } = data
