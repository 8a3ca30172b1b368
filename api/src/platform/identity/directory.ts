import { HttpError, identityUnavailable, invitationNotSent } from '#platform/errors.ts'
import { buildProviderLog, type UserEvent } from './provider-log.ts'
import { SET_UPS } from './set-ups.ts'
import { connectProvider, ProviderStatusError, type ProviderSettings } from './provider.ts'

const PAGE = 100
/** Keycloak's credential type that isn't a second factor. */
const FIRST_FACTOR = 'password'
/** Our names of Keycloak's second-factor types. */
const FACTOR_NAMES: Record<string, Factor> = {
  otp: 'codes',
  webauthn: 'passkey',
  'webauthn-passwordless': 'passkey',
  'recovery-authn-codes': 'recovery',
}
export const FACTORS = ['codes', 'passkey', 'recovery'] as const
type Factor = (typeof FACTORS)[number]

/** `siteClient`: Keycloak client whose site the provider's mails link to. */
export type DirectorySettings = ProviderSettings & { siteClient: string }

/** Keycloak's user representation, as far as it is used. */
export type Account = {
  id: string
  username: string
  email?: string
  firstName?: string
  lastName?: string
  enabled: boolean
  emailVerified: boolean
  createdTimestamp: number
  requiredActions?: string[]
  attributes?: Record<string, string[]>
}

export const fullNameOf = ({ firstName, lastName }: Account) =>
  [firstName, lastName].filter(Boolean).join(' ') || null

export type Credential = { id: string; type: string; createdDate: number }

type Session = { id: string; start: number }
/** Keycloak lists starts in whole seconds; its log has the exact times. */
const START_PRECISION_MS = 1_000

/** By session; the log is in order of time. */
function firstSignIns(log: UserEvent[]) {
  const first = new Map<string, number>()
  for (const { type, time, sessionId = '' } of log)
    if (type === 'LOGIN' && !first.has(sessionId)) first.set(sessionId, time)
  return first
}

type Role = { id: string; name: string }
const STAFF_ROLES = { technician: 'admin', owner: 'owner' } as const
export type StaffLevel = keyof typeof STAFF_ROLES
export type Level = StaffLevel | 'none'
export const RANKS = { none: 0, technician: 1, owner: 2 }

const UPDATE_NAME = 'UPDATE_PROFILE'
export const INVITATION_ACTIONS = ['VERIFY_EMAIL', 'UPDATE_PASSWORD', UPDATE_NAME]

export const needsName = ({ emailVerified, requiredActions = [] }: Account) =>
  !emailVerified && !requiredActions.includes(UPDATE_NAME)

/** Not the address, which may be the username of another account; users sign in by address. */
export const newUsername = (email: string) =>
  `${email.split('@')[0]}-${crypto.randomUUID().slice(0, 6)}`

/** Keycloak responds so if the mail relay rejects a mail or doesn't respond. */
const isServerError = (error: unknown) =>
  error instanceof HttpError &&
  error.cause instanceof ProviderStatusError &&
  error.cause.status === 500

export type Directory = ReturnType<typeof buildDirectory>

/** Accounts at the identity provider, via Keycloak's admin API. The service account has only the rights used here. */
export function buildDirectory({ siteClient, ...settings }: DirectorySettings) {
  const { call, read } = connectProvider(settings)
  const log = buildProviderLog({ read })
  let self: Account | null = null

  /** Our service account, created when the realm was first applied. */
  async function ourAccount() {
    self ??= await firstWith('username', `service-account-${settings.client}`)
    return self
  }

  const credentialsOf = async (id: string) =>
    (await read<Credential[]>(`/users/${id}/credentials`)) ?? []
  const rolesOf = async (id: string) =>
    (await read<Role[]>(`/users/${id}/role-mappings/realm`)) ?? []
  const firstWith = async (name: 'email' | 'username', value: string) =>
    (await read<Account[]>(`/users?exact=true&${name}=${encodeURIComponent(value)}`))?.[0] ?? null

  const factors = async (id: string) =>
    (await credentialsOf(id)).filter(({ type }) => type !== FIRST_FACTOR)

  const sessions = async (id: string) => (await read<Session[]>(`/users/${id}/sessions`)) ?? []

  /** Cancels pending set-ups of second factors: enrolling codes requires recovery codes at the next sign-in. */
  async function cancelSetUp(id: string) {
    const account = await read<Account>(`/users/${id}`)
    const pending = account?.requiredActions ?? []
    const requiredActions = pending.filter((action) => !SET_UPS.includes(action))
    if (account && requiredActions.length < pending.length)
      await call('PUT', `/users/${id}`, { ...account, requiredActions })
  }

  async function* all(filter = '') {
    for (let first = 0; ; first += PAGE) {
      const page = (await read<Account[]>(`/users?first=${first}&max=${PAGE}${filter}`)) ?? []
      // Skips service accounts, which have no address and must be kept.
      yield* page.filter(({ email }) => email)
      if (page.length < PAGE) return
    }
  }

  return {
    all,
    find: (id: string) => read<Account>(`/users/${id}`),
    findByEmail: (email: string) => firstWith('email', email),
    levelOf: async (id: string): Promise<Level> => {
      const held = (await rolesOf(id)).map(({ name }) => name)
      if (held.includes(STAFF_ROLES.owner)) return 'owner'
      return held.includes(STAFF_ROLES.technician) ? 'technician' : 'none'
    },

    /** Returns the ID of the new account, which has no password yet. */
    create: async (email: string) => {
      const account = { username: newUsername(email), email, enabled: true }
      const created = await call('POST', '/users', account)
      const id = created?.headers.get('location')?.split('/').at(-1)
      if (!id) throw identityUnavailable()
      return id
    },
    remove: (id: string) => call('DELETE', `/users/${id}`),
    /** Sends the full account: omitted fields would be cleared. */
    setEnabled: async (id: string, enabled: boolean) =>
      call('PUT', `/users/${id}`, { ...(await read<Account>(`/users/${id}`)), enabled }),
    signOut: (id: string) => call('POST', `/users/${id}/logout`),

    /** Emails a link to set a password; its last page links to the site. */
    invite: (id: string) =>
      call(
        'PUT',
        `/users/${id}/execute-actions-email?client_id=${siteClient}`,
        INVITATION_ACTIONS,
      ).catch((error: unknown) => {
        throw isServerError(error) ? invitationNotSent(error) : error
      }),

    /** An owner holds the role owner, which includes admin; a technician admin alone. */
    setLevel: async (id: string, level: Level) => {
      const path = `/users/${id}/role-mappings/realm`
      const held = await rolesOf(id)
      const role = level === 'none' ? null : STAFF_ROLES[level]
      const available = role === null ? null : await read<Role[]>(`${path}/available`)
      const others = Object.values(STAFF_ROLES).filter((name) => name !== role)
      const missing = (available ?? []).filter(({ name }) => name === role)
      const superfluous = held.filter(({ name }) => others.some((other) => other === name))
      if (missing.length > 0) await call('POST', path, missing)
      if (superfluous.length > 0) await call('DELETE', path, superfluous)
    },

    /** IDs of active sessions, `sid` in tokens. */
    sessionsOf: async (id: string) => (await sessions(id)).map((one) => one.id),
    sessionsBegunBy: async (id: string, moment: number) => {
      const begun = (await sessions(id)).filter(({ start }) => start <= moment)
      const isUnclear = ({ start }: Session) => start > moment - START_PRECISION_MS
      if (!begun.some(isUnclear)) return begun.map((one) => one.id)
      const first = firstSignIns(await log.of(id))
      const isLater = (one: Session) => isUnclear(one) && (first.get(one.id) ?? moment) > moment
      return begun.filter((one) => !isLater(one)).map((one) => one.id)
    },
    endSession: (sid: string) => call('DELETE', `/sessions/${encodeURIComponent(sid)}`),

    factorsOf: async (id: string) => [
      ...new Set((await factors(id)).flatMap(({ type }) => FACTOR_NAMES[type] ?? [])),
    ],
    /** Deletes all second factors and cancels pending set-ups; keeps the password. Returns the number deleted. */
    forgetFactors: async (id: string) => {
      const found = await factors(id)
      await cancelSetUp(id)
      for (const one of found) await call('DELETE', `/users/${id}/credentials/${one.id}`)
      return found.length
    },
    cancelSetUp,
    credentialsOf,
    forgetCredential: (id: string, credential: string) =>
      call('DELETE', `/users/${id}/credentials/${credential}`),
    forgetPassword: async (id: string) => {
      for (const one of await credentialsOf(id))
        if (one.type === FIRST_FACTOR) await call('DELETE', `/users/${id}/credentials/${one.id}`)
    },

    /** Requires a name update at the next sign-in: the account may have been registered with another person's address. */
    askName: async (id: string) => {
      const account = await read<Account>(`/users/${id}`)
      const requiredActions = [...(account?.requiredActions ?? []), UPDATE_NAME]
      if (account && needsName(account))
        await call('PUT', `/users/${id}`, { ...account, requiredActions })
    },
    unconfirmed: () => all('&emailVerified=false'),
    /** Time from which addresses must be confirmed: the first apply of the realm, which created our service account. */
    begunAt: async () => (await ourAccount())?.createdTimestamp ?? Number.POSITIVE_INFINITY,
    ownId: async () => (await ourAccount())?.id ?? '',
    log,
  }
}
