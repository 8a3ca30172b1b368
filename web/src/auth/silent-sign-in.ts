import { STORAGE_KEYS } from '@gatehouse/model'
import type { User, UserManager } from 'oidc-client-ts'
import { hasStoredUser, signInClient, toWayBack } from './auth.ts'
import { canStore, session } from '#base/storage.ts'
import { whileLoading } from './sign-in.tsx'

const KEY = STORAGE_KEYS.silentSignIn
/** Everything together, from the first byte of the client on. */
const LIMIT_MS = 10_000

let asking: Promise<User | null> | null = null

/**
 * Asks the provider, once per tab, who is signed in there: a new tab, a Ctrl+click and a link in a mail know nobody yet.
 * Null where it knows nobody either, and where it doesn't say so in time.
 */
export function signInSilently(request: Request): Promise<User | null> {
  // A tab with a stored user has just been refused a renewal.
  if (!asking && (session.get(KEY) || hasStoredUser() || !canStore())) return Promise.resolve(null)
  asking ??= whileLoading(ask(request)).finally(() => (asking = null))
  return asking
}

async function ask(request: Request) {
  session.set(KEY, 'asked')
  const answer = signInClient()
    .then((client) =>
      isSameSite(new URL(client.settings.authority), window.location)
        ? client.signinSilent()
        : leave(client, request),
    )
    .catch(() => null)
  return Promise.race([answer, timeLimit()])
}

const timeLimit = () =>
  new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), LIMIT_MS)
  })

/** A frame of another site doesn't see the provider's cookies: the whole tab goes there, and comes back to the asked page. */
async function leave(client: UserManager, { url, method, signal }: Request) {
  // What someone sends would be lost on the way, and anyone who has gone elsewhere stays there. Neither has asked anything.
  if (method !== 'GET' || signal.aborted) {
    session.remove(KEY)
    return null
  }
  const { pathname, search } = new URL(url)
  const asked = pathname + search
  const isOpen = asked === window.location.pathname + window.location.search
  await client.signinRedirect({
    ...toWayBack({
      page: 'signin-callback',
      returnUrl: isOpen ? asked + window.location.hash : asked,
      isQuiet: true,
    }),
    prompt: 'none',
    nonce: crypto.randomUUID(),
    redirectMethod: isOpen ? 'replace' : 'assign',
  })
  // Only a page the browser has kept gets here, when someone comes back to it.
  return client.getUser()
}

type Address = Pick<URL, 'protocol' | 'hostname'>

/**
 * What one site is, only the public suffix list knows. The same name is, and so is a name beneath the other; whatever else
 * would be a guess, and counts as another site.
 */
export const isSameSite = (one: Address, other: Address) =>
  one.protocol === other.protocol &&
  (one.hostname === other.hostname ||
    isBeneath(one.hostname, other.hostname) ||
    isBeneath(other.hostname, one.hostname))

const isBeneath = (name: string, parent: string) =>
  parent.includes('.') && name.endsWith(`.${parent}`)
