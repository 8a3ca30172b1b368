import { site } from './site.ts'

/** A day has no time zone: parsed and formatted as UTC. */
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

/** Duration between two instants in the largest unit that fits: 3 hours, 15 days. */
export function spanOf(text: string, now: number) {
  const ms = Math.abs(Date.parse(text) - now)
  const [unit, size] = UNITS.find(([, one]) => ms >= one) ?? UNITS[2]
  return { unit, count: Math.max(1, Math.round(ms / size)) }
}
