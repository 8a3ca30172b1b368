import { useAuth } from 'react-oidc-context'
import { toVisitor } from '#auth/auth.ts'
import { isStoredAdmin } from '#auth/config.ts'
import { hasProductPages } from '#auth/read-config.ts'
import { isProductPath } from '#auth/reserved-paths.ts'
import { firstSegment, isRecordAddress } from '#data/definitions.ts'
import { siteMessages } from '#messages/site.ts'
import { lazyModule, useLazyModule } from '#ui/lazy-module.tsx'

const shell = lazyModule(siteMessages.parts.page, () => import('./staff-shell.tsx'))

/** Bar, rail and status line of staff pages. Null for everyone else, on public pages and until loaded. */
export function useStaffShell(pathname: string) {
  const isStaff = useIsStaff()
  const loaded = useLazyModule(shell, isStaff, pathname)
  return isStaff && isStaffPage(pathname) ? loaded : null
}

/** Before the first paint of a staff page: its bar has another height. */
export async function prepareStaffShell(pathname: string) {
  if (isStoredAdmin() && isStaffPage(pathname)) await shell.prepare()
}

/** Only with the product's own pages: a server of the specification alone gets the specification's menu. */
function useIsStaff() {
  const { isLoading, user } = useAuth()
  if (hasProductPages() === false) return false
  return isLoading ? isStoredAdmin() : toVisitor(user)?.role === 'admin'
}

const isStaffPage = (pathname: string) =>
  isProductPath(firstSegment(pathname)) || isRecordAddress(pathname)
