import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { apiEnv } from '../../tools/stack/stack-services.ts'
import { startApi } from './kit/api-process.ts'
import { credentialsOf, finishPage, PAGES, THIEF_PASSWORD } from './kit/identity/left-open.ts'
import { claimsOf, trySignIn, type Token } from './kit/identity/sign-in.ts'
import type { IdentityStack } from './kit/identity/stack.ts'
import { seconds, type Result } from './kit/results.ts'
import { addStaff, cellsOf, inTurns, nameOf, prepare, stored, type Case } from './sign-in-cases.ts'
import { buildSessionEnds } from './sign-in-ends.ts'

/** Two looks at the provider's log, and what follows from them. */
const READ_MS = 6_000
const UNDONE_MS = 30_000
/** Of those who sign in again: each may have to wait for the next code. */
const BACK_MAX = 16
const MOVED = `interval '90 minutes'`

/** Pages left open by a thief, ways to end their session: what they bring when they are finished at last. */
export async function pagesLeftOpen(
  stack: IdentityStack,
  { isShort }: { isShort: boolean },
): Promise<Result[]> {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
  console.log(`seed ${seed}`)
  const started = Date.now()
  let replicas = await startReplicas(stack)
  try {
    const owner = await addStaff(stack, `owner-${seed}`, 'owner')
    const all = await inTurns(cellsOf(seed, isShort), (cell, n) =>
      prepare(stack, { ...cell, username: `left-open-${seed}-${n}` }, n),
    )
    // A second step that was set up ends the tokens from before.
    await setTimeout(READ_MS)
    await inTurns(all, async (one) => {
      one.target.token = await one.browser.refresh(one.target.token)
      if (!(await accepts(replicas, one.target.token)))
        throw new Error(`The thief of "${nameOf(one)}" is not signed in`)
    })
    const ways = buildSessionEnds({ stack, base: replicas[0].base, owner })
    await inTurns(all, async ({ way, target }) => ways[way](target))
    await setTimeout(READ_MS)
    const goingOn = await ownSessions(replicas, all)
    const now = await finish(stack, replicas, {
      when: 'immediately',
      cases: all.filter(({ isLater }) => !isLater),
    })
    await Promise.all(replicas.map(({ stop }) => stop()))
    await moveClock(stack)
    replicas = await startReplicas(stack)
    const later = await finish(stack, replicas, {
      when: '90 minutes later',
      cases: all.filter(({ isLater }) => isLater),
    })
    return [
      ...now.results,
      ...later.results,
      goingOn,
      await backAgain(replicas, all),
      {
        title: 'pages and ways',
        isRight: now.tokens + later.tokens > 0,
        figure: `${all.length} cases, seed ${seed}: Keycloak gave ${now.tokens + later.tokens} tokens, ${seconds(started)} s`,
      },
    ]
  } finally {
    await Promise.all(replicas.map(({ stop }) => stop()))
  }
}

type Replicas = [Api, Api]
type Api = Awaited<ReturnType<typeof startApi>>

async function startReplicas({ settings }: IdentityStack): Promise<Replicas> {
  const { PORT: _, DATABASE_MIGRATION_URL, ...env } = apiEnv(settings)
  const first = await startApi({ env: { ...env, DATABASE_MIGRATION_URL } })
  return [first, await startApi({ env })]
}

type Finished = { cases: Case[]; when: string }

/** What Keycloak gives for these pages, what of it the API accepts, and what is left of it. */
async function finish(stack: IdentityStack, replicas: Replicas, { cases, when }: Finished) {
  const origin = new URL(stack.settings.issuer).origin
  const given = await inTurns(cases, async ({ browser, page: name, left: page, target }) => [
    ...(await finishPage(browser, { name, page, victim: target, origin })),
    ...(target.token.refresh_token ? [await browser.refresh(target.token)] : []),
  ])
  const accepted = new Set<string>()
  for (const wait of [0, READ_MS]) {
    await setTimeout(wait)
    for (const [n, tokens] of given.entries())
      for (const token of tokens)
        if (await accepts(replicas, token))
          accepted.add(`${nameOf(cases[n])} (${claimsOf(token).acr})`)
  }
  const results = [
    none(`pages finished ${when}, tokens accepted`, [...accepted], cases.length),
    await noFactors(stack, { cases, when }),
    await noPasswords(stack, { cases, when }),
  ]
  return { results, tokens: given.flat().filter((one) => one.access_token).length }
}

/** Either replica takes it. */
async function accepts(replicas: Replicas, { access_token: token }: Token) {
  if (!token) return false
  const headers = { authorization: `Bearer ${token}` }
  const statuses = await Promise.all(
    replicas.map(async ({ base }) => (await fetch(`${base}/api/me`, { headers })).status),
  )
  return statuses.includes(200)
}

/** Ninety minutes pass for what is stored; the log has been read long ago. */
async function moveClock({ settings }: IdentityStack) {
  const client = new pg.Client({ connectionString: settings.databaseUrl('gatehouse_migrate') })
  await client.connect()
  await client.query(`update revocations set noted_at = noted_at - ${MOVED}`)
  await client.query(`update identity_reads set read_until = now() + interval '20 seconds'`)
  await client.end()
}

async function ownSessions(replicas: Replicas, all: Case[]): Promise<Result> {
  const atHome = all.filter(({ target }) => target.home !== null)
  // Recovery codes that a thief's set-up left to be saved are saved at home, in a session older than that set-up: the API takes
  // them for those of a page left open and ends all sessions (parked.ts).
  const own = atHome.filter(
    ({ way, page, target }) =>
      !(way === 'own password' && target.app && PAGES[page].has === PAGES.recovery.has),
  )
  const ended: string[] = []
  for (const one of own) {
    const { home } = one.target
    if (home) home.token = await home.browser.refresh(home.token)
    if (!(await accepts(replicas, home?.token ?? {}))) ended.push(nameOf(one))
  }
  const result = none('own sessions ended by an own act', ended, own.length)
  const left = atHome.length - own.length
  return { ...result, figure: `${result.figure}, ${left} left out: codes of a thief's set-up` }
}

/** Of someone who was not disabled, with the password they have now. */
async function backAgain(replicas: Replicas, all: Case[]): Promise<Result> {
  const able = all
    .filter(({ way, page }) => way !== 'disabled' && page !== 'password')
    .slice(0, BACK_MAX)
  const refused: string[] = []
  await inTurns(able, async (one) => {
    // In the browser that has the page.
    let next = await one.browser.begin({ prompt: 'login' })
    next = await one.browser.submit(next, credentialsOf(one.target))
    // A thief who has asked for another address leaves that question behind.
    if (next.body.includes('name="email"'))
      next = await one.browser.submit(next, { email: one.target.email })
    const { token } = await one.browser.end(next, one.target.app ?? undefined)
    if (!(await accepts(replicas, token)))
      refused.push(`${nameOf(one)} (${token.access_token ? 'refused' : 'no token'})`)
  })
  return none('people who can’t sign in again', refused, able.length)
}

async function noFactors(stack: IdentityStack, { cases, when }: Finished): Promise<Result> {
  const deadline = Date.now() + UNDONE_MS
  let added: string[] = ['not looked for']
  while (added.length > 0 && Date.now() < deadline) {
    await setTimeout(1_000)
    added = []
    for (const one of cases) {
      const now = await stored(stack, one.target.id)
      const fresh = now.filter(
        ({ id, type }) => type !== 'password' && !one.credentials.includes(id),
      )
      if (fresh.length > 0) added.push(`${nameOf(one)}: ${fresh.map(({ type }) => type).join()}`)
    }
  }
  return none(`second steps added ${when}`, added, cases.length)
}

async function noPasswords(stack: IdentityStack, { cases, when }: Finished): Promise<Result> {
  const changed = cases.filter(({ page }) => page === 'password')
  const working: string[] = []
  for (const one of changed) {
    const { token } = await trySignIn({
      ...stack.at(one.target.address),
      username: one.target.username,
      password: THIEF_PASSWORD,
    })
    if (token.access_token) working.push(nameOf(one))
  }
  return none(`passwords of a thief ${when}`, working, changed.length)
}

const none = (title: string, found: string[], of: number): Result => ({
  title,
  isRight: found.length === 0,
  figure: found.length === 0 ? `0 of ${of}` : `${found.length}: ${found.join('; ')}`,
})
