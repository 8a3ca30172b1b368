import type { AdminApi } from './admin-api.ts'
import type { ClientIds } from './apply-clients.ts'
import { CLIENT_ROLES, DEFAULT_ROLES, NOT_DEFAULT, ROLES } from './roles.ts'

type Role = { id: string; name: string; clientRole?: boolean; containerId?: string }
type Composition = {
  name: string
  realm: readonly string[]
  client: Readonly<Record<string, readonly string[]>>
}

export async function applyRoles(api: AdminApi, ids: ClientIds) {
  for (const [client, name] of Object.entries(CLIENT_ROLES)) {
    const path = `/clients/${ids.get(client)}/roles`
    if (ids.has(client) && !(await api.readOrNull(`${path}/${name}`)))
      await api.change(`role created: ${client} ${name}`, 'POST', path, { name })
  }
  for (const { name, description } of ROLES)
    if (!(await api.readOrNull(`/roles/${name}`)))
      await api.change(`role created: ${name}`, 'POST', '/roles', { name, description })
  for (const role of [...ROLES, DEFAULT_ROLES]) await compose(api, ids, role)
  await withoutUnused(api)
  await allowInTokens(api, ids)
}

async function compose(api: AdminApi, ids: ClientIds, role: Composition) {
  const path = `/roles/${role.name}/composites`
  const current = (await api.readOrNull<Role[]>(path)) ?? []
  const missing = (await rolesOf(api, ids, role)).filter(
    ({ id }) => !current.some((one) => one.id === id),
  )
  if (missing.length > 0)
    await api.change(`role ${role.name} includes ${namesOf(missing)}`, 'POST', path, missing)
}

async function withoutUnused(api: AdminApi) {
  const path = `/roles/${DEFAULT_ROLES.name}/composites`
  const unused = (await api.read<Role[]>(path)).filter(({ name }) => NOT_DEFAULT.includes(name))
  if (unused.length > 0)
    await api.change(`new accounts lose ${namesOf(unused)}`, 'DELETE', path, unused)
}

/** Only these roles are included in tokens of the site. */
async function allowInTokens(api: AdminApi, ids: ClientIds) {
  const mapped = `/clients/${ids.get('gatehouse-web')}/scope-mappings`
  if (!ids.has('gatehouse-web')) return
  const declared: [string, Composition][] = [
    [`${mapped}/realm`, { name: '', realm: ROLES.map(({ name }) => name), client: {} }],
    ...Object.entries(CLIENT_ROLES).map(([client, name]): [string, Composition] => [
      `${mapped}/clients/${ids.get(client)}`,
      { name: '', realm: [], client: { [client]: [name] } },
    ]),
  ]
  for (const [path, roles] of declared) {
    const current = (await api.readOrNull<Role[]>(path)) ?? []
    const missing = (await rolesOf(api, ids, roles)).filter(
      ({ id }) => !current.some((one) => one.id === id),
    )
    if (missing.length > 0)
      await api.change(`roles allowed in tokens: ${namesOf(missing)}`, 'POST', path, missing)
  }
}

async function rolesOf(api: AdminApi, ids: ClientIds, { realm, client }: Composition) {
  const paths = [
    ...realm.map((name) => `/roles/${name}`),
    ...Object.entries(client).flatMap(([id, names]) =>
      names.map((name) => `/clients/${ids.get(id)}/roles/${name}`),
    ),
  ]
  const found = await Promise.all(paths.map((path) => api.readOrNull<Role>(path)))
  return found.filter((role) => role !== null)
}

const namesOf = (roles: Role[]) => roles.map(({ name }) => name).join(', ')
