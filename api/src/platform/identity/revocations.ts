import { databaseUnavailable } from '#platform/errors.ts'
import { REVOCATION_MS } from './session-life.ts'

/** Revoked sessions of one person that are listed one by one; older ones fold into a moment. */
const SIDS_PER_PERSON = 200
/** Between two removals of what no longer matters. */
const EVICTION_MS = 60_000

/** `firstStepAt`: when the first step of the sign-in was done, in seconds, where the provider says so. */
export type IssuedToken = {
  sub: string
  sid: string | null
  issuedAt: number
  firstStepAt: number | null
}
/** A row as PostgreSQL's JSON has it. */
export type Revocation = {
  sub: string | null
  sid: string | null
  notBefore: string
  endsSessions: boolean
  sparedSid: string | null
}
/** `revived`: issued after its session was ended, from a page of the provider that was left open. */
type Refusal = 'revoked' | 'revived'

/** Moments in milliseconds: tokens issued up to it, sessions begun up to it (by the one that was spared), single sessions. */
type Ended = {
  tokens: number
  sessions: Map<string, number>
  sids: Map<string, number>
  lastAt: number
}

export type Revocations = ReturnType<typeof buildRevocations>

/**
 * Tokens and sessions that no longer count, in memory: no request asks the database. Bounded by person: each has few sessions
 * that can spare themselves, and at most SIDS_PER_PERSON that are listed.
 */
export function buildRevocations() {
  const people = new Map<string, Ended>()
  let isLoaded = false
  let evictAt = 0

  function refusalOf(token: IssuedToken): Refusal | null {
    // A replica that has just started must not accept what the others refuse.
    if (!isLoaded) throw databaseUnavailable()
    const { firstStepAt } = token
    if (firstStepAt !== null && Date.now() - firstStepAt * 1000 > REVOCATION_MS) return 'revived'
    return refusalBy(people.get(token.sub), token) ?? refusalBy(people.get(EVERYONE), token)
  }

  return {
    add: (rows: Revocation[]) => {
      isLoaded = true
      evict()
      for (const row of rows) {
        const key = row.sub ?? EVERYONE
        const ended = people.get(key) ?? noneEnded()
        people.set(key, ended)
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
    for (const [key, ended] of people) {
      for (const moments of [ended.sids, ended.sessions])
        for (const [sid, moment] of moments) if (moment < gone) moments.delete(sid)
      if (ended.lastAt < gone) people.delete(key)
    }
  }
}

/** Also the key of sessions whose person is unknown. */
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

/** Someone who signs out hundreds of times loses, with the oldest, every session begun before it ended. */
function foldOldest({ sids, sessions }: Ended) {
  if (sids.size <= SIDS_PER_PERSON) return
  const oldest = [...sids].toSorted(([, one], [, other]) => one - other)
  for (const [sid, moment] of oldest.slice(0, SIDS_PER_PERSON / 2)) {
    sids.delete(sid)
    raise(sessions, NO_SID, moment)
  }
}

/** Tokens give whole seconds: one of the same second may be older than the revocation. */
function refusalBy(ended: Ended | undefined, token: IssuedToken): Refusal | null {
  if (!ended) return null
  const begunAt = (token.firstStepAt ?? token.issuedAt) * 1000
  // The provider gives a new sign-in in the same browser the id of the old session: its first step tells them apart.
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
