import type { DataRouter, Location } from 'react-router'
import { importOrToast } from './import-or-toast.ts'

/**
 * Shows toasts and modals from navigation state or URL once, then clears them. Survives a guard's redirect, which drops the state
 * of the interrupted navigation.
 */
export function watchInstructions(router: DataRouter) {
  let pending: unknown = null
  const shown = new Set<string>()
  const showInstructions = () => {
    const { navigation, location } = router.state
    if (navigation.state !== 'idle') {
      pending = hasInstruction(navigation.location.state) ? navigation.location.state : pending
      return
    }
    const query = new URLSearchParams(location.search)
    const isInQuery = query.has('toast') || query.has('modal')
    const isInState = hasInstruction(location.state)
    const state: unknown = isInState ? location.state : pending
    pending = null
    if (!isInQuery && !hasInstruction(state)) return
    if (!shown.has(location.key)) {
      shown.add(location.key)
      void show(state, isInQuery ? query : null)
    }
    // The router drops `replace` while it is completing a navigation.
    if (isInQuery || isInState) queueMicrotask(() => clear(router, location))
  }
  showInstructions()
  return router.subscribe(showInstructions)
}

/** Replaces the history entry without the instruction; no revalidation. */
function clear(router: DataRouter, location: Location) {
  if (router.state.location !== location || router.state.navigation.state !== 'idle') return
  const query = new URLSearchParams(location.search)
  query.delete('toast')
  query.delete('modal')
  const search = query.size > 0 ? `?${query}` : ''
  void router.navigate(
    { pathname: location.pathname, search, hash: location.hash },
    { replace: true, state: null, preventScrollReset: true, defaultShouldRevalidate: false },
  )
}

/** Lazy-loaded: most pages open without any. */
async function show(state: unknown, query: URLSearchParams | null) {
  const part = await importOrToast(
    () => import('./read-instruction.ts'),
    () => show(state, query),
  )
  part?.showInstruction(part.fromState(state))
  if (query) part?.showInstruction(part.fromQuery(query))
}

const hasInstruction = (state: unknown) =>
  typeof state === 'object' && state !== null && ('toast' in state || 'modal' in state)
