import type { Visitor } from '@gatehouse/model'
import type { User } from 'oidc-client-ts'

/** Settings of the deployment, served by the front proxy as /config.json: one build for every deployment. */
export type SignInConfig = {
  authority: string
  clientId: string
  /** Where the way back is kept: in the address as specified, or in the OIDC state for providers that match it exactly. */
  returnUrl?: 'query' | 'state'
  /** Whether the API counts the role admin with a second factor only. */
  adminMfa?: 'on' | 'off'
  /** What the provider calls a sign-in with a second factor, and one from just now. */
  acrMfa?: string
  acrFresh?: string
  /** Path to the claim that is true for owners, space-separated; empty: every admin is one. */
  ownerPath?: string
}

const TIMEOUT_MS = 8_000

let config: SignInConfig = { authority: '', clientId: '' }

export const adoptConfig = (given: SignInConfig) => void (config = given)

export async function readConfig(): Promise<SignInConfig> {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`config.json: ${response.status}`)
  return response.json()
}

export const isWayBackInState = () => config.returnUrl === 'state'

/** The provider's own pages about someone's ways to sign in; null where we don't know them. */
export const accountPages = () =>
  config.authority.includes('/realms/')
    ? `${config.authority}/account/account-security/signing-in`
    : null

/** What to ask for at every sign-in; undefined where a password suffices. */
export const askedAcr = () => (config.adminMfa === 'on' ? (config.acrMfa ?? 'mfa') : undefined)

/** An admin whose sign-in counts as a user's at the API, for want of a second factor. */
export function isBelowMfa(user: User | null | undefined) {
  const needed = askedAcr()
  if (!user || user.expired || needed === undefined || !isAdmin(user)) return false
  const { acr } = user.profile
  return acr !== needed && acr !== (config.acrFresh ?? 'fresh')
}

/** The rights a token gives at the API. */
export function standingOf(user: User): Pick<NonNullable<Visitor>, 'role' | 'owner'> {
  if (!isAdmin(user) || isBelowMfa(user)) return { role: 'user' }
  const path = (config.ownerPath ?? '').split(' ').filter(Boolean)
  const claim = path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), user.profile)
  return { role: 'admin', owner: path.length === 0 || claim === true }
}

const isAdmin = ({ profile }: User) => profile['role'] === 'admin'
