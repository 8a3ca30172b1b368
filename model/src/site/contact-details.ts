import { WEEKDAYS, type OpeningHours, type SiteConfig } from './config.ts'

/** Longest and shortest telephone number with its country code (E.164). */
const PHONE_DIGITS = { min: 7, max: 15 }
/** A Monday: weekday names are formatted from the days after it. */
const MONDAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

/** Beside the country code `(0)` is dialled within the country only. */
const dialledDigits = (phone: string) =>
  phone.replace(phone.startsWith('+') ? '(0)' : '', '').replaceAll(/[^0-9]/g, '')

export const telLink = (phone: string) =>
  `tel:${phone.startsWith('+') ? '+' : ''}${dialledDigits(phone)}`

/** Ireland's numbers for films and samples, 020 91x xxxx: they reach nobody. */
export const isFictionalPhone = (phone: string) => dialledDigits(phone).startsWith('3532091')

export type OpeningTime = { opens: string; closes: string }

/** Days of the week from Monday, each with its opening times; none if closed. */
export const openingDays = (hours: OpeningHours) =>
  WEEKDAYS.map((day) => ({ day, times: (hours[day] ?? []).map(toTime) }))

function toTime(text: string): OpeningTime {
  const [opens = '', closes = ''] = text.split('-')
  return { opens, closes }
}

/** `Mon–Fri 09:00–17:30`: one line for days in a row with the same times. */
export function openingLines(hours: OpeningHours, language: string) {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  const nameOf = (index: number) => weekday.format(MONDAY + index * DAY_MS)
  const rows: { first: number; last: number; times: string }[] = []
  for (const [index, { times }] of openingDays(hours).entries()) {
    const text = times.map(({ opens, closes }) => `${opens}–${closes}`).join(', ')
    const row = rows.at(-1)
    if (row?.times === text) row.last = index
    else rows.push({ first: index, last: index, times: text })
  }
  return rows
    .filter(({ times }) => times !== '')
    .map(({ first, last, times }) => {
      const days = first === last ? nameOf(first) : `${nameOf(first)}–${nameOf(last)}`
      return `${days} ${times}`
    })
}

/** Errors that the schema of site.json can't express: the setting, then what to do. */
export const contactDetailErrors = ({ site }: SiteConfig) => [
  ...phoneErrors('/site/phone', site.phone),
  ...phoneErrors('/site/emergency/phone', site.emergency?.phone),
  ...(site.hours ? hoursErrors(site.hours) : []),
  ...(site.holidays ?? []).flatMap((day, index) =>
    isCalendarDay(day)
      ? []
      : [`/site/holidays/${index} must be a day of the calendar, as in 2026-12-25: ${day}`],
  ),
]

function phoneErrors(setting: string, phone: string | undefined) {
  const { length } = dialledDigits(phone ?? '')
  const { min, max } = PHONE_DIGITS
  return phone === undefined || (length >= min && length <= max)
    ? []
    : [`${setting} must have ${min} to ${max} digits with the country code: ${phone}`]
}

function hoursErrors(hours: OpeningHours) {
  const days = openingDays(hours)
  if (days.every(({ times }) => times.length === 0))
    return ['/site/hours must have an opening time: add one, or remove the setting']
  return days.flatMap(({ day, times }) =>
    times.flatMap(({ opens, closes }, index) => {
      const setting = `/site/hours/${day}/${index}`
      const before = times[index - 1]
      return [
        ...(opens < closes ? [] : [`${setting} must close after it opens: ${opens}-${closes}`]),
        ...(before && opens <= before.closes
          ? [`${setting} must open after ${before.closes}, when the one before closes: ${opens}`]
          : []),
      ]
    }),
  )
}

function isCalendarDay(day: string) {
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}
