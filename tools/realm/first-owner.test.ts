import { beforeEach, expect, test } from 'vitest'
import type { AdminApi } from './admin-api.ts'
import { createFirstOwner } from './first-owner.ts'

type Account = {
  id: string
  username: string
  email: string
  enabled: boolean
  emailVerified?: boolean
  requiredActions?: string[]
  roles: string[]
  credentials: { id: string; type: string }[]
  /** Actions of the invitations that were sent. */
  invitations: string[][]
}

const EMAIL = 'Me@mine.ie'
let accounts: Map<string, Account>
let password: string
let isRelayDown: boolean
beforeEach(() => {
  accounts = new Map()
  password = ''
  isRelayDown = false
})

const add = (account: Partial<Account>) => {
  const id = crypto.randomUUID()
  const all = {
    id,
    username: id,
    email: '',
    enabled: true,
    roles: [],
    credentials: [],
    invitations: [],
  }
  accounts.set(id, { ...all, ...account })
  return id
}
const PASSWORD = [{ id: '1', type: 'password' }]
const get = (id = '') => {
  const account = accounts.get(id)
  if (!account) throw new Error(`There is no account ${id}`)
  return account
}
const all = () => [...accounts.values()]

/** Keycloak's part of the admin API that is used. */
const api = {
  read: async (path: string): Promise<unknown> => {
    const [, kind, id = '', part] = path.split(/[/?]/)
    if (kind === 'roles') {
      if (part === 'users') return all().filter(({ roles }) => roles.includes(id))
      return { id, name: id }
    }
    if (part === 'credentials') return get(id).credentials
    const email = new URLSearchParams(path.split('?')[1]).get('email')
    return email ? all().filter((one) => one.email === email.toLowerCase()) : get(id)
  },
  change: async (_what: string, method: string, path: string, body: unknown) => {
    const [, , id = '', part] = path.split(/[/?]/)
    if (method === 'POST' && !id) {
      const { email, ...account } = body as Account
      return add({ ...account, email: email.toLowerCase() })
    }
    if (method === 'DELETE') accounts.delete(id)
    if (part === 'role-mappings') get(id).roles.push('owner')
    if (part === 'execute-actions-email') {
      if (isRelayDown) throw new Error('500 Failed to send execute actions email')
      get(id).invitations.push(body as string[])
    }
    if (part === 'reset-password') {
      password = (body as { value: string }).value
      const isTemporary = (body as { temporary: boolean }).temporary
      Object.assign(get(id), {
        credentials: PASSWORD,
        requiredActions: isTemporary ? ['UPDATE_PASSWORD'] : [],
      })
    }
    return ''
  },
} as unknown as AdminApi

const MAIL = { host: 'relay.mine.ie' } as never
const run = async ({ email = EMAIL, hasRelay = true } = {}) =>
  (
    await createFirstOwner(api, {
      email,
      mail: hasRelay ? MAIL : null,
      siteUrl: 'https://portal.mine.ie',
    })
  ).join('\n')

test('a realm without an owner gets one, who is invited as staff are', async () => {
  expect(await run()).toMatch(/^An invitation was sent to Me@mine\.ie: .*Run this again/)
  expect(all()).toMatchObject([
    {
      email: 'me@mine.ie',
      enabled: true,
      roles: ['owner'],
      invitations: [['VERIFY_EMAIL', 'UPDATE_PASSWORD', 'UPDATE_PROFILE']],
      credentials: [],
    },
  ])
  expect(all()[0]?.username).toMatch(/^Me-[0-9a-f]{6}$/)
})

test('a realm with an enabled owner is left alone, whatever OWNER_EMAIL is', async () => {
  add({ email: 'other@mine.ie', roles: ['owner'], credentials: PASSWORD, emailVerified: true })
  const before = structuredClone(all())
  for (const email of [EMAIL, '']) expect(await run({ email })).toBe('The realm has an owner.')
  expect(all()).toEqual(before)
})

test('a disabled owner doesn’t count', async () => {
  add({ email: 'other@mine.ie', roles: ['owner'], credentials: PASSWORD, enabled: false })
  expect(await run()).toContain('invitation was sent')
})

test('OWNER_EMAIL is required for a realm without an owner', async () => {
  const target = { email: '', mail: MAIL, siteUrl: '' }
  await expect(createFirstOwner(api, target)).rejects.toThrow('OWNER_EMAIL is missing')
})

test('until the invitation is followed, each run sends one for a new account, so that earlier links open none', async () => {
  await run()
  const [{ id }] = all() as [Account]
  expect(await run()).toMatch(
    /^The owner has not signed in yet\. .* void\.\nAn invitation was sent/,
  )
  const [second, ...others] = all()
  expect([second?.id === id, second?.invitations.length, others]).toEqual([false, 1, []])
  // Opening the link confirms the address; then a password is chosen.
  Object.assign(get(second?.id), { emailVerified: true })
  expect(await run()).toContain('An invitation was sent')
  const [third] = all()
  expect(third).toMatchObject({ roles: ['owner'], credentials: [] })
  Object.assign(get(third?.id), { credentials: PASSWORD })
  expect(await run()).toBe('The realm has an owner.')
  expect(all()).toHaveLength(1)
})

test('without a relay the owner gets a one-time password, another one at each run before the first sign-in', async () => {
  const text = await run({ hasRelay: false })
  expect(password.length).toBeGreaterThanOrEqual(20)
  for (const shown of [password, EMAIL, all()[0]?.username ?? 'none', 'https://portal.mine.ie/'])
    expect(text).toContain(shown)
  expect(text).toContain('shown only now')
  expect(all()).toMatchObject([{ roles: ['owner'], requiredActions: ['UPDATE_PASSWORD'] }])
  const first = password
  expect(await run({ hasRelay: false })).toContain(password)
  expect([all().length, password === first]).toEqual([1, false])
  Object.assign(all()[0] ?? {}, { requiredActions: [] })
  expect(await run({ hasRelay: false })).toBe('The realm has an owner.')
})

test('a password that an owner must renew is not replaced once a second factor or the address is confirmed', async () => {
  const owner = { email: 'me@mine.ie', roles: ['owner'], requiredActions: ['UPDATE_PASSWORD'] }
  const id = add({ ...owner, credentials: [...PASSWORD, { id: '2', type: 'otp' }] })
  expect(await run({ hasRelay: false })).toBe('The realm has an owner.')
  Object.assign(get(id), { credentials: PASSWORD, emailVerified: true })
  expect(await run({ hasRelay: false })).toBe('The realm has an owner.')
})

test('a visitor with a confirmed address becomes the owner, and nothing else changes', async () => {
  const id = add({
    email: 'me@mine.ie',
    roles: ['user'],
    credentials: PASSWORD,
    emailVerified: true,
  })
  const before = structuredClone(get(id))
  expect(await run()).toContain('had an account already')
  expect(all()).toEqual([{ ...before, roles: ['user', 'owner'] }])
})

test('an account whose address was never confirmed is replaced, as for other invitations', async () => {
  const id = add({ email: 'me@mine.ie', credentials: PASSWORD })
  await run()
  expect(all()).toMatchObject([{ roles: ['owner'], credentials: [] }])
  expect(all()[0]?.id).not.toBe(id)
})

test('a disabled account of that address is an error', async () => {
  add({ email: 'me@mine.ie', enabled: false, emailVerified: true })
  await expect(run()).rejects.toThrow('is disabled')
})

test('with another OWNER_EMAIL, an invitation that nobody followed is withdrawn', async () => {
  await run({ email: 'typo@mine.ie' })
  expect(await run()).toMatch(/^The invitation of typo@mine\.ie is withdrawn\.\nAn invitation/)
  expect(all()).toMatchObject([{ email: 'me@mine.ie', roles: ['owner'] }])
})

test('an invitation that can’t be sent is an error, and the next run sends it', async () => {
  isRelayDown = true
  await expect(run()).rejects.toThrow('correct the mail relay, then repeat')
  isRelayDown = false
  expect(await run()).toContain('An invitation was sent')
  expect(all()).toHaveLength(1)
})
