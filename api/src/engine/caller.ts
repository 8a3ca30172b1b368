import { canDo, levelOf, type Access, type Model } from '@gatehouse/model'
import type { SignedIn } from '#platform/http/auth.ts'
import type { Engine, ClaimsOf } from './engine.ts'

export type Caller = { visitor: SignedIn | null; level: Access; claims: ClaimsOf }

/** The server itself: sees everything, has no account. */
export const SYSTEM: Caller = { visitor: null, level: 'owner', claims: {} }

/** Claims are looked up for users only: admins see everything, anonymous visitors own nothing. */
export async function callerOf(engine: Engine, visitor: SignedIn | null): Promise<Caller> {
  const level = levelOf(visitor)
  const { claimsOf } = engine.identity
  const hasClaims = level === 'user' && visitor !== null && claimsOf !== null
  return {
    visitor,
    level,
    claims: hasClaims ? await claimsOf({ engine, db: engine.db, sub: visitor.sub }) : {},
  }
}

export const canRead = (model: Model, caller: Caller) =>
  caller === SYSTEM || canDo(model, 'get', caller.visitor) || canDo(model, 'list', caller.visitor)
