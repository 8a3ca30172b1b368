import { STORAGE_KEYS } from '@gatehouse/model'
import { UserManager, WebStorageStateStore, type User } from 'oidc-client-ts'
import { useEffect } from 'react'
import { AuthProvider, useAuth, type AuthContextProps } from 'react-oidc-context'
import { adoptManager } from './auth.ts'
import { loginMessages } from '#messages/login.ts'
import { ReadableError } from '#base/readable-error.ts'
import { canStore, session } from '#base/storage.ts'

/** Where people sign in; the front proxy serves it as /config.json, so that one build fits every deployment. */
export type SignInConfig = { authority: string; clientId: string }

const RENEW_NOTICE_S = 60
const REQUEST_TIMEOUT_S = 9
const SILENT_TIMEOUT_S = 10
const SESSION_CHECK_S = 2
const STALE_STATE_S = 900
const POPUP_HEIGHT = 640

/** Makes the one UserManager of the page. */
export function startAuth({ authority, clientId }: SignInConfig): UserManager {
  if (!canStore()) throw new ReadableError(loginMessages.storageBlocked)
  const { origin } = window.location
  const inSession = () => new WebStorageStateStore({ store: window.sessionStorage })
  const made = new UserManager({
    authority,
    client_id: clientId,
    redirect_uri: `${origin}/signin-callback`,
    post_logout_redirect_uri: `${origin}/logout-callback`,
    silent_redirect_uri: `${origin}/silent-renew.html`,
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
  })
  const finish = made.signinCallback.bind(made)
  made.signinCallback = async (url = window.location.href) =>
    requireForUs(made, await finish(fromHash(url)).catch((error) => goOn(made, error)))
  const renew = made.signinSilent.bind(made)
  made.signinSilent = async (args) =>
    requireForUs(
      made,
      await renew(args).catch((error: unknown) => renewAnew(made, () => renew(args), error)),
    )
  made.events.addUserSignedOut(() => void made.removeUser())
  made.events.addUserLoaded(() => session.remove(STORAGE_KEYS.silentSignIn))
  // Anyone who has signed out is not signed in again by the next page.
  made.events.addUserUnloaded(() => session.set(STORAGE_KEYS.silentSignIn, 'signed out'))
  return adoptManager(made)
}

/**
 * A duplicated tab holds a copy of the refresh token, and anyone who uses it second is refused, with both sign-ins. The
 * provider's own session is still there: asking it, without the token, brings either tab back.
 */
async function renewAnew(
  made: UserManager,
  renew: () => Promise<User | null>,
  error: unknown,
): Promise<User | null> {
  // First: asking the client for the user sets its timer for the next renewal again.
  if (Reflect.get(Object(error), 'error') !== 'invalid_grant') throw error
  const user = await made.getUser()
  if (!user?.refresh_token) throw error
  delete user.refresh_token
  await made.storeUser(user)
  return renew()
}

/** The Back button brings an answer that has been used already: anyone who is signed in by it just goes on. */
async function goOn(made: UserManager, error: unknown): Promise<User> {
  const isUsed = error instanceof Error && error.message.startsWith('No matching state')
  const user = isUsed ? await made.getUser() : null
  if (!user || user.expired) throw error
  return Object.assign(user, { state: { isQuiet: true } })
}

/** Keeps the state of the sign-in, and tells it on: the page around it was there first. */
export function SignInClient({
  manager,
  openedAt,
  onState,
}: {
  manager: UserManager
  /** The path the page was opened with. */
  openedAt: string
  onState: (state: AuthContextProps) => void
}) {
  return (
    <AuthProvider
      userManager={manager}
      // Anywhere else, an address that looks like a provider's answer is someone's trap.
      skipSigninCallback={openedAt !== '/signin-callback'}
      matchSignoutCallback={() => openedAt === '/logout-callback'}
    >
      <Teller onState={onState} />
    </AuthProvider>
  )
}

function Teller({ onState }: { onState: (state: AuthContextProps) => void }) {
  const state = useAuth()
  useEffect(() => onState(state), [state, onState])
  return null
}

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
