import type { UserManager } from 'oidc-client-ts'
import type { ReactNode } from 'react'
import { AuthContext, type AuthContextProps } from 'react-oidc-context'
import { currentUser } from './auth.ts'
import { texts } from './content/texts.ts'
import { adoptInternalDrafts, claimDrafts } from './drafts.ts'
import { fetchPart } from './fetch-part.ts'
import type { SignInConfig } from './sign-in-client.tsx'
import { buildStore } from './store.ts'

const CONFIG_TIMEOUT_MS = 8_000

/** Nobody is signed in, and nothing is under way: what the server shows, and most visitors need no more. */
const NOBODY = { isLoading: false, isAuthenticated: false } as AuthContextProps

const state = buildStore<AuthContextProps>(NOBODY)
const client = buildStore<ReactNode>(null)

/** Gives the app the state of the sign-in. The client that keeps it comes later, beside the app, which is not disturbed. */
export function SignIn({ children }: { children: ReactNode }) {
  return (
    <>
      <AuthContext value={state.use()}>{children}</AuthContext>
      {client.use()}
    </>
  )
}

type Listeners = {
  /** Somebody else has come, or the person has gone. */
  onPerson: () => void
  onSignedOutElsewhere: () => void
  onRenewFailed: (error: Error) => void
}

/** Fetches the client and starts it. */
export async function loadSignIn({
  openedAt,
  ...listeners
}: Listeners & { openedAt: string }): Promise<UserManager> {
  state.set({ ...NOBODY, isLoading: true })
  try {
    const [config, { SignInClient, startAuth }] = await Promise.all([
      readConfig(),
      fetchPart(texts.parts.signIn, () => import('./sign-in-client.tsx')),
    ])
    const manager = startAuth(config)
    await watchPerson(manager, listeners.onPerson)
    manager.events.addUserSignedOut(listeners.onSignedOutElsewhere)
    manager.events.addSilentRenewError(listeners.onRenewFailed)
    client.set(<SignInClient manager={manager} openedAt={openedAt} onState={publish} />)
    return manager
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    state.set({ ...NOBODY, error: { ...plain(error), source: 'unknown' } })
    throw error
  }
}

const publish = (next: AuthContextProps) => state.set(next)

/** An error's own words are not enumerable. */
const plain = (error: Error) => ({
  name: error.name,
  message: error.message,
  stack: error.stack ?? '',
  innerError: error,
})

async function readConfig(): Promise<SignInConfig> {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(CONFIG_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`config.json: ${response.status}`)
  return response.json()
}

/** A renewed token is no other person. */
async function watchPerson({ events }: UserManager, onPerson: () => void) {
  let sub = (await currentUser())?.profile.sub
  if (sub) {
    adoptInternalDrafts(sub)
    claimDrafts(sub)
  }
  const look = (next: string | undefined) => {
    if (next === sub) return
    sub = next
    if (sub) claimDrafts(sub)
    onPerson()
  }
  events.addUserLoaded(({ profile }) => look(profile.sub))
  events.addUserUnloaded(() => look(undefined))
  // Renewed if the provider still knows the person.
  events.addAccessTokenExpired(() => void currentUser().then((user) => look(user?.profile.sub)))
}
