import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'

/** Who a page is loaded for: staff see different texts on the same pages. */
export async function loadAudience() {
  const visitor = toVisitor(await currentUser())
  return { sub: visitor?.sub ?? '', isStaff: visitor?.role === 'admin' }
}

/** The audience, from its route's loader data. */
export const isForStaff = (data: unknown) => Reflect.get(Object(data), 'isStaff') === true
