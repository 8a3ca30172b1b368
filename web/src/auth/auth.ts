import type { Visitor } from '@gatehouse/model'
import type { User, UserManager } from 'oidc-client-ts'
import { findSignInDraft } from '#base/sign-in-drafts.ts'
import { saveSignInDrafts, forgetDrafts } from '#base/drafts.ts'
import { requiredAcr, isReturnUrlInState, roleOf } from './config.ts'
import { signInClient, reportSignInError, type SignInError } from './session.ts'

const RETURN_URL_MAX_LENGTH = 2048
/** The claims that permissions depend on. */
export const toVisitor = (user: User | null | undefined): Visitor =>
  user && !user.expired
    ? {
        sub: user.profile.sub,
        name: nameOf(user),
        ...roleOf(user),
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
    const acr = isPlain ? undefined : requiredAcr()
    const carried = saveSignInDrafts(returnUrl)
    await client.signinRedirect({
      ...toRedirectParams({
        page: 'signin-callback',
        returnUrl,
        ...(isRepeated ? { isRepeated } : {}),
      }),
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
      const { redirect_uri } = toRedirectParams({ page: 'logout-callback', returnUrl })
      await client.signoutRedirect({ post_logout_redirect_uri: redirect_uri })
    } catch (error) {
      // The provider is unreachable: the tab signs out all the same.
      await client.removeUser()
      throw error
    }
  })

/** In the address as specified, or in the OIDC state for providers that match redirect addresses exactly. */
export function toRedirectParams({
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
  return isReturnUrlInState()
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
export function draftIdFromCallback(): string | null {
  const { pathname, search, hash } = window.location
  if (pathname !== '/signin-callback') return null
  const state = [search, hash].map((part) => new URLSearchParams(part.slice(1)).get('state'))
  return state.find((one) => one)?.split(';')[1] ?? null
}

/** In a tab that began nothing, only the carried drafts know the page. */
export const returnUrlOfArrival = (query: URLSearchParams) =>
  returnUrlOf({ state: { returnUrl: findSignInDraft(draftIdFromCallback())?.returnUrl } }, query)

export const isQuiet = (answer: unknown) => stateOf(answer, 'isQuiet') === true
export const isRepeated = (answer: unknown) => stateOf(answer, 'isRepeated') === true

/** The OIDC state comes back with the user, and with the provider's error. */
const stateOf = (answer: unknown, name: string): unknown =>
  Reflect.get(Object(Reflect.get(Object(answer), 'state')), name)

/** An unreachable provider must not leave a button that does nothing. */
async function leave(
  { returnUrl, source }: Omit<SignInError, 'error'>,
  go: (client: UserManager) => Promise<void>,
) {
  try {
    await go(await signInClient())
  } catch (error) {
    if (!reportSignInError({ returnUrl, source, error })) throw error
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
