import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { connectAdminApi } from '../../tools/realm/admin-api.ts'
import { applyRealm } from '../../tools/realm/apply.ts'
import { readOptions } from '../../tools/realm/options.ts'
import { checkClock } from './machine.ts'
import {
  failure,
  isLocal,
  errorMessage,
  notInProduction,
  ok,
  warning,
  type Installation,
} from './finding.ts'

const TIMEOUT_MS = 5_000
/** Any RFC 7636 challenge: the sign-in is never completed. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

type Discovery = {
  issuer?: string
  jwks_uri?: string
  authorization_endpoint?: string
  code_challenge_methods_supported?: string[]
}

export async function checkIdentity(installation: Installation) {
  const { settings } = installation
  if (!settings) return []
  const { issuer } = settings.token
  try {
    const response = await ask(`${issuer}/.well-known/openid-configuration`)
    if (!response.ok) throw new Error(`it responds with ${response.status}`)
    const discovery = (await response.json()) as Discovery
    return [
      checkIssuer(installation, discovery),
      ...checkPkce(discovery),
      await checkKeys(installation, discovery),
      ...(await checkClient(installation, discovery)),
      ...checkProviderClock(response.headers.get('date')),
      ...checkWeakSettings(installation),
      await checkRealm(installation),
    ]
  } catch (error) {
    return [
      failure(
        `Cannot connect to identity provider ${issuer}: ${errorMessage(error)}`,
        'start it, or correct OIDC_ISSUER',
      ),
    ]
  }
}

/** Tokens are compared with the issuer letter for letter: http and https differ. */
function checkIssuer(installation: Installation, { issuer }: Discovery) {
  const wanted = installation.settings?.token.issuer ?? ''
  if (issuer !== wanted)
    return failure(
      `OIDC_ISSUER is ${wanted}, but the provider reports ${issuer}`,
      'make them equal: OIDC_ISSUER here, or the host name there (Keycloak: --hostname)',
    )
  const { protocol, hostname } = new URL(wanted)
  return protocol === 'https:' || isLocal(hostname)
    ? ok(`The identity provider is ${issuer}`)
    : notInProduction(installation)(
        `Passwords to ${issuer} are not encrypted`,
        'serve the identity provider over https',
      )
}

const checkPkce = ({ code_challenge_methods_supported: methods = [] }: Discovery) =>
  methods.includes('S256')
    ? []
    : [
        failure(
          'The identity provider does not offer PKCE with S256',
          'switch it on: sign-in uses it',
        ),
      ]

async function checkKeys(installation: Installation, discovery: Discovery) {
  const { jwksUri = '', algorithms = [] } = installation.settings?.token ?? {}
  const todo = `set OIDC_JWKS_URI to ${discovery.jwks_uri}, and OIDC_ALGORITHMS to what it signs with`
  const response = await ask(jwksUri)
  if (!response.ok) return failure(`${jwksUri} responds with ${response.status}`, todo)
  const { keys = [] } = (await response.json()) as { keys?: { alg?: string; use?: string }[] }
  const usable = keys.filter(({ alg, use }) => use !== 'enc' && (!alg || algorithms.includes(alg)))
  return usable.length > 0
    ? ok(`${usable.length} keys of the identity provider can be used`)
    : failure(`No key at ${jwksUri} is for ${algorithms.join(', ')}`, todo)
}

/** Checks that a sign-in would start. The roles in a token can't be seen without signing in. */
async function checkClient({ settings, siteUrl }: Installation, discovery: Discovery) {
  const client = settings?.token.authorisedParties[0]
  const endpoint = discovery.authorization_endpoint
  if (!settings || !siteUrl || !client || !endpoint) return []
  const redirect = `${siteUrl}/signin-callback`
  const statusOf = async (redirect_uri: string) => {
    const query = {
      client_id: client,
      redirect_uri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    }
    return (await ask(`${endpoint}?${new URLSearchParams(query)}`)).status
  }
  const status = await statusOf(redirect)
  if (status >= 400)
    return [
      failure(
        `The identity provider rejects a sign-in of ${client} that returns to ${redirect} (${status})`,
        `register the client ${client} there, with this redirect URI`,
      ),
    ]
  const { rolePath, adminValues } = settings.token
  return [
    (await statusOf(`${redirect}X`)) < 400
      ? warning(
          `${client} may return to any address that starts with ${redirect}`,
          'set SIGN_IN_RETURN_URL=state and apply the realm: only exact addresses are safe',
        )
      : ok(`${client} may return only to ${redirect}`),
    ok(
      `Admins have ${rolePath.join(' › ')} = ${adminValues.join(' or ')} in their token, from a claim mapper of ${client}`,
    ),
  ]
}

function checkWeakSettings(installation: Installation) {
  const { env } = installation
  const known = Object.values<string | undefined>(DEMO_SECRETS)
  return [
    env['ADMIN_MFA'] === 'off'
      ? notInProduction(installation)(
          'Admins sign in without a second factor',
          'set ADMIN_MFA=on and apply the realm: a stolen password is then not enough',
        )
      : ok('Admins need a second factor'),
    ...['IDENTITY_SERVICE_SECRET', 'REALM_SECRET']
      .filter((name) => known.includes(env[name]))
      .map((name) =>
        notInProduction(installation)(
          `${name} is the demo’s, which is public`,
          'openssl rand -hex 24, then apply the realm',
        ),
      ),
  ]
}

/** Needs the credentials of the account that applies the realm. */
async function checkRealm({ env }: Installation) {
  if (!env['REALM_SECRET'] && !env['REALM_SECRET_FILE'])
    return ok('The realm is not compared from here: ./gatehouse realm --check does it')
  const options = readOptions(env)
  const api = connectAdminApi(options, { isWriting: false })
  await applyRealm(api, options)
  return api.changes.length === 0
    ? ok('The realm is as declared')
    : failure(`The realm differs: ${api.changes.join('; ')}`, 'apply it: docs/operating.md')
}

/** The Date header is optional: Keycloak sends it only behind a proxy. */
const checkProviderClock = (date: string | null) =>
  date ? [checkClock('the identity provider', Date.parse(date))] : []

const ask = (url: string) =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
