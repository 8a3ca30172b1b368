import { identityUnavailable } from '#platform/errors.ts'
import { buildProviderLog } from './provider-log.ts'
import { SET_UPS } from './set-ups.ts'
import { connectProvider, type ProviderSettings } from './provider.ts'

const PAGE = 100
/** The kind of credential that is no second factor. */
const FIRST_FACTOR = 'password'
/** Our names of the others. */
const FACTOR_NAMES: Record<string, Factor> = {
  otp: 'codes',
  webauthn: 'passkey',
  'webauthn-passwordless': 'passkey',
  'recovery-authn-codes': 'recovery',
}
export const FACTORS = ['codes', 'passkey', 'recovery'] as const
type Factor = (typeof FACTORS)[number]

/** The site's client is where the links of its mails lead. */
export type DirectorySettings = ProviderSettings & { siteClient: string }

/** An account as the identity provider has it. */
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

type Role = { id: string; name: string }
const STAFF_ROLES = { technician: 'admin', owner: 'owner' } as const
export type StaffLevel = keyof typeof STAFF_ROLES
export type Level = StaffLevel | 'none'
export const RANKS = { none: 0, technician: 1, owner: 2 }

const ASK_NAME = 'UPDATE_PROFILE'
/** What an invited colleague does behind the link. */
const FIRST_STEPS = ['VERIFY_EMAIL', 'UPDATE_PASSWORD', ASK_NAME]

export const needsName = ({ emailVerified, requiredActions = [] }: Account) =>
  !emailVerified && !requiredActions.includes(ASK_NAME)

export type Directory = ReturnType<typeof buildDirectory>

/** The identity provider's accounts, through Keycloak's admin API. It may do no more than what is used here. */
export function buildDirectory({ siteClient, ...settings }: DirectorySettings) {
  const { call, read } = connectProvider(settings)
  let self: Account | null = null

  /** Our own account there, which the first apply of the realm makes. */
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

  const sessions = async (id: string) =>
    (await read<{ id: string; start: number }[]>(`/users/${id}/sessions`)) ?? []

  /** Codes on a phone are followed by recovery codes, at the next sign-in if not in this one. */
  async function cancelSetUp(id: string) {
    const account = await read<Account>(`/users/${id}`)
    const pending = account?.requiredActions ?? []
    const requiredActions = pending.filter((action) => !SET_UPS.includes(action))
    if (account && requiredActions.length < pending.length)
      await call('PUT', `/users/${id}`, { ...account, requiredActions })
  }

  /** Page by page, as Keycloak hands out a hundred at a time. */
  async function* all(filter = '') {
    for (let first = 0; ; first += PAGE) {
      const page = (await read<Account[]>(`/users?first=${first}&max=${PAGE}${filter}`)) ?? []
      // Those of services have no address, and must stay.
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

    /** Returns the id of the new account, which has no password yet. */
    create: async (email: string) => {
      // Never the address itself, which someone else may have taken as a name; people sign in by address.
      const username = `${email.split('@')[0]}-${crypto.randomUUID().slice(0, 6)}`
      const made = await call('POST', '/users', { username, email, enabled: true })
      const id = made?.headers.get('location')?.split('/').at(-1)
      if (!id) throw identityUnavailable()
      return id
    },
    remove: (id: string) => call('DELETE', `/users/${id}`),
    /** Sent whole: what is left out of the body would be emptied. */
    setEnabled: async (id: string, enabled: boolean) =>
      call('PUT', `/users/${id}`, { ...(await read<Account>(`/users/${id}`)), enabled }),
    signOut: (id: string) => call('POST', `/users/${id}/logout`),

    /** By email, with a link to set a password; its last page leads to the client's site. */
    invite: (id: string) =>
      call('PUT', `/users/${id}/execute-actions-email?client_id=${siteClient}`, FIRST_STEPS),

    /** An owner holds the role owner, which includes admin; a technician admin alone. */
    setLevel: async (id: string, level: Level) => {
      const path = `/users/${id}/role-mappings/realm`
      const held = await rolesOf(id)
      const wanted = level === 'none' ? null : STAFF_ROLES[level]
      const free = wanted === null ? null : await read<Role[]>(`${path}/available`)
      const others = Object.values(STAFF_ROLES).filter((name) => name !== wanted)
      const missing = (free ?? []).filter(({ name }) => name === wanted)
      const superfluous = held.filter(({ name }) => others.some((other) => other === name))
      if (missing.length > 0) await call('POST', path, missing)
      if (superfluous.length > 0) await call('DELETE', path, superfluous)
    },

    /** Ids of sessions under way, which tokens have as `sid`. */
    sessionsOf: async (id: string) => (await sessions(id)).map((one) => one.id),
    sessionsBegunBy: async (id: string, moment: number) =>
      (await sessions(id)).filter(({ start }) => start <= moment).map((one) => one.id),
    endSession: (sid: string) => call('DELETE', `/sessions/${encodeURIComponent(sid)}`),

    /** Kinds of second steps that are set up, each once. */
    factorsOf: async (id: string) => [
      ...new Set((await factors(id)).flatMap(({ type }) => FACTOR_NAMES[type] ?? [])),
    ],
    /** Codes, passkeys and recovery codes, and what was left to set up; the password stays. Returns how many there were. */
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

    /** At the next sign-in: someone who registered another's address may have given any name. */
    askName: async (id: string) => {
      const account = await read<Account>(`/users/${id}`)
      const requiredActions = [...(account?.requiredActions ?? []), ASK_NAME]
      if (account && needsName(account))
        await call('PUT', `/users/${id}`, { ...account, requiredActions })
    },
    unconfirmed: () => all('&emailVerified=false'),
    /** When confirming an address became a must: our own account there is made by the first apply of the realm. */
    begunAt: async () => (await ourAccount())?.createdTimestamp ?? Number.POSITIVE_INFINITY,
    ownId: async () => (await ourAccount())?.id ?? '',
    log: buildProviderLog({ read }),
  }
}
