/** Source of an event: our own requests, the identity provider's log, or either; each action is recorded by one of them. */
type Teller = 'api' | 'provider' | 'either'
type Described = { title: string; from: Teller; outcomes?: Readonly<Record<string, string>> }

const FACTORS = {
  app: 'Authenticator app',
  passkey: 'Passkey',
  codes: 'Recovery codes',
  other: 'Another way',
} as const
const LEVELS = { technician: 'Technician', owner: 'Owner' } as const

/** All kinds of `security_events`, with their labels. Outcomes are limited to these, never user input. */
export const SECURITY_EVENTS = {
  'sign-in': { title: 'Signed in', from: 'provider' },
  'sign-in-failed': {
    title: 'Sign-in failed',
    from: 'provider',
    outcomes: {
      proof: 'Wrong password or code',
      locked: 'Account locked',
      disabled: 'Account disabled',
      other: 'Another reason',
    },
  },
  'locked-out': { title: 'Locked after many failed sign-ins', from: 'provider' },
  'step-up': { title: 'Confirmed who they are', from: 'api' },
  'sign-out-everywhere': { title: 'Signed out everywhere', from: 'either' },
  'account-disabled': { title: 'Account disabled', from: 'either' },
  'account-enabled': { title: 'Account enabled', from: 'either' },
  'role-granted': { title: 'Role granted', from: 'either', outcomes: LEVELS },
  'role-removed': { title: 'Role removed', from: 'either', outcomes: LEVELS },
  'factor-added': { title: 'Second step added', from: 'provider', outcomes: FACTORS },
  'factor-removed': { title: 'Second step removed', from: 'provider', outcomes: FACTORS },
  'recovery-code-used': { title: 'Recovery code used', from: 'provider' },
  'password-changed': { title: 'Password changed', from: 'provider' },
  denied: {
    title: 'Refused',
    from: 'api',
    outcomes: { forbidden: 'Not allowed', proof: 'Asked to confirm who they are' },
  },
  exported: {
    title: 'Exported',
    from: 'api',
    outcomes: { 'security-events': 'Security events', changes: 'Log of changes' },
  },
  purged: { title: 'Permanently deleted', from: 'api' },
  read: { title: 'Read personal data', from: 'api' },
  'history-mismatch': {
    title: 'History and audit log differ',
    from: 'api',
    outcomes: {
      'no-audit-row': 'A change without an audit row',
      'no-revision': 'An audit row whose change is gone',
      'not-purged': 'A purged record that is there',
    },
  },
} as const satisfies Record<string, Described>

export type SecurityEventKind = keyof typeof SECURITY_EVENTS

export type SecurityEventOutcome<Kind extends SecurityEventKind> =
  (typeof SECURITY_EVENTS)[Kind] extends {
    outcomes: infer Outcomes
  }
    ? keyof Outcomes & string
    : never

export type Person = { sub: string } | { ref: string | null }

export type SecurityEvent<Kind extends SecurityEventKind = SecurityEventKind> = {
  [K in Kind]: {
    kind: K
    outcome?: SecurityEventOutcome<K>
    /** When it happened; default: now. */
    at?: Date
    /** The acting person, and the affected one if different. */
    actor?: Person | null
    about?: Person | null
    model?: string
    record?: string
    /** Session ID. Stored as a hash. */
    sid?: string | null
    /** Deduplication key of an event that is reported repeatedly. Stored as a hash. */
    once?: string
  }
}[Kind]
