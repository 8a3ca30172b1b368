import type { Head } from './head.ts'

export type Match = { data: unknown; params: Record<string, string | undefined> }

/** A route's place in the breadcrumbs: a fixed label, or one computed from the route's data and params. */
type Crumb = string | ((match: Match) => string)

/** What a route's `handle` holds. */
export type Handle = {
  /** Of a page that stands below another one without being its child: a record's form, its history. */
  above?: (match: Match) => { to: string; label: string }
  crumb?: Crumb
  head?: (match: Match) => Head
  /** Its crumb and head are known also where its data could not be loaded. */
  needsNoData?: true
}
