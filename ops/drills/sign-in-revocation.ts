import { setTimeout } from 'node:timers/promises'
import { apiEnv } from '../../tools/stack/stack-services.ts'
import { startApi } from './kit/api-process.ts'
import { startFaultyProxy } from './kit/identity/faulty-proxy.ts'
import { claimsOf, launchBrowser, trySignIn } from './kit/identity/sign-in.ts'
import type { IdentityStack } from './kit/identity/stack.ts'
import { newApp, type App } from './kit/identity/totp.ts'
import { seconds, type Result } from './kit/results.ts'

const LIMIT_S = 10
const SLOW_MS = 2_000
/** Pause between two writes, sent to both replicas in turn. */
const WRITE_MS = 100
/** A token rejected for this long counts as revoked. */
const QUIET_MS = 4_000
const TOKEN_LIFE_S = 300
/** Clock tolerance of the API. */
const CLOCKS_S = 5
const CODES = 11
const TOLD_MS = 30_000
const DESK = 'alerts@gatehouse.example'

type Scene = {
  stack: IdentityStack
  bases: string[]
  proxy: Awaited<ReturnType<typeof startFaultyProxy>>
}
type Act = { title: string; username: string; write: Write; end: (id: string) => Promise<unknown> }
type Write = { path: string; body: (n: number) => object }

const TICKET: Write = {
  path: 'tickets',
  body: (n) => ({
    fullName: 'Una',
    email: 'una@example.test',
    subject: `Write ${n}`,
    message: 'Still in.',
    contactType: 'Query',
  }),
}
const ORGANISATION: Write = { path: 'organisations', body: (n) => ({ name: `Still in ${n}` }) }

/** Measures on two replicas when the last write after a revocation is accepted, and checks the notifications of attacks. */
export async function revocation(
  stack: IdentityStack,
  { isShort }: { isShort: boolean },
): Promise<Result[]> {
  const proxy = await startFaultyProxy(stack.settings.identityAdmin)
  const env = { ...apiEnv(stack.settings), IDENTITY_ADMIN_URL: proxy.url }
  const first = await startApi({ env: without(env, 'PORT') })
  const second = await startApi({ env: without(env, 'PORT', 'DATABASE_MIGRATION_URL') })
  const environment = { stack, proxy, bases: [first.base, second.base] }
  try {
    const app = newApp()
    return [
      // First: the mails of thousands of writes push older ones out of the catcher.
      await notifiedOfGuesses(environment),
      ...(await lastWrites(environment, 'up', app)),
      ...(await lastWrites(environment, 'slow', app)),
      ...(await lastWrites(environment, 'down', app, isShort)),
      await notifiedOfCodes(environment, app),
    ]
  } finally {
    await Promise.all([first.stop(), second.stop()])
    proxy.close()
  }
}

const without = (env: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))

/** Through Keycloak's console, bypassing the API. */
function acts({ api }: IdentityStack): Act[] {
  const enable = async (id: string, enabled: boolean) =>
    api.change('', 'PUT', `/users/${id}`, { ...(await api.read<object>(`/users/${id}`)), enabled })
  const role = async (method: 'POST' | 'DELETE', id: string) =>
    api.change('', method, `/users/${id}/role-mappings/realm`, [await api.read('/roles/admin')])
  return [
    { title: 'disabled', username: 'user-3', write: TICKET, end: (id) => enable(id, false) },
    {
      title: 'signed out everywhere',
      username: 'user-4',
      write: TICKET,
      end: (id) => api.change('', 'POST', `/users/${id}/logout`, {}),
    },
    {
      title: 'role removed',
      username: 'tech-3',
      write: ORGANISATION,
      end: (id) => role('DELETE', id),
    },
  ]
}

async function lastWrites(
  scene: Scene,
  provider: 'up' | 'slow' | 'down',
  app: App,
  isShort = false,
): Promise<Result[]> {
  const { stack, proxy } = scene
  const signedIn = []
  for (const act of acts(stack)) signedIn.push({ ...act, ...(await prepare(stack, act, app)) })
  proxy.state.delayMs = provider === 'slow' ? SLOW_MS : 0
  proxy.state.isDown = provider === 'down'
  // Until the log reader has polled the provider in this state.
  await setTimeout(SLOW_MS * 2)
  const results = await Promise.all(
    signedIn.map(async ({ title, id, token, write, end }) => {
      const started = Date.now()
      await end(id)
      const most = provider !== 'down' ? LIMIT_S : isShort ? LIMIT_S : TOKEN_LIFE_S + CLOCKS_S
      const last = await lastAccepted(scene, { token, write, started, most })
      const life = (Number(claimsOf({ access_token: token }).exp) - started / 1_000).toFixed(0)
      return provider === 'down'
        ? {
            title: `${title}, provider down`,
            isRight: Number(life) <= TOKEN_LIFE_S && last <= TOKEN_LIFE_S + CLOCKS_S,
            figure: `accepted until the token expires, after ${life} s (last at ${last.toFixed(1)} s)`,
          }
        : {
            title: `${title}, provider ${provider}`,
            isRight: last <= LIMIT_S,
            figure: `last accepted write ${last.toFixed(1)} s later`,
          }
    }),
  )
  proxy.state.isDown = false
  proxy.state.delayMs = 0
  return results
}

async function prepare({ api, at }: IdentityStack, { username, write }: Act, app: App) {
  const [user] = await api.read<{ id: string }[]>(`/users?exact=true&username=${username}`)
  const id = user?.id ?? ''
  await api.change('', 'PUT', `/users/${id}`, {
    ...(await api.read<object>(`/users/${id}`)),
    enabled: true,
  })
  if (write === ORGANISATION)
    await api.change('', 'POST', `/users/${id}/role-mappings/realm`, [
      await api.read('/roles/admin'),
    ])
  // Until the second of the change is over, and the log reader has polled again.
  await setTimeout(1_100)
  const { token } = await trySignIn({
    ...at('127.0.0.5'),
    username,
    password: `${username}-demo-password`,
    ...(write === ORGANISATION ? { app, more: { acr_values: 'mfa' } } : {}),
  })
  return { id, token: token.access_token ?? '' }
}

type Probe = { token: string; write: Write; started: number; most: number }

/** Seconds from the revocation to the last write accepted by either replica. */
async function lastAccepted({ bases }: Scene, { token, write, started, most }: Probe) {
  let last = 0
  for (let n = 0; Date.now() - started < most * 1_000 + QUIET_MS; n++) {
    const sentAt = Date.now()
    const { status } = await fetch(`${bases[n % 2]}/api/${write.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(write.body(n)),
    })
    if (status === 201) last = (sentAt - started) / 1_000
    else if (status !== 401) throw new Error(`POST /api/${write.path}: ${status}`)
    if (Date.now() - started > last * 1_000 + QUIET_MS) break
    await setTimeout(WRITE_MS)
  }
  return last
}

/** For the guesses of the earlier check, which Keycloak stored while no replica ran. */
async function notifiedOfGuesses({ stack }: Scene): Promise<Result> {
  const started = Date.now()
  const [victim] = await stack.api.read<{ email: string }[]>('/users?exact=true&username=bob')
  const isNotified = await bothNotified(stack, victim?.email ?? '', 'trying to sign in', 'guessing')
  return {
    title: 'user and desk are notified of guesses',
    isRight: isNotified,
    figure: isNotified ? `both by mail within ${seconds(started)} s` : 'no mail',
  }
}

/** Guesses codes with the password until Keycloak disables the account. */
async function notifiedOfCodes({ stack }: Scene, app: App): Promise<Result> {
  const person = { username: 'tech-3', password: 'tech-3-demo-password' }
  const [user] = await stack.api.read<{ id: string; email: string }[]>(
    `/users?exact=true&username=${person.username}`,
  )
  const browser = launchBrowser(stack.at('127.0.0.67'))
  let page = await browser.submit(await browser.begin({ acr_values: 'mfa' }), person)
  const started = Date.now()
  for (let n = 0; n < CODES && page.body.includes('name="otp"'); n++)
    page = await browser.submit(page, { otp: String(100_000 + n) })
  const isNotified = await bothNotified(
    stack,
    user?.email ?? '',
    'new password',
    'knows the password',
  )
  const { enabled } = await stack.api.read<{ enabled: boolean }>(`/users/${user?.id}`)
  const { token } = await trySignIn({ ...stack.at('127.0.0.6'), ...person, app })
  const isIn = Boolean(token.access_token)
  return {
    title: 'notified of a known password',
    isRight: isNotified && enabled && !isIn,
    figure: `notified ${isNotified} after ${seconds(started)} s, account enabled ${enabled}, password works ${isIn}`,
  }
}

async function bothNotified(stack: IdentityStack, email: string, person: string, desk: string) {
  const deadline = Date.now() + TOLD_MS
  const has = async (address: string, words: string) =>
    (await stack.mailsTo(address)).some(({ subject }) => subject.includes(words))
  while (Date.now() < deadline) {
    if ((await has(email, person)) && (await has(DESK, desk))) return true
    await setTimeout(500)
  }
  return false
}
