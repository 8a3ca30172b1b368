import { partOf } from './site-data.ts'

const data = partOf('site')

export const { site, owner, controller, socials, consent, analytics, contact } = data.config
export const { language, openingHours, logo, icons, noticeVersion, isPrinted } = data
