import type { Options } from './options.ts'

/** A client as Keycloak describes it; `attributes` are merged, the rest is compared as it stands. */
export type Client = { clientId: string; attributes?: Record<string, string> } & Record<
  string,
  unknown
>
export type Mapper = { name: string; protocolMapper: string; config: Record<string, string> }

const IN_TOKENS = {
  'id.token.claim': 'true',
  'access.token.claim': 'true',
  'userinfo.token.claim': 'true',
  'introspection.token.claim': 'true',
}
const NO_FLOW = {
  standardFlowEnabled: false,
  implicitFlowEnabled: false,
  directAccessGrantsEnabled: false,
  serviceAccountsEnabled: false,
}

/** Clients that only define roles; no sign-in uses them. */
const container = (clientId: string, name: string): Client => ({
  clientId,
  name,
  enabled: true,
  publicClient: false,
  bearerOnly: true,
  ...NO_FLOW,
})

const web = ({ siteUrl, returnUrl }: Options): Client => ({
  clientId: 'gatehouse-web',
  name: 'Gatehouse website',
  enabled: true,
  publicClient: true,
  ...NO_FLOW,
  standardFlowEnabled: true,
  frontchannelLogout: false,
  consentRequired: false,
  fullScopeAllowed: false,
  rootUrl: siteUrl,
  baseUrl: '/',
  // With `query`, the return page is a query parameter of the URL, which only a wildcard matches.
  redirectUris: [
    `${siteUrl}/signin-callback${returnUrl === 'query' ? '*' : ''}`,
    `${siteUrl}/silent-renew.html`,
  ],
  webOrigins: [siteUrl],
  attributes: {
    'pkce.code.challenge.method': 'S256',
    'post.logout.redirect.uris': `${siteUrl}/logout-callback${returnUrl === 'query' ? '*' : ''}`,
    'access.token.signed.response.alg': 'RS256',
    'id.token.signed.response.alg': 'RS256',
    'use.refresh.tokens': 'true',
    'dpop.bound.access.tokens': 'false',
    'backchannel.logout.session.required': 'true',
    'access.token.header.type.rfc9068': 'true',
    // Empty: a new account has reached no level and would be asked for the password again.
    'default.acr.values': '',
  },
})

/** The API's own account; its permissions are in service-account-permissions.ts. */
const service = ({ serviceSecret }: Options): Client => ({
  clientId: 'gatehouse-service',
  name: 'Gatehouse API’s own account',
  enabled: true,
  publicClient: false,
  bearerOnly: false,
  ...NO_FLOW,
  serviceAccountsEnabled: true,
  fullScopeAllowed: true,
  redirectUris: [],
  webOrigins: [],
  secret: serviceSecret,
})

/** Keycloak creates these itself. Account pages require an admin's second factor; unused clients are disabled. */
const builtIn = ({ isMfaRequired }: Options): Client[] => [
  {
    clientId: 'account-console',
    enabled: true,
    directAccessGrantsEnabled: false,
    attributes: { 'default.acr.values': isMfaRequired ? 'mfa' : '' },
  },
  { clientId: 'account', enabled: true, directAccessGrantsEnabled: false },
  { clientId: 'realm-management', enabled: true, directAccessGrantsEnabled: false },
  ...['admin-cli', 'broker', 'security-admin-console'].map((clientId) => ({
    clientId,
    enabled: false,
    directAccessGrantsEnabled: false,
  })),
]

export const clientsOf = (options: Options) => [
  container('gatehouse-api', 'Gatehouse API (audience, and the role behind the claim role)'),
  container('gatehouse-owner', 'Gatehouse owners (the role behind the claim owner)'),
  web(options),
  service(options),
  ...builtIn(options),
]

/** Claims of tokens: `role` is one word, a fixed `user` that a role overwrites; `owner` is true or absent. */
export const WEB_MAPPERS: Mapper[] = [
  {
    name: 'aud gatehouse-api',
    protocolMapper: 'oidc-audience-mapper',
    config: {
      'included.client.audience': 'gatehouse-api',
      'access.token.claim': 'true',
      'id.token.claim': 'false',
      'introspection.token.claim': 'true',
    },
  },
  {
    name: 'role default',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config: {
      'claim.name': 'role',
      'claim.value': 'user',
      'jsonType.label': 'String',
      ...IN_TOKENS,
    },
  },
  {
    name: 'role override',
    protocolMapper: 'oidc-usermodel-client-role-mapper',
    config: {
      'usermodel.clientRoleMapping.clientId': 'gatehouse-api',
      'claim.name': 'role',
      'jsonType.label': 'String',
      multivalued: 'false',
      ...IN_TOKENS,
    },
  },
  {
    name: 'owner',
    protocolMapper: 'oidc-usermodel-client-role-mapper',
    config: {
      'usermodel.clientRoleMapping.clientId': 'gatehouse-owner',
      'claim.name': 'owner',
      'jsonType.label': 'boolean',
      multivalued: 'false',
      ...IN_TOKENS,
    },
  },
  {
    // Times of the sign-in's steps: the API rejects a sign-in that began before the account's sessions were ended.
    name: 'authenticators completed',
    protocolMapper: 'oidc-usersessionmodel-note-mapper',
    config: {
      'user.session.note': 'authenticators-completed',
      'claim.name': 'authenticators_completed',
      'jsonType.label': 'JSON',
      'access.token.claim': 'true',
      'id.token.claim': 'false',
      'userinfo.token.claim': 'false',
      'introspection.token.claim': 'true',
    },
  },
]

export const WEB_SCOPES: Record<string, string[]> = {
  default: ['basic', 'profile', 'email', 'web-origins', 'acr'],
  optional: [],
}
