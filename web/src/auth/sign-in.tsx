import type { UserManager } from 'oidc-client-ts'
import type { ReactNode } from 'react'
import { AuthContext, type AuthContextProps } from 'react-oidc-context'
import { currentUser } from './auth.ts'
import { siteMessages } from '#messages/site.ts'
import { adoptInternalDrafts, claimDrafts } from '#base/drafts.ts'
import { fetchPart } from '#ui/fetch-part.ts'
import type { SessionEnd } from './session-end.ts'
import type { SignInConfig } from './sign-in-client.tsx'
import { buildStore } from '#base/store.ts'

const CONFIG_TIMEOUT_MS = 8_000

/** Nobody is signed in, and nothing is under way: what the server shows, and most visitors need no more. */
const NOBODY = { isLoading: false, isAuthenticated: false } as AuthContextProps

const state = buildStore<AuthContextProps>(NOBODY)
const client = buildStore<ReactNode>(null)
/** What the client said last, and whether someone is still waiting for more than that. */
let latest = NOBODY
let isBusy = false

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
  /** Someone else has come, or the person has gone. */
  onPerson: () => void
  onSessionEnd: (how: SessionEnd) => void
  onRenewFailed: (error: Error) => void
}

/** Fetches the client and starts it. */
export async function loadSignIn({
  openedAt,
  ...listeners
}: Listeners & { openedAt: string }): Promise<UserManager> {
  publish({ ...NOBODY, isLoading: true })
  try {
    const [config, { SignInClient, startAuth }, { watchSessionEnd }] = await Promise.all([
      readConfig(),
      fetchPart(siteMessages.parts.signIn, () => import('./sign-in-client.tsx')),
      fetchPart(siteMessages.parts.signIn, () => import('./session-end.ts')),
    ])
    const manager = startAuth(config)
    await watchPerson(manager, listeners.onPerson)
    watchSessionEnd(manager, listeners.onSessionEnd)
    manager.events.addSilentRenewError(listeners.onRenewFailed)
    client.set(<SignInClient manager={manager} openedAt={openedAt} onState={publish} />)
    return manager
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    publish({ ...NOBODY, error: { ...plain(error), source: 'unknown' } })
    throw error
  }
}

const publish = (next: AuthContextProps) => {
  latest = next
  state.set(isBusy ? { ...next, isLoading: true } : next)
}

/** The header says Loading, not Login, until it is known who is there. */
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
