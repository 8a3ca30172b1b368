/** A route's place in the breadcrumbs: a fixed label, or one computed from the route's data and params. */
type Crumb =
  string | ((match: { data: unknown; params: Record<string, string | undefined> }) => string)

/** What a route's `handle` holds. */
export type Handle = { crumb?: Crumb }
