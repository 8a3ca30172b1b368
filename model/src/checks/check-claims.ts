import { RESERVED_CLAIMS, type Claims } from '#definition/claim.ts'
import type { Model } from '#definition/model.ts'

export type DeclaredNames = { models: Model[]; claims: Claims }

export const checkClaims = ({ claims, models }: DeclaredNames): string[] =>
  Object.entries(claims).flatMap(([name, { holds }]) => {
    const mistakes = []
    if (RESERVED_CLAIMS.includes(name))
      mistakes.push(`claim "${name}": name is reserved in rowScope and stamp`)
    if (holds !== 'sub' && !models.some(({ path }) => path === holds.idOf))
      mistakes.push(`claim "${name}": unknown model "${holds.idOf}"`)
    return mistakes
  })
