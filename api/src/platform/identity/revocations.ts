import { databaseUnavailable } from '#platform/errors.ts'
import { REVOCATION_MS } from './session-life.ts'

/** Revoked sessions listed per account; older ones are merged into one time. */
const SIDS_PER_ACCOUNT = 200
const EVICTION_MS = 60_000

/** `firstStepAt`: time of the sign-in's first step in seconds, if the provider sends it. */
export type IssuedToken = {
  sub: string
  sid: string | null
  issuedAt: number
  firstStepAt: number | null
}
/** A row of `revocations`, as JSON. */
export type Revocation = {
  sub: string | null
  sid: string | null
  notBefore: string
  endsSessions: boolean
  sparedSid: string | null
}
/** `revived`: issued after its session was ended, such as from a provider page left open. */
type Refusal = 'revoked' | 'revived'

/** Times in milliseconds: tokens issued until, sessions begun until (by spared session), ends of single sessions. */
type Ended = {
  tokens: number
  sessions: Map<string, number>
  sids: Map<string, number>
  lastAt: number
}

export type Revocations = ReturnType<typeof buildRevocations>

/**
 * Revoked tokens and sessions, in memory, so that no request queries the database. Bounded per account: few sessions are
 * spared, and at most SIDS_PER_ACCOUNT are listed.
 */
export function buildRevocations() {
  const accounts = new Map<string, Ended>()
  let isLoaded = false
  let evictAt = 0

  function refusalOf(token: IssuedToken): Refusal | null {
    // A replica that has just started must not accept tokens that others reject.
    if (!isLoaded) throw databaseUnavailable()
    const { firstStepAt } = token
    if (firstStepAt !== null && Date.now() - firstStepAt * 1000 > REVOCATION_MS) return 'revived'
    return refusalBy(accounts.get(token.sub), token) ?? refusalBy(accounts.get(EVERYONE), token)
  }

  return {
    add: (rows: Revocation[]) => {
      isLoaded = true
      evict()
      for (const row of rows) {
        const key = row.sub ?? EVERYONE
        const ended = accounts.get(key) ?? noneEnded()
        accounts.set(key, ended)
        addTo(ended, row)
        if (key !== EVERYONE) foldOldest(ended)
      }
    },
    refusalOf,
    isRevoked: (token: IssuedToken) => refusalOf(token) !== null,
  }

  function evict() {
    if (Date.now() < evictAt) return
    evictAt = Date.now() + EVICTION_MS
    const gone = Date.now() - REVOCATION_MS
    for (const [key, ended] of accounts) {
      for (const moments of [ended.sids, ended.sessions])
        for (const [sid, moment] of moments) if (moment < gone) moments.delete(sid)
      if (ended.lastAt < gone) accounts.delete(key)
    }
  }
}

/** Also the key of sessions without a known account. */
const EVERYONE = ''
const NO_SID = ''

const noneEnded = (): Ended => ({ tokens: -1, sessions: new Map(), sids: new Map(), lastAt: -1 })

function addTo(ended: Ended, { sid, notBefore, endsSessions, sparedSid }: Revocation) {
  const moment = Date.parse(notBefore)
  ended.lastAt = Math.max(ended.lastAt, moment)
  if (sid !== null) raise(ended.sids, sid, moment)
  else if (endsSessions) raise(ended.sessions, sparedSid ?? NO_SID, moment)
  else ended.tokens = Math.max(ended.tokens, moment)
}

const raise = (moments: Map<string, number>, key: string, moment: number) =>
  moments.set(key, Math.max(moment, moments.get(key) ?? -1))

/** Merging the oldest also ends every session of the account begun before they ended. */
function foldOldest({ sids, sessions }: Ended) {
  if (sids.size <= SIDS_PER_ACCOUNT) return
  const oldest = [...sids].toSorted(([, one], [, other]) => one - other)
  for (const [sid, moment] of oldest.slice(0, SIDS_PER_ACCOUNT / 2)) {
    sids.delete(sid)
    raise(sessions, NO_SID, moment)
  }
}

/** Tokens have whole seconds: one of the same second may be older than the revocation. */
function refusalBy(ended: Ended | undefined, token: IssuedToken): Refusal | null {
  if (!ended) return null
  const begunAt = (token.firstStepAt ?? token.issuedAt) * 1000
  // A new sign-in in the same browser reuses the old session ID; its first step distinguishes them.
  const sidEndedAt = token.sid === null ? undefined : ended.sids.get(token.sid)
  if (sidEndedAt !== undefined && (token.firstStepAt === null || begunAt <= sidEndedAt))
    return sinceRevoked(token, sidEndedAt)
  for (const [spared, endedAt] of ended.sessions)
    if (begunAt <= endedAt && (spared === NO_SID || spared !== token.sid))
      return sinceRevoked(token, endedAt)
  return token.issuedAt * 1000 <= ended.tokens ? 'revoked' : null
}

const sinceRevoked = ({ issuedAt }: IssuedToken, endedAt: number) =>
  issuedAt * 1000 > endedAt ? 'revived' : 'revoked'
