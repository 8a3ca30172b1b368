import type { Visitor } from '@gatehouse/model'
import type { User, UserManager } from 'oidc-client-ts'
import { signIn as signInSettings } from '#base/site.ts'
import { forgetDrafts } from '#base/drafts.ts'
import { session } from '#base/storage.ts'

const RETURN_URL_MAX_LENGTH = 2048
/** Someone is waiting for a page in the meantime. */
const RENEW_TIMEOUT_S = 4
const RENEW_PAUSE_MS = 10_000
/** Where the sign-in client keeps what it knows, in session storage. */
const STORED = 'oidc.'
const STORED_USER = 'oidc.user:'

export type SignInTrouble = { returnUrl: string; source: string; error: unknown }

let manager: UserManager | null = null
let load: (() => Promise<UserManager>) | null = null
let loading: Promise<UserManager> | null = null
let renewing: Promise<User | null> | null = null
let refusedAt = 0
let tell: ((trouble: SignInTrouble) => void) | null = null

/** Most visitors never sign in: the wiring says how the client is fetched when someone does, and whom to tell when it fails. */
export function offerSignIn(how: {
  load: () => Promise<UserManager>
  onTrouble: (trouble: SignInTrouble) => void
}) {
  load = how.load
  tell = how.onTrouble
}

/** The one UserManager of the page; React, loaders and the API client all ask it. */
export function adoptManager(made: UserManager) {
  manager = made
  return made
}

/** Fetched once; after a failure the next one who needs it tries again. */
export async function signInClient(): Promise<UserManager> {
  if (manager) return manager
  if (!load) throw new Error('There is no sign-in client')
  loading ??= load().finally(() => (loading = null))
  return loading
}

/** True when this tab has signed in, or is on its way there and back. */
export const hasStoredSignIn = (prefix = STORED) =>
  session.keys().some((key) => key.startsWith(prefix))

/** True when this tab has signed in. */
export const hasStoredUser = () => hasStoredSignIn(STORED_USER)

/** Anyone who is signed in at this moment. Where that has just ended, it is renewed if the provider still knows the person. */
export async function currentUser(): Promise<User | null> {
  if (!manager && !hasStoredUser()) return null
  const client = await signInClient().catch(() => null)
  const user = (await client?.getUser()) ?? null
  return user?.expired ? renew(client) : user
}

/** One try for all who ask at the same time; anyone who asks soon after it has failed is not kept waiting again. */
function renew(client: UserManager | null): Promise<User | null> {
  if (Date.now() - refusedAt < RENEW_PAUSE_MS) return Promise.resolve(null)
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

/** The claims the permission rule asks about. */
export const toVisitor = (user: User | null | undefined): Visitor =>
  user && !user.expired
    ? {
        sub: user.profile.sub,
        name: nameOf(user),
        role: user.profile['role'] === 'admin' ? 'admin' : 'user',
      }
    : null

export const nameOf = ({ profile }: User) =>
  profile.name || profile.preferred_username || profile.sub

/** Off to the identity provider, and back to `returnUrl` on this site. */
export const signIn = ({
  returnUrl,
  isRegistration = false,
}: {
  returnUrl: string
  isRegistration?: boolean
}) =>
  leave({ returnUrl, source: 'signinCallback' }, async (client) => {
    const canCreate = isRegistration && (await offersRegistration(client))
    await client.signinRedirect({
      ...toWayBack({ page: 'signin-callback', returnUrl }),
      nonce: crypto.randomUUID(),
      ...(canCreate ? { prompt: 'create' } : {}),
      ...(isRegistration ? { extraQueryParams: { mode: 'register' } } : {}),
    })
  })

/** What was typed and not sent goes too: the next person at this computer may be another one. */
export const signOut = (returnUrl: string) =>
  leave({ returnUrl, source: 'signoutCallback' }, async (client) => {
    forgetDrafts()
    try {
      const { redirect_uri } = toWayBack({ page: 'logout-callback', returnUrl })
      await client.signoutRedirect({ post_logout_redirect_uri: redirect_uri })
    } catch (error) {
      // The provider can't be told; this tab forgets all the same.
      await client.removeUser()
      throw error
    }
  })

/** In the address as specified, or, for providers that insist on exact addresses, in the state of the request. */
export function toWayBack({
  page,
  returnUrl,
  isQuiet,
}: {
  page: string
  returnUrl: string
  /** Nobody pressed anything: neither success nor failure is told. */
  isQuiet?: true
}) {
  const address = `${window.location.origin}/${page}`
  return signInSettings.returnUrl === 'state'
    ? { redirect_uri: address, state: { returnUrl, isQuiet } }
    : {
        redirect_uri: `${address}?returnUrl=${encodeURIComponent(returnUrl)}`,
        ...(isQuiet ? { state: { isQuiet } } : {}),
      }
}

/** Where a sign-in that has just ended leads, however the way back was kept. */
export function returnUrlOf(answer: unknown, query: URLSearchParams) {
  const kept = stateOf(answer, 'returnUrl')
  return safeReturnUrl(query.get('returnUrl') ?? (typeof kept === 'string' ? kept : null))
}

/** True of a sign-in nobody pressed a button for. */
export const isQuiet = (answer: unknown) => stateOf(answer, 'isQuiet') === true

/** What was sent along comes back with the user, and with the provider's error. */
const stateOf = (answer: unknown, name: string): unknown =>
  Reflect.get(Object(Reflect.get(Object(answer), 'state')), name)

/** A provider that can't be reached is no reason for a button that does nothing. */
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

/**
 * Where to go after signing in or out. The address bar is a stranger's handwriting: only a path of this site is followed,
 * and never one that would start the sign-in machinery again.
 */
export function safeReturnUrl(raw: string | null | undefined, origin = ownOrigin()): string {
  if (!raw || raw.length > RETURN_URL_MAX_LENGTH) return '/'
  const local = raw.toLowerCase().startsWith(`${origin}/`) ? raw.slice(origin.length) : raw
  if (!local.startsWith('/') || /^\/[/\\]|[\\\p{Cc}]/u.test(local)) return '/'
  if (!URL.canParse(local, origin)) return '/'
  const url = new URL(local, origin)
  // "/..//evil.test" becomes "//evil.test" once it is resolved.
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/'
  return isSignInPage(url.pathname) ? '/' : url.pathname + url.search + url.hash
}

/** A page that is rendered on the server has no address yet. */
const ownOrigin = () => (typeof window === 'undefined' ? '' : window.location.origin)

/** However it is written: the router reads "/%6Cogin" as "/login". */
const isSignInPage = (pathname: string) =>
  /^\/(signin-callback|logout-callback|login|silent-renew\.html)(\/|$)/i.test(
    pathname.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent),
  )

async function offersRegistration({ metadataService }: UserManager) {
  const metadata = await metadataService.getMetadata()
  const prompts: unknown = Reflect.get(metadata, 'prompt_values_supported')
  return Array.isArray(prompts) && prompts.includes('create')
}
