import { FRESH_SECONDS, LEVELS, SESSION_SECONDS } from './settings.ts'
import type { Options } from './options.ts'

type Config = Record<string, string>
export type Step = { authenticator: string; requirement: string; config?: Config }
export type Flow = { flow: string; requirement: string; steps: (Step | Flow)[] }

const step = (authenticator: string, requirement = 'REQUIRED', config?: Config): Step => ({
  authenticator,
  requirement,
  ...(config ? { config } : {}),
})
const when = (flow: string, ...steps: (Step | Flow)[]): Flow => ({
  flow,
  requirement: 'CONDITIONAL',
  steps,
})
const level = (number: number, maxAge: number) =>
  step('conditional-level-of-authentication', 'REQUIRED', {
    'loa-condition-level': String(number),
    'loa-max-age': String(maxAge),
  })
const isAdmin = (negate = false) =>
  step('conditional-user-role', 'REQUIRED', { condUserRole: 'admin', negate: String(negate) })
const noPasskeyUsed = step('conditional-credential', 'REQUIRED', {
  credentials: 'webauthn-passwordless',
  included: 'false',
})
/** Config key whose value is another flow's name; apply-flows.ts appends the suffix. */
export const FLOW_TO_CHECK = 'flow_to_check'
const asked = (flow: string, check_result = 'executed') =>
  step('conditional-sub-flow-executed', 'REQUIRED', { [FLOW_TO_CHECK]: flow, check_result })
const notAsked = (flow: string) => asked(flow, 'not-executed')
const allow = step('allow-access-authenticator')

const FACTORS = [
  step('webauthn-authenticator-passwordless', 'ALTERNATIVE'),
  step('webauthn-authenticator', 'ALTERNATIVE'),
  step('auth-otp-form', 'ALTERNATIVE'),
  step('auth-recovery-authn-code-form', 'ALTERNATIVE'),
]
const hasFactor = (name: string, ...conditions: Step[]) =>
  when(name, step('conditional-user-configured'), ...conditions, ...FACTORS)
/**
 * An account without a factor is asked for one it lacks, so Keycloak starts the set-up. Only an existing session gets here, by
 * its cookie, so the password comes first: a stolen cookie could otherwise lock the owner out.
 */
const secondFactor = (name: string) => [
  hasFactor(`${name} factor`),
  when(
    `${name} set-up`,
    notAsked(`${name} factor`),
    step('auth-password-form'),
    step('auth-otp-form'),
  ),
]

/**
 * Level 1: a password or a passkey, plus the second factor if the account has one, whatever level was requested: a stolen
 * password is not enough to add another. Level 2, for admins: a factor. Level 3: a factor again. A factor is requested once
 * per sign-in. A newcomer without a factor gets level 1 and sets one up when the site requests more: the page then belongs to
 * a session, which began at a known time. "others" lets plain users pass a request for level 2.
 */
const BROWSER: Flow = {
  flow: 'gatehouse sign-in',
  requirement: 'REQUIRED',
  steps: [
    step('auth-cookie', 'ALTERNATIVE'),
    {
      flow: 'forms',
      requirement: 'ALTERNATIVE',
      steps: [
        when(
          'level 1',
          level(LEVELS.session, SESSION_SECONDS),
          step('auth-username-password-form'),
          hasFactor('level 1 factor', noPasskeyUsed),
        ),
        when('newcomer', asked('level 1'), notAsked('level 1 factor'), noPasskeyUsed, allow),
        when(
          'level 2',
          level(LEVELS.mfa, SESSION_SECONDS),
          isAdmin(),
          notAsked('newcomer'),
          when(
            'level 2 asks',
            noPasskeyUsed,
            notAsked('level 1 factor'),
            ...secondFactor('level 2'),
          ),
          allow,
        ),
        when(
          'level 3',
          level(LEVELS.fresh, FRESH_SECONDS),
          notAsked('newcomer'),
          when(
            'level 3 asks',
            noPasskeyUsed,
            notAsked('level 1 factor'),
            notAsked('level 2 factor'),
            notAsked('level 2 set-up'),
            ...secondFactor('level 3'),
          ),
          allow,
        ),
        when('others', isAdmin(true), allow),
      ],
    },
  ],
}

/** Requires the second factor besides the mailbox; admins without one are denied. */
const reset = ({ isMfaRequired }: Options): Flow => ({
  flow: 'gatehouse reset',
  requirement: 'REQUIRED',
  steps: [
    step('reset-credentials-choose-user'),
    step('reset-credential-email'),
    hasFactor('reset factor'),
    ...(isMfaRequired
      ? [
          when(
            'reset of an admin without a factor',
            isAdmin(),
            notAsked('reset factor'),
            step('deny-access-authenticator'),
          ),
        ]
      : []),
    step('reset-password'),
  ],
})

/** Flows by the realm setting that binds them. */
export const flowsOf = (options: Options) => ({
  browserFlow: BROWSER,
  resetCredentialsFlow: reset(options),
})
