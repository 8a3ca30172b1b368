import { readFileSync } from 'node:fs'
import type { Context } from '@gatehouse/model'

export type Site = {
  name: string
  url: string
  timezone: string
  country: string
  currency: string
  locale: string
  responseHours: number
}

/** The deployer's file. It is read once: a change of configuration is a restart. */
export const readSite = (file: string): Site => JSON.parse(readFileSync(file, 'utf8')).site

/** What `@today`, `@now` and `@site.…` mean at this moment, on the site's calendar. */
export const contextOf = (site: Site, at = new Date()): Context => ({
  today: calendarOf(site.timezone).format(at),
  now: at.toISOString(),
  site: { country: site.country, currency: site.currency },
})

/** Making one takes longer than most statements; every request asks for today. */
function calendarOf(timezone: string) {
  const calendar =
    calendars.get(timezone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: timezone })
  calendars.set(timezone, calendar)
  return calendar
}

const calendars = new Map<string, Intl.DateTimeFormat>()
