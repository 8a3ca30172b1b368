import { getJson } from './failure.ts'
import { buildFreshValue } from './fresh-value.ts'
import { list } from './records.ts'

/** Tickets whose client waits for a reply. */
export const UNANSWERED = ['status', 'in', ['New', 'Open']] as const

const ADDRESS = list('tickets', { all: [UNANSWERED], limit: 1 })

type Total = { count: number; exact: boolean }

/** How many tickets wait for a reply, beside the link to the desk. */
export const deskCount = buildFreshValue(
  async () => (await getJson<{ total: Total | null }>(ADDRESS)).total,
)
