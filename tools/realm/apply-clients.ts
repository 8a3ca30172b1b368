import type { AdminApi, Json } from './admin-api.ts'
import { clientsOf, WEB_MAPPERS, WEB_SCOPES, type Client, type Mapper } from './clients.ts'
import { differencesOf } from './diff-settings.ts'
import type { Options } from './options.ts'

/** Keycloak's internal ids by client id. */
export type ClientIds = Map<string, string>
type Stored = Json & { id: string; attributes?: Json }
type Scope = { id: string; name: string }

export async function applyClients(api: AdminApi, options: Options): Promise<ClientIds> {
  const ids: ClientIds = new Map()
  for (const client of clientsOf(options)) {
    const id = await applyClient(api, client)
    if (id) ids.set(client.clientId, id)
  }
  const web = ids.get('gatehouse-web')
  if (web) {
    await applyMappers(api, web)
    await applyScopes(api, web)
  }
  return ids
}

async function applyClient(api: AdminApi, declared: Client) {
  const [there] = await api.read<Stored[]>(`/clients?clientId=${declared.clientId}`)
  if (!there)
    return api.change(`client created: ${declared.clientId}`, 'POST', '/clients', {
      ...declared,
      protocol: 'openid-connect',
    })
  const { attributes = {}, ...settings } = declared
  const names = [
    ...differencesOf(settings, there),
    // Keycloak omits empty attributes.
    ...differencesOf(attributes, { ...emptyOf(attributes), ...there.attributes }),
  ]
  if (names.length > 0)
    await api.change(
      `client ${declared.clientId}: ${names.join(', ')}`,
      'PUT',
      `/clients/${there.id}`,
      {
        ...there,
        ...settings,
        attributes: { ...there.attributes, ...attributes },
      },
    )
  return there.id
}

const emptyOf = (attributes: Record<string, string>) =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value === ''))

async function applyMappers(api: AdminApi, web: string) {
  const path = `/clients/${web}/protocol-mappers/models`
  const current = await api.read<(Mapper & { id: string })[]>(path)
  for (const mapper of WEB_MAPPERS) {
    const old = current.find(({ name }) => name === mapper.name)
    const body = { ...mapper, protocol: 'openid-connect' }
    if (!old) await api.change(`claim mapper created: ${mapper.name}`, 'POST', path, body)
    else if (differencesOf(mapper.config, old.config).length > 0)
      await api.change(`claim mapper: ${mapper.name}`, 'PUT', `${path}/${old.id}`, {
        ...body,
        id: old.id,
      })
  }
  for (const { id, name } of current)
    if (!WEB_MAPPERS.some((mapper) => mapper.name === name))
      await api.change(`claim mapper removed: ${name}`, 'DELETE', `${path}/${id}`)
}

/** Scopes add claims besides ours to every token; clients can't request others. */
async function applyScopes(api: AdminApi, web: string) {
  const all = await api.read<Scope[]>('/client-scopes')
  for (const [kind, declared] of Object.entries(WEB_SCOPES)) {
    const path = `/clients/${web}/${kind}-client-scopes`
    const current = await api.read<Scope[]>(path)
    for (const { id, name } of current)
      if (!declared.includes(name))
        await api.change(`${kind} scope removed: ${name}`, 'DELETE', `${path}/${id}`)
    for (const name of declared.filter((one) => !current.some((scope) => scope.name === one))) {
      const scope = all.find((one) => one.name === name)
      if (scope) await api.change(`${kind} scope: ${name}`, 'PUT', `${path}/${scope.id}`)
    }
  }
}
