import { formatNumber, plural } from '#base/format.ts'
import { site } from '#base/site.ts'

/** Completes “We’ll reply within”: counted in working hours on a site that has opening hours. */
export const responseTime = (hours: number) =>
  site.hours
    ? plural(hours, { one: '1 working hour', other: `${formatNumber(hours)} working hours` })
    : plural(hours, { one: '1 hour', other: `${formatNumber(hours)} hours` })
