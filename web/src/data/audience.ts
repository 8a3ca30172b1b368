import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'

/** Whether the page is for staff, who see different texts. */
export async function loadAudience() {
  const visitor = toVisitor(await currentUser())
  return { sub: visitor?.sub ?? '', isStaff: visitor?.role === 'admin' }
}

export const isForStaff = (data: unknown) => Reflect.get(Object(data), 'isStaff') === true
