import { identityUnavailable } from '#platform/errors.ts'

const TIMEOUT_MS = 10_000
/** Renewed this long before it ends. */
const TOKEN_MARGIN_MS = 10_000
const PAGE = 100

/** Keycloak's own address, without `/admin`; the account that looks after people there, and the site's client. */
export type DirectorySettings = {
  url: string
  realm: string
  client: string
  secret: string
  siteClient: string
}

/** An account as the identity provider has it. */
export type Account = {
  id: string
  email?: string
  enabled: boolean
  emailVerified: boolean
  createdTimestamp: number
  federatedIdentities?: unknown[]
}

type Role = { id: string; name: string }
const STAFF_ROLES = { technician: 'admin', owner: 'owner' } as const
export type StaffLevel = keyof typeof STAFF_ROLES

/** What an invited colleague does behind the link. */
const FIRST_STEPS = ['VERIFY_EMAIL', 'UPDATE_PASSWORD', 'UPDATE_PROFILE']

export type Directory = ReturnType<typeof buildDirectory>

/** The identity provider's accounts, through Keycloak's admin API. It may do no more than what is used here. */
export function buildDirectory({ url, realm, client, secret, siteClient }: DirectorySettings) {
  let token = { text: '', until: 0 }

  async function signIn() {
    if (Date.now() < token.until) return token.text
    const answer = await ask(`${url}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client,
        client_secret: secret,
      }),
    })
    if (!answer.ok) throw identityUnavailable()
    const { access_token: text, expires_in: seconds } = (await answer.json()) as {
      access_token: string
      expires_in: number
    }
    token = { text, until: Date.now() + seconds * 1000 - TOKEN_MARGIN_MS }
    return text
  }

  /** Null where there is nobody of that id. */
  async function call(method: string, path: string, body?: unknown) {
    const answer = await ask(`${url}/admin/realms/${realm}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await signIn()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (answer.status === 404) return null
    if (!answer.ok) throw identityUnavailable(new Error(`${method}: ${answer.status}`))
    return answer
  }

  async function read<T>(path: string): Promise<T | null> {
    const answer = await call('GET', path)
    return answer && ((await answer.json()) as T)
  }

  const rolesOf = async (id: string) =>
    (await read<Role[]>(`/users/${id}/role-mappings/realm`)) ?? []

  return {
    find: (id: string) => read<Account>(`/users/${id}`),
    findByEmail: async (email: string) =>
      (await read<Account[]>(`/users?exact=true&email=${encodeURIComponent(email)}`))?.[0] ?? null,
    isStaff: async (id: string) =>
      (await rolesOf(id)).some(({ name }) =>
        Object.values(STAFF_ROLES).some((role) => role === name),
      ),
    isOwner: async (id: string) =>
      (await rolesOf(id)).some(({ name }) => name === STAFF_ROLES.owner),

    /** Returns the id of the new account, which has no password yet. */
    create: async (email: string) => {
      const made = await call('POST', '/users', { username: email, email, enabled: true })
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
    setLevel: async (id: string, level: StaffLevel) => {
      const path = `/users/${id}/role-mappings/realm`
      const held = await rolesOf(id)
      const free = (await read<Role[]>(`${path}/available`)) ?? []
      const wanted = STAFF_ROLES[level]
      const others = Object.values(STAFF_ROLES).filter((name) => name !== wanted)
      const missing = free.filter(({ name }) => name === wanted)
      const superfluous = held.filter(({ name }) => others.some((other) => other === name))
      if (missing.length > 0) await call('POST', path, missing)
      if (superfluous.length > 0) await call('DELETE', path, superfluous)
    },

    /** Ids of accounts made in this span that nobody has confirmed. */
    unconfirmed: async ({ after, before }: { after: number; before: number }) =>
      ((await read<Account[]>(`/users?emailVerified=false&max=${PAGE}`)) ?? [])
        // Those of services have no address, and must stay.
        .filter(({ email, createdTimestamp: at }) => email && at > after && at < before)
        .map(({ id }) => id),
    /** Whether anyone could ever have signed in with it. */
    isUsable: async (id: string) => {
      const account = await read<Account>(`/users/${id}`)
      if (!account) return false
      if (!account.email) return true
      const credentials = await read<unknown[]>(`/users/${id}/credentials`)
      const links = await read<unknown[]>(`/users/${id}/federated-identity`)
      return account.emailVerified || Boolean(credentials?.length) || Boolean(links?.length)
    },
  }
}

const ask = (url: string, init: RequestInit) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    throw identityUnavailable(error)
  })
