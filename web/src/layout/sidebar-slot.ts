import { buildStore } from '#base/store.ts'

/**
 * Where record pages put their models: in the frame, before the main area, so that "Skip to content" skips them. The
 * frame does not know what stands there.
 */
export const railSlot = buildStore<HTMLElement | null>(null)

/** For the frame, as a ref. */
export const offerRailSlot = (element: HTMLElement | null) => railSlot.set(element)
