import type { Visitor } from '@gatehouse/model'
import { UserManager, WebStorageStateStore, type User } from 'oidc-client-ts'

/** Where people sign in; the front proxy serves it as /config.json, so that one build fits every deployment. */
export type SignInConfig = { authority: string; clientId: string }

const RENEW_NOTICE_S = 60
const SILENT_TIMEOUT_S = 10
const SESSION_CHECK_S = 2
const STALE_STATE_S = 900
const POPUP_HEIGHT = 640
const RETURN_URL_MAX_LENGTH = 2048

let manager: UserManager | null = null

/** Makes the one UserManager of the page; React, loaders and the API client all ask it. */
export function startAuth({ authority, clientId }: SignInConfig): UserManager {
  const { origin } = window.location
  const session = () => new WebStorageStateStore({ store: window.sessionStorage })
  const made = new UserManager({
    authority,
    client_id: clientId,
    redirect_uri: `${origin}/signin-callback`,
    post_logout_redirect_uri: `${origin}/logout-callback`,
    silent_redirect_uri: `${origin}/silent-renew.html`,
    response_type: 'code',
    scope: 'openid',
    userStore: session(),
    stateStore: session(),
    automaticSilentRenew: true,
    accessTokenExpiringNotificationTimeInSeconds: RENEW_NOTICE_S,
    silentRequestTimeoutInSeconds: SILENT_TIMEOUT_S,
    checkSessionIntervalInSeconds: SESSION_CHECK_S,
    staleStateAgeInSeconds: STALE_STATE_S,
    popupWindowFeatures: { height: POPUP_HEIGHT },
    loadUserInfo: true,
    monitorSession: true,
    revokeTokensOnSignout: true,
  })
  const finish = made.signinCallback.bind(made)
  made.signinCallback = async (url = window.location.href) =>
    requireForUs(made, await finish(fromHash(url)))
  made.events.addUserSignedOut(() => void made.removeUser())
  manager = made
  return made
}

/** Whoever is signed in at this moment and has not expired. */
export async function currentUser(): Promise<User | null> {
  const user = (await manager?.getUser()) ?? null
  return user && !user.expired ? user : null
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
export async function signIn({
  returnUrl,
  isRegistration = false,
}: {
  returnUrl: string
  isRegistration?: boolean
}) {
  const canCreate = isRegistration && (await offersRegistration())
  await manager?.signinRedirect({
    redirect_uri: `${window.location.origin}/signin-callback?returnUrl=${encodeURIComponent(returnUrl)}`,
    nonce: crypto.randomUUID(),
    ...(canCreate ? { prompt: 'create' } : {}),
    ...(isRegistration ? { extraQueryParams: { mode: 'register' } } : {}),
  })
}

export const signOut = (returnUrl: string) =>
  manager?.signoutRedirect({
    post_logout_redirect_uri: `${window.location.origin}/logout-callback?returnUrl=${encodeURIComponent(returnUrl)}`,
  })

/**
 * Where to go after signing in or out. The address bar is a stranger's handwriting: only a path of this site is followed,
 * and never one that would start the sign-in machinery again.
 */
export function safeReturnUrl(
  raw: string | null | undefined,
  origin = window.location.origin,
): string {
  if (!raw || raw.length > RETURN_URL_MAX_LENGTH) return '/'
  const local = raw.toLowerCase().startsWith(`${origin}/`) ? raw.slice(origin.length) : raw
  if (!local.startsWith('/') || /^\/[/\\]|[\\\p{Cc}]/u.test(local)) return '/'
  if (!URL.canParse(local, origin)) return '/'
  const url = new URL(local, origin)
  // "/..//evil.test" becomes "//evil.test" once it is resolved.
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/'
  return isSignInPage(url.pathname) ? '/' : url.pathname + url.search + url.hash
}

/** However it is written: the router reads "/%6Cogin" as "/login". */
const isSignInPage = (pathname: string) =>
  /^\/(signin-callback|logout-callback|login|silent-renew\.html)(\/|$)/i.test(
    pathname.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent),
  )

/** Providers may answer in the hash; the client reads the query only. */
function fromHash(href: string) {
  const url = new URL(href)
  const answer = new URLSearchParams(url.hash.slice(1))
  if (!answer.has('state')) return href
  for (const [name, value] of answer) url.searchParams.set(name, value)
  url.hash = ''
  return url.href
}

/** The client only decodes the ID token: that it was made by our provider and for us is compared here. */
async function requireForUs(made: UserManager, user: User | undefined) {
  if (!user) return user
  const { aud, iss } = user.profile
  const isForUs = [aud].flat().includes(made.settings.client_id)
  if (isForUs && iss === made.settings.authority) return user
  await made.removeUser()
  throw new Error(isForUs ? 'authority mismatch' : 'client_id mismatch')
}

async function offersRegistration() {
  const metadata = await manager?.metadataService.getMetadata()
  const prompts: unknown = metadata && Reflect.get(metadata, 'prompt_values_supported')
  return Array.isArray(prompts) && prompts.includes('create')
}
