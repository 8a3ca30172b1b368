import { canAccess, type Access, type Visitor } from '@gatehouse/model'
import { redirect, type MiddlewareFunction } from 'react-router'
import { currentUser, toVisitor } from '#auth/auth.ts'
import { fetchPage } from '#ui/fetch-part.ts'

/** A page for people of a level: everybody else is shown the way. A courtesy: the API decides on its own. */
export const requireLevel =
  (needed: Access): MiddlewareFunction =>
  ({ request }) =>
    requireVisitor(needed, request)

/** Lets pass, or sends to /login or /unauthorised. Nobody is sent to /login before the provider has been asked. */
export async function requireVisitor(needed: Access, request: Request) {
  const known = toVisitor(await currentUser())
  if (canAccess(needed, known)) return
  const visitor = known ?? toVisitor(await findUser(request))
  if (!canAccess(needed, visitor)) throw redirectToSignIn(visitor, request)
}

/** Most visitors never come to a guarded page. */
const findUser = (request: Request) =>
  fetchPage(() => import('#auth/silent-sign-in.ts')).then(
    ({ signInSilently }) => signInSilently(request),
    () => null,
  )

/** Nobody goes to sign in and comes back; someone without the right is told so. */
function redirectToSignIn(visitor: Visitor, request: Request) {
  const { pathname, search } = new URL(request.url)
  return redirect(
    visitor ? '/unauthorised' : `/login?returnUrl=${encodeURIComponent(pathname + search)}`,
  )
}
