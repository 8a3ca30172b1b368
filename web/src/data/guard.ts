import { canAccess, type Access, type Visitor } from '@gatehouse/model'
import { redirect, type MiddlewareFunction } from 'react-router'
import { currentUser, toVisitor } from '#auth/auth.ts'
import { fetchPage } from '#ui/fetch-part.ts'

/** Guards a page by access level. Only a courtesy: the API enforces. */
export const requireLevel =
  (needed: Access): MiddlewareFunction =>
  ({ request }) =>
    requireVisitor(needed, request)

/** Passes, or redirects to /login or /unauthorised; tries a silent sign-in before /login. */
export async function requireVisitor(needed: Access, request: Request) {
  const known = toVisitor(await currentUser())
  if (canAccess(needed, known)) return
  const visitor = known ?? toVisitor(await findUser(request))
  if (!canAccess(needed, visitor)) throw redirectToSignIn(visitor, request)
}

/** Lazy: most visitors never open a guarded page. */
const findUser = (request: Request) =>
  fetchPage(() => import('#auth/silent-sign-in.ts')).then(
    ({ signInSilently }) => signInSilently(request),
    () => null,
  )

/** Signed out: to /login and back. Without the right: to /unauthorised. */
function redirectToSignIn(visitor: Visitor, request: Request) {
  const { pathname, search } = new URL(request.url)
  return redirect(
    visitor ? '/unauthorised' : `/login?returnUrl=${encodeURIComponent(pathname + search)}`,
  )
}
