import { STORAGE_KEYS } from '@gatehouse/model'
import { UserManager, WebStorageStateStore, type User } from 'oidc-client-ts'
import { adoptManager } from './session.ts'
import { adoptConfig, type SiteConfig } from './read-config.ts'
import { loginMessages } from '#messages/login.ts'
import { ReadableError } from '#base/readable-error.ts'
import { canStore, session } from '#base/storage.ts'

const RENEW_NOTICE_S = 60
const REQUEST_TIMEOUT_S = 9
const SILENT_TIMEOUT_S = 10
const SESSION_CHECK_S = 2
const STALE_STATE_S = 900
const POPUP_HEIGHT = 640

/** Creates the page's one UserManager. */
export function startAuth(config: SiteConfig): UserManager {
  if (!canStore()) throw new ReadableError(loginMessages.storageBlocked)
  adoptConfig(config)
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
    // Without acr and auth_time, which rights depend on.
    filterProtocolClaims: ['nbf', 'jti', 'nonce', 'amr', 'azp', 'at_hash'],
  })
  const finish = made.signinCallback.bind(made)
  made.signinCallback = async (url = window.location.href) =>
    requireForUs(made, await finish(fromHash(url)).catch((error) => continueSignedIn(made, error)))
  const renew = made.signinSilent.bind(made)
  made.signinSilent = async (args) =>
    requireForUs(
      made,
      await renew(args).catch((error: unknown) => retryRenewal(made, () => renew(args), error)),
    )
  const confirm = made.signinPopup.bind(made)
  made.signinPopup = async (args) => requireForUs(made, await confirm(args))
  made.events.addUserSignedOut(() => void made.removeUser())
  made.events.addUserLoaded(() => session.remove(STORAGE_KEYS.silentSignIn))
  // A sign-out must not be reverted by the next page's silent sign-in.
  made.events.addUserUnloaded(() => session.set(STORAGE_KEYS.silentSignIn, 'signed out'))
  return adoptManager(made)
}

/**
 * A duplicated tab copies the refresh token, and the second use is refused, ending both sessions. A silent sign-in without
 * the token brings either tab back.
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

/** The Back button replays a used answer: a visitor signed in by it just continues. */
async function continueSignedIn(made: UserManager, error: unknown): Promise<User> {
  const isUsed = error instanceof Error && error.message.startsWith('No matching state')
  const user = isUsed ? await made.getUser() : null
  if (!user || user.expired) throw error
  return Object.assign(user, { state: { isQuiet: true } })
}

/** Providers may answer in the fragment; the client reads the query only. */
function fromHash(href: string) {
  const url = new URL(href)
  const answer = new URLSearchParams(url.hash.slice(1))
  if (!answer.has('state')) return href
  for (const [name, value] of answer) url.searchParams.set(name, value)
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
