import type { Visitor } from '@gatehouse/model'
import type { User } from 'oidc-client-ts'
import { session } from '#base/storage.ts'
import { STORED_USER } from './session.ts'
import { cachedConfig, type SiteConfig } from './read-config.ts'

/** Until config.json is read. */
const UNKNOWN: SiteConfig = { authority: '', clientId: '' }

const settings = () => cachedConfig() ?? UNKNOWN

export const isReturnUrlInState = () => settings().returnUrl === 'state'

/** Keycloak's; null for other providers, whose addresses are unknown. */
export function accountPages() {
  const { authority } = settings()
  return authority.includes('/realms/') ? `${authority}/account/account-security/signing-in` : null
}

/** The acr of every sign-in; undefined if a password suffices. */
export function requiredAcr() {
  const { adminMfa, acrMfa = 'mfa' } = settings()
  return adminMfa === 'on' ? acrMfa : undefined
}

/** True of an admin whom the API treats as a user, because the sign-in lacks a second factor. */
export function isBelowMfa(user: User | null | undefined) {
  const needed = requiredAcr()
  if (!user || user.expired || needed === undefined || !isAdmin(user)) return false
  const { acr } = user.profile
  return acr !== needed && acr !== (settings().acrFresh ?? 'fresh')
}

export function roleOf(user: User): Pick<NonNullable<Visitor>, 'role' | 'owner'> {
  if (!isAdmin(user) || isBelowMfa(user)) return { role: 'user' }
  const path = (settings().ownerPath ?? '').split(' ').filter(Boolean)
  const claim = path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), user.profile)
  return { role: 'admin', owner: path.length === 0 || claim === true }
}

/** While the client loads: a guess that decides the layout, nothing else. */
export function isStoredAdmin() {
  const key = session.keys().find((one) => one.startsWith(STORED_USER))
  try {
    return isAdmin(JSON.parse(session.get(key ?? '') ?? ''))
  } catch {
    return false
  }
}

const isAdmin = ({ profile }: Pick<User, 'profile'>) => profile['role'] === 'admin'
