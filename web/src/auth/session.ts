import type { User, UserManager } from 'oidc-client-ts'
import { ReadableError } from '#base/readable-error.ts'
import { session } from '#base/storage.ts'
import { siteMessages } from '#messages/site.ts'

/** Short: page loads wait for it. */
const RENEW_TIMEOUT_S = 4
const RENEW_BACKOFF_MS = 10_000
const NEXT_SECOND_MS = 1_000
/** Key prefixes of oidc-client-ts in session storage. */
const STORED = 'oidc.'
export const STORED_USER = 'oidc.user:'

/** A user is stored but the client can't be loaded; must not be treated as signed out. */
export class SignInUnavailableError extends ReadableError {}

export type SignInError = { returnUrl: string; source: string; error: unknown }

let manager: UserManager | null = null
let load: (() => Promise<UserManager>) | null = null
let loading: Promise<UserManager> | null = null
let renewing: Promise<User | null> | null = null
let failedAt = 0
let reportError: ((trouble: SignInError) => void) | null = null

/** Set by main.tsx and boot/login.ts: the client is lazy-loaded, as most visitors never sign in. */
export function offerSignIn(how: {
  load: () => Promise<UserManager>
  onTrouble: (trouble: SignInError) => void
}) {
  load = how.load
  reportError = how.onTrouble
}

/** The page's one UserManager, shared by React, loaders and the API client. */
export function setUserManager(made: UserManager) {
  manager = made
  return made
}

/** Discards boot.ts's manager after a sign-in that did not happen; the app creates its own. */
export const dropManager = () => void (manager = null)

/** Fetched once; a failure is retried by the next caller. */
export async function signInClient(): Promise<UserManager> {
  if (manager) return manager
  if (!load) throw new Error('No sign-in client was registered')
  loading ??= load().finally(() => (loading = null))
  return loading
}

/** True when this tab is signed in, or a sign-in is in progress. */
export const hasStoredSignIn = (prefix = STORED) =>
  session.keys().some((key) => key.startsWith(prefix))

export const hasStoredUser = () => hasStoredSignIn(STORED_USER)

/**
 * The signed-in user. An expired session is renewed if the provider still has one. Rejects with SignInUnavailableError if a user
 * is stored but the client can't be loaded.
 */
export async function currentUser(): Promise<User | null> {
  if (!manager && !hasStoredUser()) return null
  const client = await signInClient().catch((cause: unknown) => {
    throw new SignInUnavailableError(siteMessages.notLoaded(siteMessages.parts.signIn), { cause })
  })
  const user = await client.getUser()
  return user?.expired ? renew(client) : user
}

/** One renewal for concurrent callers; after a failure, no retry for a while. */
function renew(client: UserManager): Promise<User | null> {
  if (Date.now() - failedAt < RENEW_BACKOFF_MS) return Promise.resolve(null)
  renewing ??= client
    .signinSilent({ silentRequestTimeoutInSeconds: RENEW_TIMEOUT_S })
    .catch(() => null)
    .then((user) => {
      renewing = null
      if (!user) failedAt = Date.now()
      return user
    })
  return renewing
}

/**
 * Renews an unexpired token that the API rejected: roles have changed, or the session ended. Null if it ended, which is reported
 * to the page.
 */
export async function renewRejectedToken(token: string): Promise<User | null> {
  const client = await signInClient().catch(() => null)
  // Token times have a resolution of one second: a token issued in the second of the revocation is rejected too.
  await new Promise((done) => setTimeout(done, NEXT_SECOND_MS))
  const user = (await client?.getUser()) ?? null
  if (!client || !user) return null
  // Already renewed by another request.
  if (user.access_token !== token) return user
  const renewed = await renew(client)
  if (!renewed) await client.events._raiseUserSignedOut()
  return renewed
}

/** False without a listener. */
export function reportSignInError(trouble: SignInError) {
  reportError?.(trouble)
  return reportError !== null
}
