import { canAccess, type Access } from '@gatehouse/model'
import type { User } from 'oidc-client-ts'
import { redirect, type MiddlewareFunction } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'
import { isBelowMfa } from '#auth/config.ts'
import { importPage } from '#ui/import-chunk.ts'

/** Guards a page by access level. A convenience: the API enforces. */
export const requireLevel =
  (needed: Access): MiddlewareFunction =>
  ({ request }) =>
    requireVisitor(needed, request)

/** Tries a silent sign-in before it redirects to /login. */
export async function requireVisitor(needed: Access, request: Request) {
  const stored = await currentUser()
  if (needed === 'public' || isServed(needed, stored)) return
  const user = stored ?? (await findUser(request))
  if (!isServed(needed, user)) throw redirectToSignIn(user, request)
}

/** False for an admin without a second factor, who would see empty client lists. */
const isServed = (needed: Access, user: User | null) =>
  canAccess(needed, toVisitor(user)) && !isBelowMfa(user)

/** Lazy-loaded: most visitors never open a guarded page. */
const findUser = (request: Request) =>
  importPage(() => import('#auth/silent-sign-in.ts')).then(
    ({ signInSilently }) => signInSilently(request),
    () => null,
  )

function redirectToSignIn(user: User | null, request: Request) {
  const { pathname, search } = new URL(request.url)
  return redirect(
    toVisitor(user) && !isBelowMfa(user)
      ? '/unauthorised'
      : `/login?returnUrl=${encodeURIComponent(pathname + search)}`,
  )
}
