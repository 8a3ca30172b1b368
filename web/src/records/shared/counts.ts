import { createContext, useContext } from 'react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { deferJson, type Deferred } from './deferred.ts'

/** Record counts by model path. A Map: a path may be `constructor`. */
export type Counts = Map<string, { count: number; exact: boolean }>

/** Undefined while loading or uncounted, null on failure. */
export const CountsContext = createContext<Counts | null | undefined>(undefined)
export const useCounts = () => useContext(CountsContext)

/** For model loaders: called after render, so that the list loads first. */
export const loadCounts = (signal: AbortSignal) => (): Deferred<Counts> =>
  deferJson<object>('models/counts', signal).then((body) => body && readCounts(body))

/** Paths of pages that write. */
const WRITES = /\/(create|edit|delete)\b|[?&]trash=/

/** Recounts for another model and after a write, not on paging or sorting. */
export const shouldRecount = (args: ShouldRevalidateFunctionArgs) =>
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
