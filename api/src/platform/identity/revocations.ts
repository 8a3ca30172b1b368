import { databaseUnavailable } from '#platform/errors.ts'

/** Longer than any token lives. */
const KEPT_MS = 3_600_000

export type IssuedToken = { sub: string; sid: string | null; issuedAt: number }
/** A row as PostgreSQL's JSON has it. */
export type Revocation = { sub: string | null; sid: string | null; notBefore: string }

export type Revocations = ReturnType<typeof buildRevocations>

/** What this replica knows of tokens that no longer count. In memory: no request asks anyone. */
export function buildRevocations() {
  const notBefore = new Map<string, number>()
  const addedAt = new Map<string, number>()
  let isLoaded = false

  return {
    add: (rows: Revocation[]) => {
      isLoaded = true
      forgetOld()
      for (const row of rows) {
        const key = keyOf(row)
        notBefore.set(key, Math.max(Date.parse(row.notBefore), notBefore.get(key) ?? 0))
        addedAt.set(key, Date.now())
      }
    },
    /** Tokens give whole seconds: one of the same second may be older than the revocation. A session never comes back. */
    isRevoked: ({ sub, sid, issuedAt }: IssuedToken) => {
      // A replica that has just started must not accept what the others refuse.
      if (!isLoaded) throw databaseUnavailable()
      const isBefore = (key: string) => issuedAt * 1000 <= (notBefore.get(key) ?? -1)
      return (
        isBefore(EVERYONE) ||
        isBefore(`sub ${sub}`) ||
        (sid !== null && notBefore.has(`sid ${sid}`))
      )
    },
  }

  function forgetOld() {
    for (const [key, at] of addedAt)
      if (Date.now() - at > KEPT_MS) {
        addedAt.delete(key)
        notBefore.delete(key)
      }
  }
}

const EVERYONE = 'everyone'

const keyOf = ({ sub, sid }: Revocation) =>
  sid !== null ? `sid ${sid}` : sub !== null ? `sub ${sub}` : EVERYONE
