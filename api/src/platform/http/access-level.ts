import { canAccess, reaches, type Access } from '@gatehouse/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbidden, ownersOnly, signInRequired, stepUpRequired } from '#platform/errors.ts'
import type { SignedIn } from './auth.ts'

/** What a route asks of its caller: a level, and for what can't be taken back a proof of identity from just now. */
export type AccessRequirement = { access: Access; isFresh?: true }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route declares it; a function where the pattern serves several. */
    needs?: AccessRequirement | ((request: FastifyRequest) => AccessRequirement)
  }
}

export const PUBLIC: AccessRequirement = { access: 'public' }
export const USER: AccessRequirement = { access: 'user' }
export const ADMIN: AccessRequirement = { access: 'admin' }
export const OWNER: AccessRequirement = { access: 'owner' }
export const FRESH_OWNER: AccessRequirement = { access: 'owner', isFresh: true }

/** Refuses routes without a declared level when they are made, and callers below it when they come. */
export function guardLevels(app: FastifyInstance) {
  app.addHook('onRoute', ({ url, config }) => {
    if (!config?.needs) throw new Error(`the route ${url} declares no level`)
  })
}

/** Called once the sign-in is recorded. */
export function checkLevel(request: FastifyRequest) {
  const { needs } = request.routeOptions.config
  const asked = typeof needs === 'function' ? needs(request) : needs
  if (asked) requireLevel(request.visitor, asked)
}

function requireLevel(visitor: SignedIn | null, needs: AccessRequirement) {
  const isProven = !needs.isFresh || (visitor !== null && visitor.proof.freshUntil >= Date.now())
  if (!canAccess(needs.access, visitor) || !isProven) throw accessError(visitor, needs)
}

/** 401 for anonymous callers and for those who would be allowed after a better sign-in, 403 otherwise. */
export function accessError(visitor: SignedIn | null, { access, isFresh }: AccessRequirement) {
  if (!visitor) return signInRequired()
  const { claimed, asks } = visitor.proof
  if (reaches(claimed, access)) return stepUpRequired(isFresh ? asks.fresh : asks.mfa)
  return access === 'owner' && visitor.role === 'admin' ? ownersOnly() : forbidden()
}
