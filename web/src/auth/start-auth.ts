import { STORAGE_KEYS } from '@gatehouse/model'
import { UserManager, WebStorageStateStore, type User } from 'oidc-client-ts'
import { setUserManager } from './session.ts'
import { setConfig, type SiteConfig } from './read-config.ts'
import { loginMessages } from '#messages/login.ts'
import { ReadableError } from '#base/readable-error.ts'
import { canStore, session } from '#base/storage.ts'

const RENEW_NOTICE_S = 60
const REQUEST_TIMEOUT_S = 9
const SILENT_TIMEOUT_S = 10
const SESSION_CHECK_S = 2
const STALE_STATE_S = 900
const POPUP_HEIGHT = 640

export function startAuth(config: SiteConfig): UserManager {
  if (!canStore()) throw new ReadableError(loginMessages.storageBlocked)
  setConfig(config)
  const { authority, clientId } = config
  const { origin } = window.location
  const inSession = () => new WebStorageStateStore({ store: window.sessionStorage })
  const made = new UserManager({
    authority,
    client_id: clientId,
    redirect_uri: `${origin}/signin-callback`,
    post_logout_redirect_uri: `${origin}/logout-callback`,
    silent_redirect_uri: `${origin}/silent-renew.html`,
    popup_redirect_uri: `${origin}/silent-renew.html`,
    response_type: 'code',
    scope: 'openid',
    userStore: inSession(),
    stateStore: inSession(),
    automaticSilentRenew: true,
    accessTokenExpiringNotificationTimeInSeconds: RENEW_NOTICE_S,
    requestTimeoutInSeconds: REQUEST_TIMEOUT_S,
    silentRequestTimeoutInSeconds: SILENT_TIMEOUT_S,
    checkSessionIntervalInSeconds: SESSION_CHECK_S,
    staleStateAgeInSeconds: STALE_STATE_S,
    popupWindowFeatures: { height: POPUP_HEIGHT },
    loadUserInfo: true,
    monitorSession: true,
    revokeTokensOnSignout: true,
    // The defaults except acr and auth_time, which permissions depend on.
    filterProtocolClaims: ['nbf', 'jti', 'nonce', 'amr', 'azp', 'at_hash'],
  })
  const finish = made.signinCallback.bind(made)
  made.signinCallback = async (url = window.location.href) =>
    requireForUs(made, await finish(fromHash(url)).catch((error) => continueSignedIn(made, error)))
  const signInSilently = made.signinSilent.bind(made)
  // Without the argument a renewal by refresh token has no timeout: the client overwrites its setting with undefined.
  const renew: typeof signInSilently = (args) =>
    signInSilently({ silentRequestTimeoutInSeconds: SILENT_TIMEOUT_S, ...args })
  made.signinSilent = async (args) =>
    requireForUs(
      made,
      await renew(args).catch((error: unknown) => retryRenewal(made, () => renew(args), error)),
    )
  const confirm = made.signinPopup.bind(made)
  made.signinPopup = async (args) => requireForUs(made, await confirm(args))
  made.events.addUserSignedOut(() => void made.removeUser())
  made.events.addUserLoaded(() => session.remove(STORAGE_KEYS.silentSignIn))
  // Prevents the next page's silent sign-in from reverting a sign-out.
  made.events.addUserUnloaded(() => session.set(STORAGE_KEYS.silentSignIn, 'signed out'))
  return setUserManager(made)
}

/**
 * A duplicated tab copies the refresh token; its second use is rejected and ends both sessions. A silent sign-in without the
 * token restores either tab.
 */
async function retryRenewal(
  made: UserManager,
  renew: () => Promise<User | null>,
  error: unknown,
): Promise<User | null> {
  // First: getUser() resets the client's renewal timer.
  if (Reflect.get(Object(error), 'error') !== 'invalid_grant') throw error
  const user = await made.getUser()
  if (!user?.refresh_token) throw error
  delete user.refresh_token
  await made.storeUser(user)
  return renew()
}

/** The Back button replays a used response: a signed-in visitor just continues. */
async function continueSignedIn(made: UserManager, error: unknown): Promise<User> {
  const isUsed = error instanceof Error && error.message.startsWith('No matching state')
  const user = isUsed ? await made.getUser() : null
  if (!user || user.expired) throw error
  return Object.assign(user, { state: { isQuiet: true } })
}

/** Providers may respond in the fragment; the client reads only the query. */
function fromHash(href: string) {
  const url = new URL(href)
  const response = new URLSearchParams(url.hash.slice(1))
  if (!response.has('state')) return href
  for (const [name, value] of response) url.searchParams.set(name, value)
  url.hash = ''
  return url.href
}

/** The client only decodes the ID token: issuer and audience are checked here. */
async function requireForUs<T extends User | null | undefined>(
  made: UserManager,
  user: T,
): Promise<T> {
  if (!user) return user
  const { aud, iss } = user.profile
  const isForUs = [aud].flat().includes(made.settings.client_id)
  if (isForUs && iss === made.settings.authority) return user
  await made.removeUser()
  throw new Error(isForUs ? 'authority mismatch' : 'client_id mismatch')
}
