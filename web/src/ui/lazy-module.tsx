import { useEffect } from 'react'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { importChunk } from './import-chunk.ts'
import { buildStore } from '#base/store.ts'
import { Icon } from './icon.tsx'

type State<T> = { code: T | null; failures: number; isTrying: boolean }

export type LazyModule<T> = ReturnType<typeof lazyModule<T>>

/** A lazy-loaded module; `what` names it in "Couldn't load…". */
export function lazyModule<T>(what: string, load: () => Promise<T>) {
  const state = buildStore<State<T>>({ code: null, failures: 0, isTrying: false })
  let loading: Promise<void> | null = null

  async function fetchOnce() {
    if (state.get().code) return
    loading ??= importChunk(what, load)
      .then((code) => state.set({ code, failures: 0, isTrying: false }))
      .finally(() => (loading = null))
    await loading
  }

  return {
    what,
    use: state.use,
    prepare: () => fetchOnce().catch(() => {}),
    /** Loads or retries; LazyModuleFailed shows a failure. */
    async load() {
      const { code, isTrying } = state.get()
      if (code || isTrying) return
      state.set({ ...state.get(), isTrying: true })
      await fetchOnce().catch(() => {
        state.set({ ...state.get(), failures: state.get().failures + 1, isTrying: false })
      })
    },
  }
}

/** A module once loaded. Loads while `isWanted`; a new `retryKey` retries. */
export function useLazyModule<T>(
  part: LazyModule<T>,
  isWanted = true,
  retryKey: unknown = null,
): T | null {
  const { code } = part.use()
  useEffect(() => {
    if (isWanted && !code) void part.load()
  }, [part, isWanted, code, retryKey])
  return code
}

type Props = {
  part: Pick<LazyModule<unknown>, 'what' | 'use' | 'load'>
  /** Closes a module that opens over the page. */
  onClose?: () => void
  /** Rendered in the page flow, even with `onClose`. */
  isInline?: boolean
}

export function LazyModulePending({ part }: Pick<Props, 'part'>) {
  if (part.use().failures > 0) return <LazyModuleFailed part={part} />
  return (
    <p className="late" role="status" ref={keepPanelOpen}>
      {specifiedMessages.loading}
    </p>
  )
}

/** Keeps the panel open on Tab while its content loads: nothing in it is focusable yet. */
function keepPanelOpen(element: HTMLElement | null) {
  const panel = element?.closest<HTMLElement>('[popover]')
  const stay = (event: KeyboardEvent) => {
    if (event.key === 'Tab') event.preventDefault()
  }
  panel?.addEventListener('keydown', stay)
  return () => panel?.removeEventListener('keydown', stay)
}

/** Replaces a module that failed to load. From the second failure on it offers a reload: a release may have replaced the file. */
export function LazyModuleFailed({ part, onClose, isInline = !onClose }: Props) {
  const { failures, isTrying } = part.use()
  if (failures === 0) return null
  const isRepeated = failures > 1
  return (
    <div className={`note danger part-failed${isInline ? '' : ' over'}`} role="alert">
      <Icon name="exclamation-triangle-fill" />
      <div>
        <p>
          {isRepeated ? siteMessages.stillNotLoaded(part.what) : siteMessages.notLoaded(part.what)}
        </p>
        <div className="acts">
          <button
            type="button"
            className="btn btn-secondary btn-sm"
            aria-disabled={isTrying}
            onClick={() => void part.load()}
          >
            {siteMessages.tryAgain}
          </button>
          {isRepeated && (
            <button
              type="button"
              className="btn btn-secondary btn-sm"
              onClick={() => window.location.reload()}
            >
              {siteMessages.reloadPage}
            </button>
          )}
          {onClose && (
            <button type="button" className="btn btn-quiet btn-sm" onClick={onClose}>
              {siteMessages.close}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}
