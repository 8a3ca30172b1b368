import { canDo, levelOf, type Access, type Model } from '@gatehouse/model'
import type { SignedIn } from '#platform/http/auth.ts'
import type { Engine, HeldClaims } from './engine.ts'

/** A visitor, and what decides which rows are theirs. */
export type Caller = { visitor: SignedIn | null; level: Access; claims: HeldClaims }

/** Sees everything, is nobody. */
export const SYSTEM: Caller = { visitor: null, level: 'admin', claims: {} }

/** Admins see everything and strangers own nothing, so only users are looked up. */
export async function callerOf(engine: Engine, visitor: SignedIn | null): Promise<Caller> {
  const level = levelOf(visitor)
  const claims = level === 'user' && visitor ? await engine.identity.claimsOf(engine, visitor) : {}
  return { visitor, level, claims }
}

export const canRead = (model: Model, caller: Caller) =>
  caller === SYSTEM || canDo(model, 'get', caller.visitor) || canDo(model, 'list', caller.visitor)
