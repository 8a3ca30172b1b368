import { randomBytes } from 'node:crypto'
import { SetupError } from '../../api/src/platform/errors.ts'
import { INVITATION_ACTIONS, newUsername } from '../../api/src/platform/identity/directory.ts'
import type { AdminApi } from './admin-api.ts'
import type { Options } from './options.ts'

type User = {
  id: string
  username: string
  email?: string
  enabled: boolean
  emailVerified?: boolean
  requiredActions?: string[]
}
type Credential = { id: string; type: string }
type Target = Pick<Options, 'mail' | 'siteUrl'> & { email: string | undefined }

const OWNER = 'owner'
const SITE_CLIENT = 'gatehouse-web'
const NEW_PASSWORD = 'UPDATE_PASSWORD'
const PASSWORD_BYTES = 18

/**
 * Makes the account of an address the owner of a realm that has none; returns what the operator must know. The first sign-in sets
 * up the second factor, as for all staff (flows.ts); one set up by the link, the API may remove as stale (stale-enrolments.ts).
 * Repeated until the owner has a password, it begins anew.
 */
export async function createFirstOwner(api: AdminApi, { email, mail, siteUrl }: Target) {
  const owners = await enabledOwners(api)
  const waiting = await withoutPassword(api, owners)
  if (waiting.length < owners.length) return ['The realm has an owner.']
  if (!email) throw new SetupError('OWNER_EMAIL is missing: the address of the first owner')
  const withdrawn = await withdraw(
    api,
    waiting.filter((user) => !hasAddress(user, email)),
  )
  const invited = waiting.find((user) => hasAddress(user, email))
  const found = invited ?? (await findByEmail(api, email))
  if (found && !found.enabled) throw new SetupError(`The account of ${email} is disabled`)
  if (found?.emailVerified && !invited) {
    await makeOwner(api, found)
    return [...withdrawn, `${email} had an account already, which is now the owner’s.`]
  }
  // Not promoted: whoever registered it may not own the address. Nor invited again: Keycloak would accept either link, the older
  // one even after the owner has chosen a password and set up a factor, for which it doesn't ask.
  if (found) await remove(api, found)
  const user = await createOwner(api, email)
  const lines = mail ? await invite(api, user) : await setPassword(api, user, siteUrl)
  const earlier = invited ? ['The owner has not signed in yet. What was sent earlier is void.'] : []
  return [...withdrawn, ...earlier, ...lines]
}

async function enabledOwners(api: AdminApi) {
  const owners = await api.read<User[]>(`/roles/${OWNER}/users?max=1000`)
  return owners.filter(({ enabled }) => enabled)
}

/** Owners who never chose a password; with a passkey they need none. */
async function withoutPassword(api: AdminApi, owners: User[]) {
  const found = await Promise.all(
    owners.map(async (owner) => {
      const { requiredActions = [], emailVerified } = await api.read<User>(`/users/${owner.id}`)
      const types = (await credentialsOf(api, owner)).map(({ type }) => type)
      const hasOneTimePassword =
        requiredActions.includes(NEW_PASSWORD) &&
        !emailVerified &&
        types.every((type) => type === 'password')
      return types.length === 0 || hasOneTimePassword ? [owner] : []
    }),
  )
  return found.flat()
}

const credentialsOf = (api: AdminApi, { id }: User) =>
  api.read<Credential[]>(`/users/${id}/credentials`)

/** OWNER_EMAIL has changed: the link sent to the earlier address must not make an owner. */
async function withdraw(api: AdminApi, users: User[]) {
  for (const user of users) await remove(api, user)
  return users.map(({ email }) => `The invitation of ${email} is withdrawn.`)
}

const remove = (api: AdminApi, { id, username }: User) =>
  api.change(`${username} removed`, 'DELETE', `/users/${id}`)

async function findByEmail(api: AdminApi, email: string) {
  const query = new URLSearchParams({ exact: 'true', email })
  const [user] = await api.read<User[]>(`/users?${query}`)
  return user ?? null
}

const hasAddress = (user: User, email: string) => user.email?.toLowerCase() === email.toLowerCase()

async function createOwner(api: AdminApi, email: string): Promise<User> {
  const account = { username: newUsername(email), email, enabled: true }
  const id = await api.change('account created', 'POST', '/users', account)
  const user = { id, ...account }
  try {
    await makeOwner(api, user)
    return user
  } catch (error) {
    // Otherwise the next run would find an account that somebody may have registered.
    await remove(api, user)
    throw error
  }
}

async function makeOwner(api: AdminApi, { id, username }: User) {
  const role = await api.read(`/roles/${OWNER}`)
  await api.change(`${username} is an owner`, 'POST', `/users/${id}/role-mappings/realm`, [role])
}

async function invite(api: AdminApi, { id, email }: User) {
  const path = `/users/${id}/execute-actions-email?client_id=${SITE_CLIENT}`
  await api.change('invited', 'PUT', path, INVITATION_ACTIONS).catch((error: unknown) => {
    throw new SetupError(
      `Keycloak could not send the invitation to ${email}: correct the mail relay, then repeat`,
      { cause: error },
    )
  })
  return [
    `An invitation was sent to ${email}: its link is valid for 72 hours. Run this again to send another.`,
  ]
}

async function setPassword(api: AdminApi, { id, username, email }: User, siteUrl: string) {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  await api.change('one-time password', 'PUT', `/users/${id}/reset-password`, {
    type: 'password',
    value: password,
    temporary: true,
  })
  return [
    'There is no mail relay, so the owner signs in with a one-time password. It is shown only now; run this again for another.',
    `  Sign in at         ${siteUrl}/`,
    `  Address            ${email}`,
    `  Username           ${username}`,
    `  One-time password  ${password}`,
  ]
}
