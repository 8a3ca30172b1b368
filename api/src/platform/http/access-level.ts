import { canAccess, reaches, type Access } from '@gatehouse/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forbidden, ownersOnly, signInRequired, stepUpRequired } from '#platform/errors.ts'
import type { SignedIn } from './auth.ts'

/** Access level a route requires; `isFresh` adds a recent proof of identity, for irreversible actions. */
export type AccessRequirement = { access: Access; isFresh?: true }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required for every route; a function if the pattern serves several resources. */
    needs?: AccessRequirement | ((request: FastifyRequest) => AccessRequirement)
  }
}

export const PUBLIC: AccessRequirement = { access: 'public' }
export const USER: AccessRequirement = { access: 'user' }
export const ADMIN: AccessRequirement = { access: 'admin' }
export const OWNER: AccessRequirement = { access: 'owner' }
export const FRESH_OWNER: AccessRequirement = { access: 'owner', isFresh: true }

/** Rejects routes without a declared level when they are registered. */
export function requireDeclaredLevels(app: FastifyInstance) {
  app.addHook('onRoute', ({ url, config }) => {
    if (!config?.needs) throw new Error(`route ${url} declares no access level`)
  })
}

/** Called once the sign-in is recorded. */
export function checkLevel(request: FastifyRequest) {
  const { needs } = request.routeOptions.config
  const requirement = typeof needs === 'function' ? needs(request) : needs
  if (requirement) requireLevel(request.visitor, requirement)
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
