import { afterEach, expect, test, vi } from 'vitest'
import { buildDirectory } from './directory.ts'

const SETTINGS = {
  url: 'http://provider.test',
  realm: 'gatehouse',
  client: 'gatehouse-service',
  secret: 'secret',
  siteClient: 'gatehouse-web',
}

afterEach(() => vi.unstubAllGlobals())

function provide(respond: (method: string, path: string) => unknown) {
  const requests: string[] = []
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    if (url.endsWith('/token')) return Response.json({ access_token: 'a', expires_in: 60 })
    const path = url.replace('http://provider.test/admin/realms/gatehouse', '')
    requests.push(`${method} ${path}`)
    if (typeof body === 'string') sent.push(JSON.parse(body))
    const response = respond(method, path)
    return response instanceof Response ? response : Response.json(response)
  })
  return { directory: buildDirectory(SETTINGS), requests, sent }
}

test('unconfirmed accounts are listed beyond the first page of 100, without service accounts', async () => {
  const accounts = Array.from({ length: 230 }, (_, n) => ({
    id: `${n}`,
    email: `${n}@client.test`,
  }))
  const { directory } = provide((_, path) => {
    const first = Number(new URLSearchParams(path.split('?')[1]).get('first'))
    return [...accounts, { id: 'service' }].slice(first, first + 100)
  })
  const found: string[] = []
  for await (const { id } of directory.unconfirmed()) found.push(id)
  expect(found).toEqual(accounts.map(({ id }) => id))
})

test.each([
  [['owner', 'user'], 'owner'],
  [['admin'], 'technician'],
  [['user'], 'none'],
])('an account with the roles %j has the staff level %s', async (roles, level) => {
  const { directory } = provide(() => roles.map((name) => ({ id: name, name })))
  expect(await directory.levelOf('ada')).toBe(level)
})

test('removing an account from staff removes both staff roles', async () => {
  const { directory, requests } = provide(() => [
    { name: 'owner' },
    { name: 'admin' },
    { name: 'user' },
  ])
  await directory.setLevel('ada', 'none')
  expect(requests).toEqual([
    'GET /users/ada/role-mappings/realm',
    'DELETE /users/ada/role-mappings/realm',
  ])
})

test.each([
  [500, 'invitation-not-sent'],
  [403, 'identity-unavailable'],
])('an invitation that Keycloak answers with %i fails with %s', async (status, code) => {
  const { directory } = provide(() => new Response(null, { status }))
  await expect(directory.invite('ada')).rejects.toMatchObject({ status: 503, code })
})

test('removing second factors keeps the password and cancels pending set-ups', async () => {
  const account = {
    id: 'ada',
    requiredActions: ['UPDATE_PROFILE', 'CONFIGURE_RECOVERY_AUTHN_CODES', 'webauthn-register'],
  }
  const { directory, requests, sent } = provide((_, path) =>
    path.endsWith('/credentials')
      ? [
          { id: '1', type: 'password' },
          { id: '2', type: 'otp' },
          { id: '3', type: 'recovery-authn-codes' },
        ]
      : account,
  )
  expect(await directory.forgetFactors('ada')).toBe(2)
  expect(requests.slice(1)).toEqual([
    'GET /users/ada',
    'PUT /users/ada',
    'DELETE /users/ada/credentials/2',
    'DELETE /users/ada/credentials/3',
  ])
  expect(sent).toEqual([{ ...account, requiredActions: ['UPDATE_PROFILE'] }])
})

test('a session begun later in the second of an event is no earlier one, by the log’s exact times', async () => {
  const second = 1_795_000_000_000
  const moment = second + 500
  const { directory } = provide((_, path) =>
    path.includes('/sessions')
      ? [
          { id: 'long-ago', start: second - 60_000 },
          { id: 'just-before', start: second },
          { id: 'just-after', start: second },
          { id: 'not-logged-yet', start: second },
          { id: 'later', start: second + 1_000 },
        ]
      : [
          { type: 'LOGIN', sessionId: 'just-before', time: second + 400 },
          { type: 'LOGIN', sessionId: 'just-after', time: second + 600 },
          // A tab of an earlier session signs in silently.
          { type: 'LOGIN', sessionId: 'just-before', time: second + 700 },
          { type: 'LOGIN', sessionId: 'long-ago', time: second + 700 },
        ],
  )
  expect(await directory.sessionsBegunBy('ada', moment)).toEqual([
    'long-ago',
    'just-before',
    'not-logged-yet',
  ])
})
