import type { AdminApi, Json } from './admin-api.ts'
import { applyClients } from './apply-clients.ts'
import { applyFlows } from './apply-flows.ts'
import { applyRoles } from './apply-roles.ts'
import { differencesOf } from './diff-settings.ts'
import type { Options } from './options.ts'
import { applyRights } from './service-account-permissions.ts'
import {
  actionConfig,
  REALM,
  realmAttributes,
  realmSettings,
  requiredActions,
  usernameRule,
} from './settings.ts'

const FIRST_APPLY = 'gatehouse.firstApply'
const PAGE = 100

type Realm = Json & { attributes?: Record<string, string> }
type Profile = { attributes: { name: string; validations?: Json }[] }
type StoredAction = Json & { alias: string; enabled: boolean; config?: Json }
type User = { id: string; username: string }

/** Accounts and sessions are not touched, except that the first apply makes admins owners. */
export async function applyRealm(api: AdminApi, options: Options) {
  if (!(await api.readOrNull(''))) {
    await api.change('realm created', 'POST', '', { realm: REALM, ...realmSettings(options) })
    if (!api.isWriting) return
  }
  const isFirst = !(await api.read<Realm>('')).attributes?.[FIRST_APPLY]
  await applySettings(api, options)
  await applyActions(api)
  await applyProfile(api)
  if (isFirst) await removeOldService(api)
  const ids = await applyClients(api, options)
  await applyRoles(api, ids)
  await applyRights(api, ids)
  await applyFlows(api, options)
  if (isFirst) await finishFirst(api)
}

async function applySettings(api: AdminApi, options: Options) {
  const current = await api.read<Realm>('')
  const { smtpServer, ...wanted } = realmSettings(options) as Json & { smtpServer?: Json }
  const names = [
    ...differencesOf(wanted, current),
    ...differencesOf(realmAttributes, current.attributes ?? {}),
    ...(smtpServer ? mailDifferences(smtpServer, current['smtpServer'] as Json) : []),
  ]
  if (names.length === 0) return
  await api.change(`settings: ${names.join(', ')}`, 'PUT', '', {
    ...current,
    ...wanted,
    ...(smtpServer ? { smtpServer } : {}),
    attributes: { ...current.attributes, ...realmAttributes },
  })
}

/** Keycloak never returns the relay's password: a new password alone is applied only with the next other change. */
const mailDifferences = ({ password: _password, ...wanted }: Json, current: Json = {}) =>
  differencesOf(wanted, current).map((name) => `mail ${name}`)

async function applyActions(api: AdminApi) {
  const path = '/authentication/required-actions'
  for (const current of await api.read<StoredAction[]>(path)) {
    const { alias } = current
    const { enabled } = requiredActions[alias] ?? current
    if (current.enabled !== enabled)
      await api.change(`${alias} ${enabled ? 'on' : 'off'}`, 'PUT', `${path}/${alias}`, {
        ...current,
        enabled,
      })
    const config = actionConfig(alias, { enabled })
    const names = differencesOf(config, current.config ?? {})
    if (names.length > 0)
      await api.change(`${alias}: ${names.join(', ')}`, 'PUT', `${path}/${alias}/config`, {
        config: { ...current.config, ...config },
      })
  }
}

async function applyProfile(api: AdminApi) {
  const profile = await api.read<Profile>('/users/profile')
  const username = profile.attributes.find(({ name }) => name === 'username')
  if (!username || differencesOf(usernameRule, username.validations ?? {}).length === 0) return
  username.validations = { ...username.validations, ...usernameRule }
  await api.change('usernames must not contain @', 'PUT', '/users/profile', profile)
}

/** An earlier release's client had a public secret; the API takes the new client's age as the start of confirmation. */
async function removeOldService(api: AdminApi) {
  const [old] = await api.read<{ id: string }[]>('/clients?clientId=gatehouse-service')
  if (old)
    await api.change('client removed: an old gatehouse-service', 'DELETE', `/clients/${old.id}`)
}

/** Admins become owners: before roles were split, every admin had an owner's rights. */
async function finishFirst(api: AdminApi) {
  const owner = await api.readOrNull<{ id: string; name: string }>('/roles/owner')
  for (const { id, username } of owner ? await adminsOf(api) : [])
    await api.change(`owner: ${username}`, 'POST', `/users/${id}/role-mappings/realm`, [owner])
  const realm = await api.read<Realm>('')
  await api.change('first apply', 'PUT', '', {
    ...realm,
    attributes: { ...realm.attributes, [FIRST_APPLY]: new Date().toISOString() },
  })
}

async function adminsOf(api: AdminApi) {
  const all: User[] = []
  for (;;) {
    const page = await api.read<User[]>(`/roles/admin/users?first=${all.length}&max=${PAGE}`)
    all.push(...page)
    if (page.length < PAGE) return all
  }
}
