import type { Visitor } from '@gatehouse/model'
import type { User } from 'oidc-client-ts'
import { knownConfig, type SiteConfig } from './read-config.ts'

/** Before the settings have been read. */
const UNKNOWN: SiteConfig = { authority: '', clientId: '' }

const settings = () => knownConfig() ?? UNKNOWN

export const isReturnUrlInState = () => settings().returnUrl === 'state'

/** The provider's own pages about someone's ways to sign in; null where we don't know them. */
export function accountPages() {
  const { authority } = settings()
  return authority.includes('/realms/') ? `${authority}/account/account-security/signing-in` : null
}

/** What to ask for at every sign-in; undefined where a password suffices. */
export function requiredAcr() {
  const { adminMfa, acrMfa = 'mfa' } = settings()
  return adminMfa === 'on' ? acrMfa : undefined
}

/** An admin whose sign-in counts as a user's at the API, for want of a second factor. */
export function isBelowMfa(user: User | null | undefined) {
  const needed = requiredAcr()
  if (!user || user.expired || needed === undefined || !isAdmin(user)) return false
  const { acr } = user.profile
  return acr !== needed && acr !== (settings().acrFresh ?? 'fresh')
}

/** The rights a token gives at the API. */
export function roleOf(user: User): Pick<NonNullable<Visitor>, 'role' | 'owner'> {
  if (!isAdmin(user) || isBelowMfa(user)) return { role: 'user' }
  const path = (settings().ownerPath ?? '').split(' ').filter(Boolean)
  const claim = path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), user.profile)
  return { role: 'admin', owner: path.length === 0 || claim === true }
}

const isAdmin = ({ profile }: User) => profile['role'] === 'admin'
