import type { Head } from './head.ts'

export type Match = { data: unknown; params: Record<string, string | undefined> }

/** A route's breadcrumb: a fixed label, or one computed from the route's data and params; null while unknown. */
type Crumb = string | ((match: Match) => string | null)

export type Handle = {
  /** Parent crumb of a page that is not a child route: a record's form, its history. */
  above?: (match: Match) => { to: string; label: string }
  crumb?: Crumb
  head?: (match: Match) => Head
  /** Crumb and head don't need loader data. */
  needsNoData?: true
}
