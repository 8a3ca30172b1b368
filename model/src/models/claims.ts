import type { Claims } from '#definition/claim.ts'

const organisation = { holds: { idOf: 'organisations' }, keptIn: 'org' } as const

/** Claims of a signed-in client: resolved in api/src/clients/client-claims.ts, used by row scopes and stamps. */
export const claims = {
  account: { holds: 'sub', keptIn: 'owner' },
  contact: { holds: { idOf: 'contacts' }, keptIn: null },
  /** Any contact, regardless of portal role. */
  organisation,
  /** Viewers and managers of the portal. */
  member: organisation,
  manager: organisation,
} as const satisfies Claims

export type ClaimName = keyof typeof claims
