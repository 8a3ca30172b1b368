/** Maximum lifetime of a session at the identity provider; tools/realm sets it there. */
export const SESSION_MAX_HOURS = 10

/**
 * Retention period of a revocation. A provider page can start a session up to fifteen minutes after the password was entered,
 * so an older first step belongs to no session.
 */
export const REVOCATION_HOURS = SESSION_MAX_HOURS + 1
export const REVOCATION_MS = REVOCATION_HOURS * 3_600_000
