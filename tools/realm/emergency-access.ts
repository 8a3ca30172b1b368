import { SetupError } from '../../api/src/platform/errors.ts'
import { SET_UPS } from '../../api/src/platform/identity/set-ups.ts'
import type { AdminApi } from './admin-api.ts'

type User = { id: string; username: string; email?: string; requiredActions?: string[] }
type Named = { id: string; name: string }

/** The only credential type that is not a second factor. */
const FIRST = 'password'

/** Keycloak records it as an admin event. */
export async function createOwner(api: AdminApi, address: string) {
  const user = await userOf(api, address)
  const role = await api.read<Named>('/roles/owner')
  const path = `/users/${user.id}/role-mappings/realm`
  await api.change(`${user.username} is an owner`, 'POST', path, [role])
}

/** For an owner who lost every factor: the next sign-in sets up a new one. Ends the account's sessions. */
export async function deleteFactors(api: AdminApi, address: string) {
  const user = await userOf(api, address)
  const { requiredActions = [] } = user
  const others = requiredActions.filter((action) => !SET_UPS.includes(action))
  if (others.length < requiredActions.length)
    await api.change('pending set-ups removed', 'PUT', `/users/${user.id}`, {
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
  if (!user) throw new SetupError(`No account has the address or username "${address}"`)
  return user
}
