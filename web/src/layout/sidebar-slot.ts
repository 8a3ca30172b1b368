import { buildStore } from '#base/store.ts'

/**
 * Where record pages put their models: in the frame, before the main area, so that "Skip to content" skips them. The
 * frame does not know what stands there.
 */
export const sidebarSlot = buildStore<HTMLElement | null>(null)

/** For the frame, as a ref. */
export const offerSidebarSlot = (element: HTMLElement | null) => sidebarSlot.set(element)
