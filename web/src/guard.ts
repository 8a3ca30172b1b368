import { canAccess, type Access, type Visitor } from '@gatehouse/model'
import { redirect, type MiddlewareFunction } from 'react-router'
import { currentUser, toVisitor } from './auth.ts'

/** A page for people of a level: everybody else is shown the way. A courtesy: the API decides on its own. */
export const requireLevel =
  (needed: Access): MiddlewareFunction =>
  async ({ request }) => {
    const visitor = toVisitor(await currentUser())
    if (!canAccess(needed, visitor)) throw turnAway(visitor, request)
  }

/** Nobody goes to sign in and comes back; somebody without the right is told so. */
export function turnAway(visitor: Visitor, request: Request) {
  const { pathname, search } = new URL(request.url)
  return redirect(
    visitor ? '/unauthorised' : `/login?returnUrl=${encodeURIComponent(pathname + search)}`,
  )
}
