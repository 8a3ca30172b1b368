import type { Size } from './sizes.ts'

export type Found = {
  what: string
  /** Its line in docs/scaling.md. */
  group: string
  buffers: number
  ms: number
  /** Maximum buffers; with a limit, growth is checked too. */
  limit?: number
  /** Longest wait for a response or rejection. */
  waitMs?: number
  /** Ended by its time limit, with advice in the response. */
  isRefused?: true
  fault?: string
}

/** Maximum growth from a million to ten million. */
const GROWTH_MAX = 1.3
/** Below this, a few more pages don't count as growth. */
const GROWTH_MIN_BUFFERS = 20

export type Judged = {
  what: string
  group: string
  limit: number | undefined
  at: Map<Size, Found>
  verdict: 'ok' | 'OVER' | 'GROWN' | 'LATE' | 'FAULT' | 'reported'
}

export function toVerdicts(found: Map<Size, Found[]>): Judged[] {
  // In the order of the largest size: short lists aren't measured further down.
  const names = new Set([...found.values()].toReversed().flatMap((rows) => rows.map(toName)))
  return [...names].map((what) => {
    const at = new Map(
      [...found].flatMap(([size, rows]) => {
        const row = rows.find((one) => one.what === what)
        return row ? [[size, row] as const] : []
      }),
    )
    const [first] = at.values()
    return { what, group: first?.group ?? '', limit: first?.limit, at, verdict: verdictOn(at) }
  })
}

const toName = ({ what }: Found) => what

export const isFailure = ({ verdict }: Pick<Judged, 'verdict'>) =>
  verdict !== 'ok' && verdict !== 'reported'

export function growthOf(at: Map<Size, Found>) {
  const [before, after] = [at.get('1m'), at.get('10m')]
  return before && after && !before.isRefused && !after.isRefused && before.buffers > 0
    ? after.buffers / before.buffers
    : null
}

function verdictOn(at: Map<Size, Found>): Judged['verdict'] {
  const all = [...at.values()]
  const [{ limit, waitMs } = {}] = all
  if (all.some(({ fault }) => fault)) return 'FAULT'
  if (all.some(({ ms }) => ms > (waitMs ?? Infinity))) return 'LATE'
  if (all.some(({ buffers }) => buffers > (limit ?? Infinity))) return 'OVER'
  if (limit === undefined) return waitMs === undefined ? 'reported' : 'ok'
  const isMore = (at.get('10m')?.buffers ?? 0) > GROWTH_MIN_BUFFERS
  return isMore && (growthOf(at) ?? 0) > GROWTH_MAX ? 'GROWN' : 'ok'
}
