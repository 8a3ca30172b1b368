import { SetupError } from '../../api/src/platform/errors.ts'
import { SET_UPS } from '../../api/src/platform/identity/set-ups.ts'
import type { AdminApi } from './admin-api.ts'

type User = { id: string; username: string; email?: string; requiredActions?: string[] }
type Named = { id: string; name: string }

/** Kinds of credentials that are no second factor. */
const FIRST = 'password'

/** Keycloak keeps both as admin events, with the account that did it. */
export async function createOwner(api: AdminApi, address: string) {
  const user = await userOf(api, address)
  const role = await api.read<Named>('/roles/owner')
  const path = `/users/${user.id}/role-mappings/realm`
  await api.change(`${user.username} is an owner`, 'POST', path, [role])
}

/** Of someone who has lost them and whom nobody else can help: the next sign-in sets up a new one. Sessions end. */
export async function deleteFactors(api: AdminApi, address: string) {
  const user = await userOf(api, address)
  const { requiredActions = [] } = user
  const others = requiredActions.filter((action) => !SET_UPS.includes(action))
  if (others.length < requiredActions.length)
    await api.change('nothing is left to set up', 'PUT', `/users/${user.id}`, {
      ...(await api.read<User>(`/users/${user.id}`)),
      requiredActions: others,
    })
  const all = await api.read<{ id: string; type: string }[]>(`/users/${user.id}/credentials`)
  for (const { id, type } of all.filter((one) => one.type !== FIRST))
    await api.change(`${type} removed`, 'DELETE', `/users/${user.id}/credentials/${id}`)
  await api.change(`${user.username} is signed out`, 'POST', `/users/${user.id}/logout`)
}

async function userOf(api: AdminApi, address: string) {
  const query = new URLSearchParams({ [address.includes('@') ? 'email' : 'username']: address })
  const [user] = await api.read<User[]>(`/users?exact=true&${query}`)
  if (!user) throw new SetupError(`Nobody has an account with "${address}"`)
  return user
}
