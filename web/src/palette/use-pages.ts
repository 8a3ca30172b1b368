import type { Visitor } from '@gatehouse/model'
import { hasProductPages } from '#auth/read-config.ts'
import { PAGES } from '#layout/nav-parts.tsx'
import { useStaffPages } from '#layout/staff-pages.ts'
import { siteMessages } from '#messages/site.ts'

type Page = { to: string; label: string }

/** Pages that this person may open: where they work, and the others. */
export function usePages(visitor: Visitor): { daily: Page[]; others: Page[] } {
  const ofStaff = useStaffPages()
  const others = [
    ...PAGES,
    { to: '/msp/services', label: siteMessages.services },
    { to: '/security', label: siteMessages.security },
  ]
  if (!visitor || !hasProductPages()) return { daily: [], others }
  const home =
    visitor.role === 'admin'
      ? { to: '/desk', label: siteMessages.desk }
      : { to: '/requests', label: siteMessages.requests }
  const signIn = { to: '/sessions', label: siteMessages.sessions }
  return { daily: [home], others: [...ofStaff, signIn, ...others] }
}
