/** Realm roles with what they hold: an owner is an admin too. */
export const ROLES = [
  {
    name: 'user',
    description: 'Every account, also one who registered',
    realm: [],
    client: {},
  },
  {
    name: 'admin',
    description: 'Staff: the claim role is admin',
    realm: [],
    client: { 'gatehouse-api': ['admin'] },
  },
  {
    name: 'owner',
    description: 'Staff who own the business: the claim owner is true as well',
    realm: ['admin'],
    client: { 'gatehouse-owner': ['true'] },
  },
] as const

/** The role behind each claim, by the client that holds it. A claim’s value is the role’s name. */
export const CLIENT_ROLES: Record<string, string> = {
  'gatehouse-api': 'admin',
  'gatehouse-owner': 'true',
}

/** What every new account gets: the realm role `user`, and its own account pages without a way to remove itself. */
export const DEFAULT_ROLES = {
  name: 'default-roles-gatehouse',
  realm: ['user'],
  client: { account: ['view-profile', 'manage-account'] },
}

/** Roles that Keycloak gives every new account and nobody uses. */
export const NOT_DEFAULT = ['offline_access', 'uma_authorization']
