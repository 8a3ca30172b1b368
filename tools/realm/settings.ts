import { SESSION_MAX_HOURS } from '../../api/src/platform/identity/session-life.ts'
import type { Options } from './options.ts'

export const REALM = 'gatehouse'
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How long someone stays signed in, and how long a level reached stays reached. */
export const SESSION_SECONDS = SESSION_MAX_HOURS * HOUR
export const FRESH_SECONDS = 10 * MINUTE
/** Links that a person requests: a reset, the confirmation of an address. */
const LINK_SECONDS = 15 * MINUTE
/** An invitation: it may arrive on a Friday evening. The job `expire-accounts` leaves invited staff an hour longer. */
const INVITATION_SECONDS = 72 * HOUR

/** Levels of sign-in, by the word in the claim `acr`. */
export const LEVELS = { session: 1, mfa: 2, fresh: 3 }

/** What the API collects; Keycloak keeps them until then, a day at most. */
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

/** The realm's own settings. What is not named here is Keycloak's default, and left alone. */
export const realmSettings = (options: Options) => ({
  ...words(options),
  ...people(options),
  ...guessing,
  ...lifetimes,
  ...factors(options),
  ...events(options),
  ...headers,
  ...mail(options),
})

const words = ({ siteName, siteUrl, theme }: Options) => ({
  enabled: true,
  displayName: siteName,
  // The way home, in the head of every page.
  displayNameHtml: `<a href="${escapeHtml(siteUrl)}/">${escapeHtml(siteName)}</a>`,
  internationalizationEnabled: false,
  ...(theme ? { loginTheme: theme, accountTheme: theme, emailTheme: theme } : {}),
})

const people = ({ mail, denyList }: Options) => ({
  // Rights by person and role, for the API's account (rights.ts).
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
 * Guesses at a password are slowed per address in front (ops/nginx/identity.conf) and never lock anyone out. Guesses at a code
 * come after the right password, so it is a thief's: the account is closed, and the API opens it without that password.
 */
const guessing = {
  bruteForceProtected: true,
  permanentLockout: false,
  bruteForceStrategy: 'MULTIPLE',
  // Never reached.
  failureFactor: 1_000_000_000,
  minimumQuickLoginWaitSeconds: 0,
  quickLoginCheckMilliSeconds: 0,
  maxSecondaryAuthFailures: 10,
  // Wrong codes are counted until a right one comes, or for this long after the last failure.
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
  // None writes to the log; this one tells people when a way to sign in changes.
  eventsListeners: mail ? ['email'] : [],
})

const headers = {
  browserSecurityHeaders: {
    contentSecurityPolicy: "frame-src 'self'; frame-ancestors 'self'; object-src 'none';",
    contentSecurityPolicyReportOnly: '',
    xContentTypeOptions: 'nosniff',
    xFrameOptions: 'SAMEORIGIN',
    referrerPolicy: 'no-referrer',
    xRobotsTag: 'none',
    strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  },
}

const mail = ({ mail, siteName }: Options) =>
  mail ? { smtpServer: { ...mail, fromDisplayName: siteName } } : {}

/** Kept beside the settings; Keycloak reads all of them as text. */
export const realmAttributes = {
  'acr.loa.map': JSON.stringify(LEVELS),
  adminEventsExpiration: String(DAY),
}

type Action = { enabled: boolean; config?: Record<string, string> }

/** Things a person can be asked to do, or ask for; an account is removed through the site, which erases the rest too. */
export const requiredActions: Record<string, Action> = {
  CONFIGURE_TOTP: { enabled: true, config: { 'add-recovery-codes': 'true' } },
  'webauthn-register': { enabled: true },
  'webauthn-register-passwordless': { enabled: true },
  // So many left, and the account pages ask for new ones.
  CONFIGURE_RECOVERY_AUTHN_CODES: { enabled: true, config: { warning_threshold: '4' } },
  UPDATE_PASSWORD: { enabled: true },
  UPDATE_PROFILE: { enabled: true },
  UPDATE_EMAIL: { enabled: true },
  VERIFY_EMAIL: { enabled: true },
  delete_account: { enabled: false },
}

/**
 * Config of any action of the realm, including those that Keycloak brings itself. One that a person requests (`kc_action`)
 * begins with signing in again: a page opened with the cookie alone could be left open past the end of the session.
 */
export const actionConfig = (alias: string, { enabled }: Pick<Action, 'enabled'>) => ({
  ...(enabled ? { max_auth_age: '0' } : {}),
  ...requiredActions[alias]?.config,
})

/** A new username that is an address could be someone else's, who then can't register. Keycloak leaves those alone that are there. */
export const usernameRule = {
  pattern: { pattern: '[^@]*', 'error-message': 'usernameNoAddress' },
}

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
