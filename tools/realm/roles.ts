/** Realm roles with the roles they include: an owner is an admin too. */
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

/** Roles of every new account: `user`, and its account pages without deleting itself. */
export const DEFAULT_ROLES = {
  name: 'default-roles-gatehouse',
  realm: ['user'],
  client: { account: ['view-profile', 'manage-account'] },
}

/** Keycloak's default roles that we don't use. */
export const NOT_DEFAULT = ['offline_access', 'uma_authorization']
