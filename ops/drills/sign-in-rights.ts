import { applyRealm } from '../../tools/realm/apply.ts'
import { connectAdminApi } from '../../tools/realm/admin-api.ts'
import type { IdentityStack } from './kit/identity/stack.ts'
import type { Result } from './kit/results.ts'

type Named = { id: string; name: string }
export type SendRequest = (method: string, path: string, body?: unknown) => Promise<number>

export async function serviceRights(stack: IdentityStack): Promise<Result[]> {
  const ask = await asService(stack)
  const { api } = stack
  const [person] = await api.read<{ id: string }[]>('/users?exact=true&username=user-2')
  const [web] = await api.read<{ id: string }[]>('/clients?clientId=gatehouse-web')
  await api.change('', 'POST', '/roles', { name: 'third' })
  const role = async (name: string) => [await api.read<Named>(`/roles/${name}`)]
  const mapped = `/users/${person?.id}/role-mappings/realm`
  const may: [string, number][] = [
    ['reads accounts', await ask('GET', `/users?username=user-2`)],
    ['reads events', await ask('GET', '/events?max=1')],
    ['reads admin events', await ask('GET', '/admin-events?max=1')],
    ['creates an account', await ask('POST', '/users', { username: 'made', enabled: true })],
    ['disables', await ask('PUT', `/users/${person?.id}`, { ...person, enabled: false })],
    ['enables', await ask('PUT', `/users/${person?.id}`, { ...person, enabled: true })],
    ['signs out', await ask('POST', `/users/${person?.id}/logout`)],
    ['makes an owner', await ask('POST', mapped, await role('owner'))],
    ['removes the role owner', await ask('DELETE', mapped, await role('owner'))],
    ['makes staff', await ask('POST', mapped, await role('admin'))],
    ['removes the role admin', await ask('DELETE', mapped, await role('admin'))],
  ]
  await api.change('', 'POST', mapped, await role('third'))
  const management = await api.read<Named[]>('/clients?clientId=realm-management')
  const admin = await api.read<Named>(`/clients/${management[0]?.id}/roles/realm-admin`)
  const mayNot: [string, number][] = [
    ['assigns a third role', await ask('POST', mapped, await role('third'))],
    ['removes a third role', await ask('DELETE', mapped, await role('third'))],
    [
      'assigns a role of Keycloak',
      await ask('POST', `/users/${person?.id}/role-mappings/clients/${management[0]?.id}`, [admin]),
    ],
    ['impersonates', await ask('POST', `/users/${person?.id}/impersonation`)],
    ['reads clients', await ask('GET', '/clients')],
    ['creates a client', await ask('POST', '/clients', { clientId: 'x' })],
    ['changes a client', await ask('PUT', `/clients/${web?.id}`, { clientId: 'gatehouse-web' })],
    ['changes settings', await ask('PUT', '', { registrationAllowed: false })],
    ['reads roles', await ask('GET', '/roles')],
    ['creates a role', await ask('POST', '/roles', { name: 'fourth' })],
    ['reads flows', await ask('GET', '/authentication/flows')],
    ['exports', await ask('POST', '/partial-export')],
  ]
  const rejected = may.filter(([, status]) => status >= 300)
  const allowed = mayNot.filter(([, status]) => status !== 403)
  return [
    {
      title: 'gatehouse-service may',
      isRight: rejected.length === 0,
      figure: rejected.map(String).join('; ') || `${may.length} of ${may.length}`,
    },
    {
      title: 'gatehouse-service may not',
      isRight: allowed.length === 0,
      figure: allowed.map(String).join('; ') || `${mayNot.length} of ${mayNot.length} are 403`,
    },
  ]
}

export async function asService({ settings, options }: IdentityStack): Promise<SendRequest> {
  const base = settings.identityAdmin
  const response = await fetch(`${base}/realms/gatehouse/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'gatehouse-service',
      client_secret: options.serviceSecret,
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return async (method, path, body) => {
    const { status } = await fetch(`${base}/admin/realms/gatehouse${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return status
  }
}

/** A second apply must change nothing; manual changes must be found, then repaired. */
export async function appliedAgain({ options, api }: IdentityStack): Promise<Result[]> {
  const changesOf = async (isWriting: boolean) => {
    const looking = connectAdminApi(options, { isWriting })
    await applyRealm(looking, options)
    return looking.changes
  }
  const again = await changesOf(true)
  const realm = await api.read('')
  await api.change('', 'PUT', '', { ...realm, verifyEmail: false, browserFlow: 'browser' })
  const [web] = await api.read<{ id: string }[]>('/clients?clientId=gatehouse-web')
  await api.change('', 'PUT', `/clients/${web?.id}`, { ...web, directAccessGrantsEnabled: true })
  const found = await changesOf(false)
  await changesOf(true)
  const left = await changesOf(false)
  return [
    {
      title: 'a second apply changes nothing',
      isRight: again.length === 0,
      figure: again.join('; ') || 'changes nothing',
    },
    {
      title: 'manual changes are repaired',
      isRight:
        ['verifyEmail', 'directAccessGrantsEnabled', 'flow created'].every((word) =>
          found.join(' ').includes(word),
        ) && left.length === 0,
      figure: left.length === 0 ? `${found.length} found and repaired` : left.join('; '),
    },
  ]
}
