import type { RecordData } from '#records/record/loading.ts'

export type Page = {
  items: RecordData[]
  next: string | null
  previous: string | null
  total: { count: number; exact: boolean } | null
}

/** Our envelope, or another server's bare array. */
export function toPage(body: unknown): Page {
  const read = (name: string): unknown => Reflect.get(Object(body), name)
  const items = Array.isArray(body) ? body : read('items')
  const total = read('total')
  return {
    items: Array.isArray(items)
      ? items.filter((item) => typeof item === 'object' && item !== null)
      : [],
    next: typeof read('next') === 'string' ? String(read('next')) : null,
    previous: typeof read('previous') === 'string' ? String(read('previous')) : null,
    total: typeof total === 'object' && total !== null ? (total as Page['total']) : null,
  }
}
