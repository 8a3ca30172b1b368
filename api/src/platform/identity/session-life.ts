/** How long a session at the identity provider lives at most; tools/realm sets it there. */
export const SESSION_MAX_HOURS = 10

/**
 * How long a revocation counts. A page of the provider begins a session up to fifteen minutes after the password was typed, so a
 * first step that is older than this belongs to no session.
 */
export const REVOCATION_HOURS = SESSION_MAX_HOURS + 1
export const REVOCATION_MS = REVOCATION_HOURS * 3_600_000
