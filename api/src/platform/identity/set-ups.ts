/** Keycloak's required actions that set up a second factor. */
export const SET_UPS = [
  'CONFIGURE_TOTP',
  'CONFIGURE_RECOVERY_AUTHN_CODES',
  'webauthn-register',
  'webauthn-register-passwordless',
]
