import type { Visitor } from '@gatehouse/model'
import type { User, UserManager } from 'oidc-client-ts'
import { findSignInDraft } from '#base/sign-in-drafts.ts'
import { saveSignInDrafts, deleteDrafts } from '#base/drafts.ts'
import { requiredAcr, isReturnUrlInState, roleOf } from './config.ts'
import { signInClient, reportSignInError, type SignInError } from './session.ts'

const RETURN_URL_MAX_LENGTH = 2048
/** Null if the session has expired. */
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

export const signIn = ({
  returnUrl,
  isRegistration = false,
  isRepeated,
  isFactorDue = false,
}: {
  returnUrl: string
  isRegistration?: boolean
  /** Second and last attempt: the provider let the first one expire, or a factor must be set up. */
  isRepeated?: true
  isFactorDue?: boolean
}) =>
  leave({ returnUrl, source: 'signinCallback' }, async (client) => {
    const canCreate = isRegistration && (await offersRegistration(client))
    // No acr for a registration: the provider would ask for the new password again.
    const isPlain = isRegistration || (isRepeated && !isFactorDue)
    const acr = isPlain ? undefined : requiredAcr()
    const draftId = saveSignInDrafts(returnUrl)
    await client.signinRedirect({
      ...toRedirectParams({
        page: 'signin-callback',
        returnUrl,
        ...(isRepeated ? { isRepeated } : {}),
      }),
      ...(acr === undefined ? {} : { acr_values: acr }),
      ...(draftId === null ? {} : { url_state: draftId }),
      nonce: crypto.randomUUID(),
      ...(canCreate ? { prompt: 'create' } : {}),
      ...(isRegistration ? { extraQueryParams: { mode: 'register' } } : {}),
    })
  })

/** Deletes drafts too: another user may use this computer next. */
export const signOut = (returnUrl: string) =>
  leave({ returnUrl, source: 'signoutCallback' }, async (client) => {
    deleteDrafts()
    try {
      const { redirect_uri } = toRedirectParams({ page: 'logout-callback', returnUrl })
      await client.signoutRedirect({ post_logout_redirect_uri: redirect_uri })
    } catch (error) {
      // The provider is unreachable: sign out this tab anyway.
      await client.removeUser()
      throw error
    }
  })

/** Parameters of the way back: in the URL as specified, or in the OIDC state if the provider matches redirect URIs exactly. */
export function toRedirectParams({
  page,
  returnUrl,
  ...how
}: {
  page: string
  returnUrl: string
  /** A silent sign-in: neither success nor failure shows a toast. */
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

export function returnUrlOf(answer: unknown, query: URLSearchParams) {
  const stored = stateOf(answer, 'returnUrl')
  return safeReturnUrl(query.get('returnUrl') ?? (typeof stored === 'string' ? stored : null))
}

/** Id of the drafts that this callback restores, even in a tab that didn't start the sign-in. */
export function draftIdFromCallback(): string | null {
  const { pathname, search, hash } = window.location
  if (pathname !== '/signin-callback') return null
  const state = [search, hash].map((part) => new URLSearchParams(part.slice(1)).get('state'))
  return state.find((one) => one)?.split(';')[1] ?? null
}

/** A tab that didn't start the sign-in takes the page from the saved drafts. */
export const returnUrlOfArrival = (query: URLSearchParams) =>
  returnUrlOf({ state: { returnUrl: findSignInDraft(draftIdFromCallback())?.returnUrl } }, query)

export const isSilent = (answer: unknown) => stateOf(answer, 'isQuiet') === true
export const isRepeated = (answer: unknown) => stateOf(answer, 'isRepeated') === true

/** The OIDC state is part of the user, or of the provider's error. */
const stateOf = (answer: unknown, name: string): unknown =>
  Reflect.get(Object(Reflect.get(Object(answer), 'state')), name)

/** Shows an error if the provider is unreachable; otherwise the button would do nothing. */
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

/** Validates an untrusted returnUrl: only a path of this site, and never one of the sign-in flow itself. */
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

/** Decodes first: the router reads "/%6Cogin" as "/login". */
const isSignInPage = (pathname: string) =>
  /^\/(signin-callback|logout-callback|login|silent-renew\.html)(\/|$)/i.test(
    pathname.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent),
  )

async function offersRegistration({ metadataService }: UserManager) {
  const metadata = await metadataService.getMetadata()
  const prompts: unknown = Reflect.get(metadata, 'prompt_values_supported')
  return Array.isArray(prompts) && prompts.includes('create')
}
