import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../../api/src/platform/errors.ts'
import { senderOf } from '../../api/src/platform/mail/sender.ts'
import { siteFolderOf } from '../../api/src/platform/paths.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'

/** Public, so accepted only with REALM_DEMO. */
export const DEMO_SECRETS = {
  realm: 'realm-apply-demo-secret',
  service: 'gatehouse-service-demo-secret',
}
const SECRET_MIN_LENGTH = 24
const SMTP_PORT = { 'smtp:': '587', 'smtps:': '465' }

export function readOptions(env: NodeJS.ProcessEnv) {
  const config = readConfig(fileURLToPath(new URL('site.json', siteFolderOf(env))))
  const isDemo = env['REALM_DEMO'] === 'on'
  const secretOf = (name: string, demo: string) => {
    const secret = readSecret(env, name)
    if (!isDemo && (secret === demo || secret.length < SECRET_MIN_LENGTH))
      throw new SetupError(
        `${name} must be a generated secret of at least ${SECRET_MIN_LENGTH} characters: openssl rand -hex 24`,
      )
    return secret
  }
  return {
    keycloak: {
      url: required(env, 'IDENTITY_ADMIN_URL').replace(/\/$/, ''),
      client: env['REALM_CLIENT'] || 'realm-apply',
      secret: secretOf('REALM_SECRET', DEMO_SECRETS.realm),
    },
    isDemo,
    siteName: config.site.name,
    siteUrl: (env['SITE_URL'] || config.site.url).replace(/\/$/, ''),
    returnUrl: (env['SIGN_IN_RETURN_URL'] || 'state') === 'query' ? 'query' : 'state',
    isMfaRequired: env['ADMIN_MFA'] !== 'off',
    mail: readMail(env['SMTP_URL'], senderOf(config, env['MAIL_FROM'])),
    /** File in Keycloak's folder of password lists; empty if the server has none of ours. */
    denyList: env['REALM_DENY_LIST'] ?? 'common.txt',
    /** Named by web/keycloak/write-theme.ts; a server without it shows its own pages. Empty doesn't change the realm's theme. */
    theme: env['REALM_THEME'] ?? 'gatehouse',
    serviceSecret: secretOf('IDENTITY_SERVICE_SECRET', DEMO_SECRETS.service),
  } as const
}

export type Options = ReturnType<typeof readOptions>

function readSecret(env: NodeJS.ProcessEnv, name: string) {
  const file = env[`${name}_FILE`]
  return file ? readFileSync(file, 'utf8').trim() : required(env, name)
}

function required(env: NodeJS.ProcessEnv, name: string) {
  const value = env[name]
  if (!value) throw new SetupError(`${name} is missing`)
  return value
}

/** Keycloak's mail settings are all strings. */
function readMail(address: string | undefined, from: string) {
  if (!address) return null
  const { protocol, hostname, port, username, password } = new URL(address)
  const isLoopback = ['127.0.0.1', 'localhost'].includes(hostname)
  return {
    host: hostname,
    port: port || (SMTP_PORT[protocol as keyof typeof SMTP_PORT] ?? '25'),
    from,
    ssl: String(protocol === 'smtps:'),
    starttls: String(protocol === 'smtp:' && !isLoopback),
    auth: String(username !== ''),
    ...(username
      ? { user: decodeURIComponent(username), password: decodeURIComponent(password) }
      : {}),
  }
}
