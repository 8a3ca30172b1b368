import { SESSION_MAX_HOURS } from '../../api/src/platform/identity/session-life.ts'
import type { Options } from './options.ts'

export const REALM = 'gatehouse'
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Maximum age of a session, and of the levels `mfa` and `fresh` within it. */
export const SESSION_SECONDS = SESSION_MAX_HOURS * HOUR
export const FRESH_SECONDS = 10 * MINUTE
/** Links that a user requests: password reset, confirmation of an address. */
const LINK_SECONDS = 15 * MINUTE
/** Lasts a weekend. The job `expire-accounts` keeps invited staff an hour longer. */
const INVITATION_SECONDS = 72 * HOUR

/** Levels of sign-in by value of the claim `acr`. */
export const LEVELS = { session: 1, mfa: 2, fresh: 3 }

/** Collected by the API; Keycloak stores them for a day at most. */
const EVENTS = [
  'LOGIN',
  'LOGIN_ERROR',
  'LOGOUT',
  'REGISTER',
  'UPDATE_PASSWORD',
  'UPDATE_CREDENTIAL',
  'REMOVE_CREDENTIAL',
  'RESET_PASSWORD',
  'RESET_PASSWORD_ERROR',
  'UPDATE_EMAIL',
  'VERIFY_EMAIL',
  'DELETE_ACCOUNT',
  'USER_DISABLED_BY_PERMANENT_LOCKOUT',
]

/** The realm's settings; others keep Keycloak's defaults. */
export const realmSettings = (options: Options) => ({
  ...words(options),
  ...people(options),
  ...guessing,
  ...lifetimes,
  ...factors(options),
  ...events(options),
  ...headers(options),
  ...mail(options),
})

const words = ({ siteName, siteUrl, theme }: Options) => ({
  enabled: true,
  displayName: siteName,
  // Link to the site in the header of every page.
  displayNameHtml: `<a href="${escapeHtml(siteUrl)}/">${escapeHtml(siteName)}</a>`,
  internationalizationEnabled: false,
  ...(theme ? { loginTheme: theme, accountTheme: theme, emailTheme: theme } : {}),
})

const people = ({ mail, denyList }: Options) => ({
  // Fine-grained permissions for the API's account (service-account-permissions.ts).
  adminPermissionsEnabled: true,
  sslRequired: 'external',
  registrationAllowed: true,
  registrationEmailAsUsername: false,
  loginWithEmailAllowed: true,
  duplicateEmailsAllowed: false,
  editUsernameAllowed: false,
  rememberMe: false,
  // Both need mail.
  resetPasswordAllowed: mail !== null,
  verifyEmail: mail !== null,
  passwordPolicy: [
    'length(12)',
    'maxLength(128)',
    'notUsername(undefined)',
    'notEmail(undefined)',
    ...(denyList ? [`passwordBlacklist(${denyList})`] : []),
  ].join(' and '),
})

/**
 * Password guesses are limited per address by nginx (ops/nginx/identity.conf) and never lock an account. Wrong codes follow
 * the right password, which must be stolen: the account is disabled, and the API enables it without that password.
 */
const guessing = {
  bruteForceProtected: true,
  permanentLockout: false,
  bruteForceStrategy: 'MULTIPLE',
  // Never reached: disables the lock after wrong passwords.
  failureFactor: 1_000_000_000,
  minimumQuickLoginWaitSeconds: 0,
  quickLoginCheckMilliSeconds: 0,
  maxSecondaryAuthFailures: 10,
  // The count of wrong codes is reset by a right one, or this long after the last failure.
  maxDeltaTimeSeconds: 12 * HOUR,
}

const lifetimes = {
  defaultSignatureAlgorithm: 'RS256',
  accessTokenLifespan: 5 * MINUTE,
  accessCodeLifespan: MINUTE,
  accessCodeLifespanLogin: 15 * MINUTE,
  accessCodeLifespanUserAction: 15 * MINUTE,
  ssoSessionIdleTimeout: 30 * MINUTE,
  ssoSessionMaxLifespan: SESSION_SECONDS,
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  actionTokenGeneratedByUserLifespan: LINK_SECONDS,
  actionTokenGeneratedByAdminLifespan: INVITATION_SECONDS,
}

const factors = ({ siteName }: Options) => ({
  otpPolicyCodeReusable: false,
  webAuthnPolicyRpEntityName: siteName,
  webAuthnPolicyUserVerificationRequirement: 'preferred',
  webAuthnPolicyPasswordlessRpEntityName: siteName,
  webAuthnPolicyPasswordlessUserVerificationRequirement: 'required',
  webAuthnPolicyPasswordlessResidentKey: 'required',
  webAuthnPolicyPasswordlessPasskeysEnabled: true,
})

const events = ({ mail }: Options) => ({
  eventsEnabled: true,
  eventsExpiration: DAY,
  enabledEventTypes: EVENTS,
  adminEventsEnabled: true,
  adminEventsDetailsEnabled: false,
  // No listener writes to the log; `email` notifies the account when a credential changes.
  eventsListeners: mail ? ['email'] : [],
})

const headers = ({ hsts }: Options) => ({
  browserSecurityHeaders: {
    contentSecurityPolicy: "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
    contentSecurityPolicyReportOnly: '',
    xContentTypeOptions: 'nosniff',
    xFrameOptions: 'SAMEORIGIN',
    referrerPolicy: 'no-referrer',
    xRobotsTag: 'none',
    // Empty: none.
    strictTransportSecurity: hsts,
  },
})

const mail = ({ mail, siteName }: Options) =>
  mail ? { smtpServer: { ...mail, fromDisplayName: siteName } } : {}

/** Stored beside the settings; Keycloak requires strings. */
export const realmAttributes = {
  'acr.loa.map': JSON.stringify(LEVELS),
  adminEventsExpiration: String(DAY),
}

type Action = { enabled: boolean; config?: Record<string, string> }

/** Keycloak's required actions. Deleting an account is off: the site does it and erases its other data too. */
export const requiredActions: Record<string, Action> = {
  CONFIGURE_TOTP: { enabled: true, config: { 'add-recovery-codes': 'true' } },
  'webauthn-register': { enabled: true },
  'webauthn-register-passwordless': { enabled: true },
  // The account pages ask for new codes when this many are left.
  CONFIGURE_RECOVERY_AUTHN_CODES: { enabled: true, config: { warning_threshold: '4' } },
  UPDATE_PASSWORD: { enabled: true },
  UPDATE_PROFILE: { enabled: true },
  UPDATE_EMAIL: { enabled: true },
  VERIFY_EMAIL: { enabled: true },
  delete_account: { enabled: false },
}

/**
 * Config of any required action, including Keycloak's built-in ones. If a user requests it (`kc_action`), it starts with a new
 * sign-in: a page opened with the cookie alone could be left open past the end of the session.
 */
export const actionConfig = (alias: string, { enabled }: Pick<Action, 'enabled'>) => ({
  ...(enabled ? { max_auth_age: '0' } : {}),
  ...requiredActions[alias]?.config,
})

/** A username that is another user's address would prevent them from registering. Existing usernames are not checked. */
export const usernameRule = {
  pattern: { pattern: '[^@]*', 'error-message': 'usernameNoAddress' },
}

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
