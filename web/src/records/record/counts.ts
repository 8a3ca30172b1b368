import { createContext, useContext } from 'react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { readLater, type Later } from './later.ts'

/** How many records each model of the menu has, by its path. Not an object: another server may call one `constructor`. */
export type Counts = Map<string, { count: number; exact: boolean }>

/** Undefined until they are there and where no server counts, null where it fails. */
export const CountsContext = createContext<Counts | null | undefined>(undefined)
export const useCounts = () => useContext(CountsContext)

/** For the loader of a model: the page asks when it is there, so that the list is first. */
export const loadCounts = (signal: AbortSignal) => (): Later<Counts> =>
  readLater<object>('models/counts', signal).then((body) => body && readCounts(body))

/** Pages where a record is created, changed, deleted or restored. */
const WRITES = /\/(create|edit|delete)\b|[?&]trash=/

/** Counting is work: again for another model and after a change, not for each page and order of a list. */
export const isToCountAgain = (args: ShouldRevalidateFunctionArgs) =>
  args.formMethod !== undefined ||
  args.currentUrl.href === args.nextUrl.href ||
  args.currentParams['model'] !== args.nextParams['model'] ||
  WRITES.test(args.currentUrl.href)

const readCounts = (body: unknown): Counts =>
  new Map(
    Object.entries(Object(body) as Record<string, unknown>).flatMap(([path, value]) => {
      const count: unknown = Reflect.get(Object(value), 'count')
      const exact = Reflect.get(Object(value), 'exact') === true
      return typeof count === 'number' ? [[path, { count, exact }] as const] : []
    }),
  )
