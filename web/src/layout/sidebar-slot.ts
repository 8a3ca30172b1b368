import { buildStore } from '#base/store.ts'

/** Portal target of the record sidebar: in the layout before <main>, so that "Skip to content" skips it. */
export const sidebarSlot = buildStore<HTMLElement | null>(null)

/** Ref callback for the layout. */
export const offerSidebarSlot = (element: HTMLElement | null) => sidebarSlot.set(element)
