import { fileURLToPath } from 'node:url'
import { SetupError } from '../../api/src/platform/errors.ts'
import { readHsts } from '../../api/src/platform/hsts.ts'
import { senderOf } from '../../api/src/platform/mail/sender.ts'
import { siteFolderOf } from '../../api/src/platform/paths.ts'
import {
  readSecret,
  requireStrong,
  SECRET_MIN_LENGTH,
  toRelayUrl,
} from '../../api/src/platform/secrets.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'

const SMTP_PORT = { 'smtp:': '587', 'smtps:': '465' }

export function readOptions(env: NodeJS.ProcessEnv) {
  const config = readConfig(fileURLToPath(new URL('site.json', siteFolderOf(env))))
  const isDemo = env['REALM_DEMO'] === 'on'
  const problems: string[] = []
  const source = { source: env, problems }
  const secretOf = (name: string) => {
    const secret = readSecret(source, name)
    if (!secret && !env[`${name}_FILE`]) problems.push(`${name} is missing`)
    // The demo's are public.
    else if (secret && !isDemo)
      requireStrong(problems, { name, secret, minLength: SECRET_MIN_LENGTH })
    return secret
  }
  const { IDENTITY_ADMIN_URL: adminUrl = '' } = env
  if (!adminUrl) problems.push('IDENTITY_ADMIN_URL is missing')
  const realmSecret = secretOf('REALM_SECRET')
  const serviceSecret = secretOf('IDENTITY_SERVICE_SECRET')
  const relay = toRelayUrl(problems, readSecret(source, 'SMTP_URL', { canBeEmpty: true }))
  const hsts = readHsts(env['HSTS_SECONDS'], problems)
  if (problems.length > 0) throw new SetupError(`Settings: ${problems.join('; ')}`)
  return {
    keycloak: {
      url: adminUrl.replace(/\/$/, ''),
      client: env['REALM_CLIENT'] || 'realm-apply',
      secret: realmSecret,
    },
    isDemo,
    siteName: config.site.name,
    siteUrl: (env['SITE_URL'] || config.site.url).replace(/\/$/, ''),
    returnUrl: (env['SIGN_IN_RETURN_URL'] || 'state') === 'query' ? 'query' : 'state',
    isMfaRequired: env['ADMIN_MFA'] !== 'off',
    mail: readMail(relay, senderOf(config, env['MAIL_FROM'])),
    /** File in Keycloak's folder of password lists; empty if the server has none of ours. */
    denyList: env['REALM_DENY_LIST'] ?? 'common.txt',
    /** Named by web/keycloak/write-theme.ts; a server without it shows its own pages. Empty doesn't change the realm's theme. */
    theme: env['REALM_THEME'] ?? 'gatehouse',
    serviceSecret,
    hsts,
  } as const
}

export type Options = ReturnType<typeof readOptions>

/** Keycloak's mail settings are all strings. */
function readMail(address: string | null, from: string) {
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
