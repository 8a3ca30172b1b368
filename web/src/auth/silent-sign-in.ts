import { STORAGE_KEYS } from '@gatehouse/model'
import type { User, UserManager } from 'oidc-client-ts'
import { draftIdFromCallback, toRedirectParams } from './auth.ts'
import { hasStoredUser, signInClient } from './session.ts'
import { canStore, session } from '#base/storage.ts'
import { requiredAcr } from './config.ts'
import { whileLoading } from './sign-in.tsx'

const KEY = STORAGE_KEYS.silentSignIn
/** Timeout of the full attempt, including loading the client. */
const LIMIT_MS = 10_000

let attempt: Promise<User | null> | null = null

/** Silent sign-in, once per tab. Null if the provider has no session or does not respond in time. */
export function signInSilently(request: Request): Promise<User | null> {
  // A tab with a stored user has already failed to renew.
  if (!attempt && (session.get(KEY) || hasStoredUser() || !canStore())) return Promise.resolve(null)
  attempt ??= whileLoading(signInOnce(request)).finally(() => (attempt = null))
  return attempt
}

async function signInOnce(request: Request) {
  session.set(KEY, 'asked')
  const signedIn = signInClient()
    .then((client) =>
      isSameSite(new URL(client.settings.authority), window.location)
        ? signInWithIframe(client)
        : leave(client, request),
    )
    .catch(() => null)
  return Promise.race([signedIn, timeLimit()])
}

/** A new registration has no acr level yet, although the provider has a session: retry without acr. */
const signInWithIframe = (client: UserManager) =>
  client.signinSilent(acrParams()).catch((error: unknown) => {
    if (requiredAcr() === undefined || Reflect.get(Object(error), 'error') !== 'login_required')
      throw error
    return client.signinSilent()
  })

/** Requests the second factor: without it staff would sign in below their role. */
function acrParams() {
  const acr = requiredAcr()
  return acr === undefined ? {} : { acr_values: acr }
}

const timeLimit = () =>
  new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), LIMIT_MS)
  })

/** Cross-site iframes don't get the provider's cookies: the tab redirects, and returns to the requested page. */
async function leave(client: UserManager, { url, method, signal }: Request) {
  // A redirect would lose a submission, or move a visitor who has navigated away.
  if (method !== 'GET' || signal.aborted) {
    session.remove(KEY)
    return null
  }
  const { pathname, search } = new URL(url)
  const requestedPath = pathname + search
  const draftId = draftIdFromCallback()
  const isOpen = requestedPath === window.location.pathname + window.location.search
  await client.signinRedirect({
    ...toRedirectParams({
      page: 'signin-callback',
      returnUrl: isOpen ? requestedPath + window.location.hash : requestedPath,
      isQuiet: true,
    }),
    prompt: 'none',
    ...(draftId === null ? {} : { url_state: draftId }),
    ...acrParams(),
    nonce: crypto.randomUUID(),
    redirectMethod: isOpen ? 'replace' : 'assign',
  })
  // Reached only from the back/forward cache.
  return client.getUser()
}

type Address = Pick<URL, 'protocol' | 'hostname'>

/** Approximates same-site without the public suffix list: equal hosts and subdomains count, anything else is cross-site. */
export const isSameSite = (one: Address, other: Address) =>
  one.protocol === other.protocol &&
  (one.hostname === other.hostname ||
    isBeneath(one.hostname, other.hostname) ||
    isBeneath(other.hostname, one.hostname))

const isBeneath = (name: string, parent: string) =>
  parent.includes('.') && name.endsWith(`.${parent}`)
