import type { AdminApi } from './admin-api.ts'
import type { ClientIds } from './apply-clients.ts'

/** Roles of the client realm-management. */
const ROLES = ['view-events', 'view-users']
/** Staff roles: the only ones it may assign. */
const MAPPED = ['admin', 'owner']
const POLICY = 'gatehouse-service'
const PERMISSIONS = {
  'gatehouse-service people': { resourceType: 'Users', scopes: ['manage', 'map-roles', 'view'] },
  'gatehouse-service staff roles': { resourceType: 'Roles', scopes: ['map-role'] },
}

type Named = { id: string; name: string }

/**
 * Permissions of the API's account: read events, manage accounts, assign the roles admin and owner. Not Keycloak's role
 * manage-users, which may assign any role.
 */
export async function applyRights(api: AdminApi, ids: ClientIds) {
  await applyRoles(api, ids)
  await applyPermissions(api, ids)
}

async function applyRoles(api: AdminApi, ids: ClientIds) {
  const service = ids.get('gatehouse-service')
  const management = ids.get('realm-management')
  if (!service || !management) return
  const account = await api.read<{ id: string }>(`/clients/${service}/service-account-user`)
  const path = `/users/${account.id}/role-mappings/clients/${management}`
  const current = await api.read<Named[]>(path)
  const extra = current.filter(({ name }) => !ROLES.includes(name))
  if (extra.length > 0)
    await api.change(`gatehouse-service loses ${namesOf(extra)}`, 'DELETE', path, extra)
  const missing = ROLES.filter((name) => !current.some((role) => role.name === name))
  const roles = await Promise.all(
    missing.map((name) => api.read<Named>(`/clients/${management}/roles/${name}`)),
  )
  if (roles.length > 0)
    await api.change(`gatehouse-service may ${namesOf(roles)}`, 'POST', path, roles)
}

async function applyPermissions(api: AdminApi, ids: ClientIds) {
  const [permissions] = await api.read<Named[]>('/clients?clientId=admin-permissions')
  if (!permissions) return
  const server = `/clients/${permissions.id}/authz/resource-server`
  if ((await api.read<Named[]>(`${server}/policy?name=${POLICY}&permission=false`)).length === 0)
    await api.change('policy: gatehouse-service', 'POST', `${server}/policy/client`, {
      name: POLICY,
      clients: [ids.get('gatehouse-service')],
    })
  const roles = await Promise.all(MAPPED.map((name) => api.read<Named>(`/roles/${name}`)))
  for (const [name, permission] of Object.entries(PERMISSIONS)) {
    const current = await api.read<Named[]>(
      `${server}/permission/scope?name=${encodeURIComponent(name)}`,
    )
    if (current.length > 0) continue
    await api.change(`permission: ${name}`, 'POST', `${server}/permission/scope`, {
      name,
      ...permission,
      policies: [POLICY],
      ...(permission.resourceType === 'Roles' ? { resources: roles.map(({ id }) => id) } : {}),
    })
  }
}

const namesOf = (all: Named[]) => all.map(({ name }) => name).join(', ')
