/**
 * The day a reply is due: 30 days after receipt as the notice promises, or one month if that is sooner, as around February
 * (GDPR Art. 12(3)). Days are those of the site's calendar: 2026-01-31.
 */
export function responseDeadline(received: string) {
  const [year = 0, month = 0, day = 0] = received.split('-').map(Number)
  const lastOfNextMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const inAMonth = toDay(Date.UTC(year, month, Math.min(day, lastOfNextMonth)))
  const inThirtyDays = toDay(Date.UTC(year, month - 1, day + PROMISED_DAYS))
  return inAMonth < inThirtyDays ? inAMonth : inThirtyDays
}

export const PROMISED_DAYS = 30

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10)
