import type { ConditionOf, InputOf, SortOf } from '@gatehouse/model'
import type { Models } from '@gatehouse/model/models'
import type { Definition } from './definitions.ts'

export type RecordData = Record<string, unknown>

/** Properties that hold the rows if the body is not an array. */
const ROWS = ['items', 'data', 'results']

/** The rows of a list; null if the body is not a list. An empty body is an empty list. */
export function rowsOf(body: unknown): RecordData[] | null {
  if (body === null) return []
  const found = [body, ...ROWS.map((name): unknown => Reflect.get(Object(body), name))]
  const list: unknown[] | undefined = found.find((one) => Array.isArray(one))
  const rows = list?.filter((row): row is RecordData => typeof row === 'object' && row !== null)
  // Null if the list has entries but none is a record.
  return rows && (rows.length > 0 || list?.length === 0) ? rows : null
}

export function displayOf({ viewData }: Definition, record: RecordData | null) {
  const value = record?.[viewData.displayField] ?? record?.['id']
  return value === null || value === undefined ? '' : String(value)
}

type Action<P extends keyof Models> = keyof Models[P]['actions'] & string

export const runAction = <P extends keyof Models, A extends Action<P>>(
  model: P,
  id: string,
  action: A,
  input?: InputOf<Models[P], A>,
) => ({
  path: `${model}/${encodeURIComponent(id)}/${action}`,
  ...(input ? { body: input as object } : {}),
})

type Listing<P extends keyof Models> = {
  all?: readonly ConditionOf<Models[P]>[]
  sort?: SortOf<Models[P]>
  limit?: number
  total?: 'none'
  after?: string | null
}

/** URL of a model's list with a query, the same in the API and on the site, typed by its definition. */
export const list = <P extends keyof Models>(model: P, { all, ...rest }: Listing<P>) =>
  `${model}?${Object.entries({ ...(all && { filter: JSON.stringify({ all }) }), ...rest })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&')}`
