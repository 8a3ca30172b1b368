import type { User, UserManager } from 'oidc-client-ts'
import { useLayoutEffect, type ReactNode } from 'react'
import { AuthContext, type AuthContextProps } from 'react-oidc-context'
import { draftIdFromCallback, isRepeated, toVisitor } from './auth.ts'
import { currentUser, hasStoredUser } from './session.ts'
import { siteMessages } from '#messages/site.ts'
import { migrateInternalDrafts, claimDrafts, restoreSignInDrafts } from '#base/drafts.ts'
import { importChunk } from '#ui/import-chunk.ts'
import { watchSessionEnd, type SessionEnd } from './session-end.ts'
import { SignInClient } from './sign-in-client.tsx'
import { readConfig } from './read-config.ts'
import { buildStore } from '#base/store.ts'

/** The server snapshot. */
const SIGNED_OUT = { isLoading: false, isAuthenticated: false } as AuthContextProps

const state = buildStore<AuthContextProps>(SIGNED_OUT)
const client = buildStore<ReactNode>(null)
/** The client's latest state, and whether a sign-in is still pending. */
let latest = SIGNED_OUT
let isBusy = false

/** Provides the sign-in state. The lazy client mounts beside the app, so the app does not remount. */
export function SignIn({ children }: { children: ReactNode }) {
  const shown = state.use()
  useLayoutEffect(() => {
    // Hydration starts with the server's state, not the visitor's.
    if (shown === state.get() && !shown.isLoading) delete document.documentElement.dataset['signIn']
  }, [shown])
  return (
    <>
      <AuthContext value={shown}>{children}</AuthContext>
      {client.use()}
    </>
  )
}

type Listeners = {
  /** The account or its rights changed. */
  onPerson: () => void
  /** A draft of theirs is on another page. */
  onDraft: (returnUrl: string) => void
  onSessionEnd: (how: SessionEnd) => void
  onRenewFailed: (error: Error) => void
}

export async function loadSignIn({
  openedAt,
  ...listeners
}: Listeners & { openedAt: string }): Promise<UserManager> {
  publish({ ...SIGNED_OUT, isLoading: true })
  try {
    const [config, { startAuth }] = await Promise.all([
      readConfig(),
      importChunk(siteMessages.parts.signIn, () => import('./start-auth.ts')),
    ])
    const manager = startAuth(config)
    await watchPerson(manager, listeners)
    watchSessionEnd(manager, listeners.onSessionEnd)
    watchRenewal(manager, listeners.onRenewFailed)
    client.set(<SignInClient manager={manager} openedAt={openedAt} onState={publish} />)
    return manager
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    // A stored user stays signed in: the layout reports the failure and retries.
    const isLoading = hasStoredUser()
    publish({ ...SIGNED_OUT, isLoading, error: { ...plain(error), source: 'unknown' } })
    throw error
  }
}

const publish = (next: AuthContextProps) => {
  latest = next
  state.set(isBusy ? { ...next, isLoading: true } : next)
}

/** The header shows Loading instead of Login until the promise settles. */
export async function whileLoading<T>(work: Promise<T>): Promise<T> {
  isBusy = true
  publish(latest)
  try {
    return await work
  } finally {
    isBusy = false
    publish(latest)
  }
}

/** An Error's message is not enumerable. */
const plain = (error: Error) => ({
  name: error.name,
  message: error.message,
  stack: error.stack ?? '',
  innerError: error,
})

/** Reported once until the next sign-in: the client retries several times. */
function watchRenewal({ events }: UserManager, onFailed: (error: Error) => void) {
  let isReported = false
  events.addUserLoaded(() => {
    isReported = false
  })
  events.addSilentRenewError((error) => {
    if (!isReported) onFailed(error)
    isReported = true
  })
}

/** Reports a change of account or rights; a renewed token alone is neither. */
async function watchPerson({ events }: UserManager, { onPerson, onDraft }: Listeners) {
  let previous = toVisitor(await currentUser())
  if (previous) {
    migrateInternalDrafts(previous.sub)
    claimDrafts(previous.sub)
  }
  const checkUser = (user: User | null) => {
    const next = toVisitor(user)
    const isSame = ['sub', 'role', 'owner'].every(
      (name) => Reflect.get(Object(next), name) === Reflect.get(Object(previous), name),
    )
    if (isSame) return
    if (user && next && next.sub !== previous?.sub) {
      claimDrafts(next.sub)
      const page = restoreSignInDrafts(user.profile, {
        arrivedWith: draftIdFromCallback(),
        isRepeated: isRepeated(user),
      })
      if (page !== null) onDraft(page)
    }
    previous = next
    onPerson()
  }
  events.addUserLoaded(checkUser)
  events.addUserUnloaded(() => checkUser(null))
  // Renews if the provider still has a session.
  events.addAccessTokenExpired(() => void currentUser().then(checkUser))
}
