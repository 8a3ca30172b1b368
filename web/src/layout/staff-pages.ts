import { canAccess, type Access } from '@gatehouse/model'
import { useAuth } from 'react-oidc-context'
import { toVisitor } from '#auth/auth.ts'
import { siteMessages } from '#messages/site.ts'

/** Pages of staff besides the desk; the level of each is checked by its route too. */
const STAFF_PAGES: { to: string; label: string; icon: string; access: Access }[] = [
  { to: '/requests', label: siteMessages.staffRequests, icon: 'chat-left-text', access: 'admin' },
  { to: '/system', label: siteMessages.system, icon: 'speedometer2', access: 'admin' },
  { to: '/people', label: siteMessages.people, icon: 'person-badge', access: 'owner' },
  {
    to: '/security-events',
    label: siteMessages.securityEvents,
    icon: 'shield-lock',
    access: 'owner',
  },
  { to: '/changes', label: siteMessages.changes, icon: 'card-checklist', access: 'owner' },
]

export function useStaffPages() {
  const visitor = toVisitor(useAuth().user)
  return STAFF_PAGES.filter(({ access }) => canAccess(access, visitor))
}
