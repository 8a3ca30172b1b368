/** Parameters of a list's address; with any of them a model's index address shows the generated list. */
const LIST_PARAMS = [
  'q',
  'filter',
  'sort',
  'columns',
  'limit',
  'density',
  'trash',
  'total',
  'after',
  'before',
] as const
export type ListParam = (typeof LIST_PARAMS)[number]

export const hasListParams = (query: URLSearchParams) => LIST_PARAMS.some((name) => query.has(name))
