import { rowsOf } from '#data/records.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'

export type Page = {
  items: RecordData[]
  next: string | null
  previous: string | null
  total: { count: number; exact: boolean } | null
}

/** Parses our envelope or another server's list; null if the body is neither. */
export function toPage(body: unknown): Page | null {
  const read = (name: string): unknown => Reflect.get(Object(body), name)
  const items = rowsOf(body)
  const total = read('total')
  return (
    items && {
      items,
      next: typeof read('next') === 'string' ? String(read('next')) : null,
      previous: typeof read('previous') === 'string' ? String(read('previous')) : null,
      total: typeof total === 'object' && total !== null ? (total as Page['total']) : null,
    }
  )
}
