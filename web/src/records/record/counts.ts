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

/** Where a record is created, changed, deleted or restored on a page of its own. */
const WRITES = /^\/[^/]+\/(create|edit\/|delete\/)/

/** Counting is work: again for another model and after a change, not for each page and order of a list. */
export const isToCountAgain = (args: ShouldRevalidateFunctionArgs) => {
  const { currentUrl, nextUrl, currentParams, nextParams, formMethod } = args
  const isReload = currentUrl.href === nextUrl.href
  const hasLeftForm = WRITES.test(currentUrl.pathname) || currentUrl.searchParams.has('trash')
  return (
    currentParams['model'] !== nextParams['model'] ||
    formMethod !== undefined ||
    isReload ||
    hasLeftForm
  )
}

const readCounts = (body: unknown): Counts =>
  new Map(
    Object.entries(Object(body) as Record<string, unknown>).flatMap(([path, value]) => {
      const count: unknown = Reflect.get(Object(value), 'count')
      const exact = Reflect.get(Object(value), 'exact') === true
      return typeof count === 'number' ? [[path, { count, exact }] as const] : []
    }),
  )
