import type { Options } from './options.ts'

export const REALM = 'gatehouse'
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How long someone stays signed in, and how long a level reached stays reached. */
export const SESSION_SECONDS = 10 * HOUR
export const FRESH_SECONDS = 10 * MINUTE
const LINK_SECONDS = 15 * MINUTE

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
  'USER_DISABLED_BY_TEMPORARY_LOCKOUT',
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

/** Guesses are slowed per address in front (ops/nginx/identity.conf); only a guesser with many addresses meets this, for minutes. */
const guessing = {
  bruteForceProtected: true,
  permanentLockout: false,
  bruteForceStrategy: 'MULTIPLE',
  // More than one address gets through in a burst: alone, it can't lock the owner out.
  failureFactor: 150,
  waitIncrementSeconds: 30,
  maxFailureWaitSeconds: 300,
  minimumQuickLoginWaitSeconds: 0,
  quickLoginCheckMilliSeconds: 0,
  // A failure this long after the one before starts the count again: a steady guesser never locks the owner out.
  maxDeltaTimeSeconds: 2,
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
  actionTokenGeneratedByAdminLifespan: LINK_SECONDS,
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

/** Things a person can be asked to do, or ask for; an account is removed through the site, which erases the rest too. */
export const requiredActions: Record<string, boolean> = {
  CONFIGURE_TOTP: true,
  'webauthn-register': true,
  'webauthn-register-passwordless': true,
  CONFIGURE_RECOVERY_AUTHN_CODES: true,
  UPDATE_PASSWORD: true,
  UPDATE_PROFILE: true,
  UPDATE_EMAIL: true,
  VERIFY_EMAIL: true,
  delete_account: false,
}

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
