import { site } from './site.ts'

/** A day has no time zone: it is read as it is written. */
export function formatDay(text: string) {
  const [year, month, day] = text.split('-').map(Number)
  if (!year || !month || !day) return text
  return new Intl.DateTimeFormat(site.locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.UTC(year, month - 1, day),
  )
}

export const formatInstant = (text: string) => {
  const at = new Date(text)
  return Number.isNaN(at.getTime())
    ? text
    : new Intl.DateTimeFormat(site.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** `in 3 hours`, `2 days ago`: rounded to what matters. */
export function formatDistance(text: string, now: number) {
  const ms = Date.parse(text) - now
  const [unit, size] = UNITS.find(([, one]) => Math.abs(ms) >= one) ?? UNITS[2]
  return new Intl.RelativeTimeFormat(site.locale, { numeric: 'auto' }).format(
    Math.round(ms / size),
    unit,
  )
}
