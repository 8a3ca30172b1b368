import { currentUser, toVisitor } from '#auth/auth.ts'

/** Whom a page is loaded for: the same pages say something else to staff. */
export async function loadAudience() {
  const visitor = toVisitor(await currentUser())
  return { sub: visitor?.sub ?? '', isStaff: visitor?.role === 'admin' }
}

/** What the audience's loader said, wherever a route asks for it. */
export const isForStaff = (data: unknown) => Reflect.get(Object(data), 'isStaff') === true
