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

/** Parameters of a reading page that shows a part of its records. */
const READING_PARAMS = ['kind', 'older'] as const

export const hasListParams = (query: URLSearchParams) => LIST_PARAMS.some((name) => query.has(name))
export const hasReadingParams = (query: URLSearchParams) =>
  READING_PARAMS.some((name) => query.has(name))
