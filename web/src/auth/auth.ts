import type { Visitor } from '@gatehouse/model'
import type { User, UserManager } from 'oidc-client-ts'
import { findCarried } from '#base/carried.ts'
import { carryDrafts, forgetDrafts } from '#base/drafts.ts'
import { session } from '#base/storage.ts'
import { askedAcr, isWayBackInState, standingOf } from './config.ts'

const RETURN_URL_MAX_LENGTH = 2048
/** Short: a page load waits for it. */
const RENEW_TIMEOUT_S = 4
const RENEW_BACKOFF_MS = 10_000
const NEXT_SECOND_MS = 1_000
/** Key prefixes of oidc-client-ts in session storage. */
const STORED = 'oidc.'
const STORED_USER = 'oidc.user:'

export type SignInTrouble = { returnUrl: string; source: string; error: unknown }

let manager: UserManager | null = null
let load: (() => Promise<UserManager>) | null = null
let loading: Promise<UserManager> | null = null
let renewing: Promise<User | null> | null = null
let refusedAt = 0
let tell: ((trouble: SignInTrouble) => void) | null = null

/** Set by the wiring: the client is lazy-loaded, as most visitors never sign in. */
export function offerSignIn(how: {
  load: () => Promise<UserManager>
  onTrouble: (trouble: SignInTrouble) => void
}) {
  load = how.load
  tell = how.onTrouble
}

/** The page's one UserManager, shared by React, loaders and the API client. */
export function adoptManager(made: UserManager) {
  manager = made
  return made
}

/** Fetched once; a failure is retried by the next caller. */
export async function signInClient(): Promise<UserManager> {
  if (manager) return manager
  if (!load) throw new Error('There is no sign-in client')
  loading ??= load().finally(() => (loading = null))
  return loading
}

/** True when this tab is signed in, or a sign-in is in progress. */
export const hasStoredSignIn = (prefix = STORED) =>
  session.keys().some((key) => key.startsWith(prefix))

/** True when this tab is signed in. */
export const hasStoredUser = () => hasStoredSignIn(STORED_USER)

/** The signed-in user. An expired session is renewed if the provider still has one. */
export async function currentUser(): Promise<User | null> {
  if (!manager && !hasStoredUser()) return null
  const client = await signInClient().catch(() => null)
  const user = (await client?.getUser()) ?? null
  return user?.expired ? renew(client) : user
}

/** One renewal for concurrent callers; after a failure, none for a while. */
function renew(client: UserManager | null): Promise<User | null> {
  if (Date.now() - refusedAt < RENEW_BACKOFF_MS) return Promise.resolve(null)
  renewing ??= (
    client?.signinSilent({ silentRequestTimeoutInSeconds: RENEW_TIMEOUT_S }) ??
    Promise.resolve(null)
  )
    .catch(() => null)
    .then((user) => {
      renewing = null
      if (!user) refusedAt = Date.now()
      return user
    })
  return renewing
}

/**
 * The API refused a token that has not expired: roles have changed, or the session is over. Null if it is over, of which the
 * page is told as of any other end.
 */
export async function renewRefused(token: string): Promise<User | null> {
  const client = await signInClient().catch(() => null)
  // Tokens tell whole seconds, and one of the second in which the old one ended would be refused too.
  await new Promise((done) => setTimeout(done, NEXT_SECOND_MS))
  const user = (await client?.getUser()) ?? null
  if (!client || !user) return null
  // Another request has renewed it.
  if (user.access_token !== token) return user
  const renewed = await renew(client)
  if (!renewed) await client.events._raiseUserSignedOut()
  return renewed
}

/** The claims that permissions depend on. */
export const toVisitor = (user: User | null | undefined): Visitor =>
  user && !user.expired
    ? {
        sub: user.profile.sub,
        name: nameOf(user),
        ...standingOf(user),
      }
    : null

export const nameOf = ({ profile }: User) =>
  profile.name || profile.preferred_username || profile.sub

/** Redirects to the identity provider, and back to `returnUrl` on this site. */
export const signIn = ({
  returnUrl,
  isRegistration = false,
  isRepeated,
  isFactorDue = false,
}: {
  returnUrl: string
  isRegistration?: boolean
  /** The second try, and the last: after the provider let the first one expire, or to set up a factor. */
  isRepeated?: true
  isFactorDue?: boolean
}) =>
  leave({ returnUrl, source: 'signinCallback' }, async (client) => {
    const canCreate = isRegistration && (await offersRegistration(client))
    // Registration reaches no level: asked for one, it would want the password again.
    const isPlain = isRegistration || (isRepeated && !isFactorDue)
    const acr = isPlain ? undefined : askedAcr()
    const carried = carryDrafts(returnUrl)
    await client.signinRedirect({
      ...toWayBack({ page: 'signin-callback', returnUrl, ...(isRepeated ? { isRepeated } : {}) }),
      ...(acr === undefined ? {} : { acr_values: acr }),
      ...(carried === null ? {} : { url_state: carried }),
      nonce: crypto.randomUUID(),
      ...(canCreate ? { prompt: 'create' } : {}),
      ...(isRegistration ? { extraQueryParams: { mode: 'register' } } : {}),
    })
  })

/** Drops drafts too: the next person at this computer may be someone else. */
export const signOut = (returnUrl: string) =>
  leave({ returnUrl, source: 'signoutCallback' }, async (client) => {
    forgetDrafts()
    try {
      const { redirect_uri } = toWayBack({ page: 'logout-callback', returnUrl })
      await client.signoutRedirect({ post_logout_redirect_uri: redirect_uri })
    } catch (error) {
      // The provider is unreachable: the tab signs out all the same.
      await client.removeUser()
      throw error
    }
  })

/** In the address as specified, or in the OIDC state for providers that match redirect addresses exactly. */
export function toWayBack({
  page,
  returnUrl,
  ...how
}: {
  page: string
  returnUrl: string
  /** A sign-in without a press: neither success nor failure shows a toast. */
  isQuiet?: true
  isRepeated?: true
}) {
  const address = `${window.location.origin}/${page}`
  return isWayBackInState()
    ? { redirect_uri: address, state: { returnUrl, ...how } }
    : {
        redirect_uri: `${address}?returnUrl=${encodeURIComponent(returnUrl)}`,
        ...(Object.keys(how).length > 0 ? { state: how } : {}),
      }
}

/** Where a completed sign-in leads: the returnUrl of the address or of the OIDC state. */
export function returnUrlOf(answer: unknown, query: URLSearchParams) {
  const kept = stateOf(answer, 'returnUrl')
  return safeReturnUrl(query.get('returnUrl') ?? (typeof kept === 'string' ? kept : null))
}

/** The id of the drafts that this answer of the provider brings back, also in a tab that began nothing. */
export function arrivedWith(): string | null {
  const { pathname, search, hash } = window.location
  if (pathname !== '/signin-callback') return null
  const state = [search, hash].map((part) => new URLSearchParams(part.slice(1)).get('state'))
  return state.find((one) => one)?.split(';')[1] ?? null
}

/** In a tab that began nothing, only the carried drafts know the page. */
export const returnUrlOfArrival = (query: URLSearchParams) =>
  returnUrlOf({ state: { returnUrl: findCarried(arrivedWith())?.returnUrl } }, query)

export const isQuiet = (answer: unknown) => stateOf(answer, 'isQuiet') === true
export const isRepeated = (answer: unknown) => stateOf(answer, 'isRepeated') === true

/** The OIDC state comes back with the user, and with the provider's error. */
const stateOf = (answer: unknown, name: string): unknown =>
  Reflect.get(Object(Reflect.get(Object(answer), 'state')), name)

/** An unreachable provider must not leave a button that does nothing. */
async function leave(
  { returnUrl, source }: Omit<SignInTrouble, 'error'>,
  go: (client: UserManager) => Promise<void>,
) {
  try {
    await go(await signInClient())
  } catch (error) {
    if (!tell) throw error
    tell({ returnUrl, source, error })
  }
}

/** Where to go after signing in or out. Untrusted: only a path of this site, and never one of the sign-in flow itself. */
export function safeReturnUrl(raw: string | null | undefined, origin = ownOrigin()): string {
  if (!raw || raw.length > RETURN_URL_MAX_LENGTH) return '/'
  const local = raw.toLowerCase().startsWith(`${origin}/`) ? raw.slice(origin.length) : raw
  if (!local.startsWith('/') || /^\/[/\\]|[\\\p{Cc}]/u.test(local)) return '/'
  if (!URL.canParse(local, origin)) return '/'
  const url = new URL(local, origin)
  // "/..//evil.test" resolves to "//evil.test".
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/'
  return isSignInPage(url.pathname) ? '/' : url.pathname + url.search + url.hash
}

/** No `location` on the server. */
const ownOrigin = () => (typeof window === 'undefined' ? '' : window.location.origin)

/** Percent-encoding included: the router reads "/%6Cogin" as "/login". */
const isSignInPage = (pathname: string) =>
  /^\/(signin-callback|logout-callback|login|silent-renew\.html)(\/|$)/i.test(
    pathname.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent),
  )

async function offersRegistration({ metadataService }: UserManager) {
  const metadata = await metadataService.getMetadata()
  const prompts: unknown = Reflect.get(metadata, 'prompt_values_supported')
  return Array.isArray(prompts) && prompts.includes('create')
}
