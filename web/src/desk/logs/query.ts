/** Sent to the API unchanged; `from` and `to` are converted. */
const SHARED = ['kind', 'person', 'model', 'record', 'before'] as const
const DAY_MS = 86_400_000

/** Converts days in the reader's zone to instants; the last day is included in full. */
export function toApiQuery(address: URLSearchParams) {
  const params = new URLSearchParams()
  for (const name of SHARED) {
    const value = address.get(name)
    if (value) params.set(name, value)
  }
  const from = startOf(address.get('from'))
  const to = startOf(address.get('to'))
  if (from !== null) params.set('from', new Date(from).toISOString())
  if (to !== null) params.set('to', new Date(endOf(to)).toISOString())
  return params
}

function startOf(day: string | null) {
  if (!day) return null
  // Without an offset, the time is local.
  const at = Date.parse(day.length === '2026-01-01'.length ? `${day}T00:00` : day)
  return Number.isNaN(at) ? null : at
}

/** A midnight means the whole day and becomes the next one, even after 23 or 25 hours; other times stay unchanged. */
function endOf(at: number) {
  const day = new Date(at)
  const isMidnight = day.getHours() === 0 && day.getMinutes() === 0
  return isMidnight ? new Date(at + 1.5 * DAY_MS).setHours(0, 0, 0, 0) : at
}

/** Drops `before`: the cursor of another result. */
export function withFilters(address: URLSearchParams, changes: Record<string, string | null>) {
  const next = new URLSearchParams(address)
  next.delete('before')
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  return `?${next}`
}
