import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { modelCounts } from '#data/model-counts.ts'

export const useCounts = modelCounts.use

/** For model loaders: called after render, so that the list loads first. */
export const loadCounts = (signal: AbortSignal) => () => void modelCounts.reload(signal)

/** Paths of pages that write. */
const WRITES = /\/(create|edit|delete)\b|[?&]trash=/

/** Recounts for another model and after a write, not on paging or sorting. */
export const shouldRecount = (args: ShouldRevalidateFunctionArgs) =>
  args.formMethod !== undefined ||
  args.currentUrl.href === args.nextUrl.href ||
  args.currentParams['model'] !== args.nextParams['model'] ||
  WRITES.test(args.currentUrl.href)
