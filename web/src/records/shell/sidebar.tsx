import { createPortal } from 'react-dom'
import { ModelNav } from '#layout/model-nav.tsx'
import { sidebarSlot } from '#layout/sidebar-slot.ts'

/** In a portal before <main>, so that "Skip to content" skips it. Staff have a rail instead: layout/staff-rail.tsx. */
export function Sidebar() {
  const slot = sidebarSlot.use()
  return slot && createPortal(<ModelNav className="sidebar" isCreating />, slot)
}
