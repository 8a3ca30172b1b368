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

/** Two polls of the provider's log, and their effects. */
const READ_MS = 6_000
const UNDONE_MS = 30_000
/** Accounts that sign in again: each may wait for the next code. */
const BACK_MAX = 16
const MOVED = `interval '90 minutes'`

/** For each page a thief leaves open and each way to end their session: submits the page afterwards and checks its effects. */
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
    // Setting up a second factor revokes earlier tokens.
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
        title: 'combinations of page and way',
        isRight: now.tokens + later.tokens > 0,
        figure: `${all.length} cases, seed ${seed}: Keycloak issued ${now.tokens + later.tokens} tokens, ${seconds(started)} s`,
      },
    ]
  } finally {
    await Promise.all(replicas.map(({ stop }) => stop()))
  }
}

type Replicas = [Api, Api]
type Api = Awaited<ReturnType<typeof startApi>>

async function startReplicas({ settings }: IdentityStack): Promise<Replicas> {
  const { PORT: _, METRICS_PORT: _metrics, DATABASE_MIGRATION_URL, ...env } = apiEnv(settings)
  const first = await startApi({ env: { ...env, DATABASE_MIGRATION_URL } })
  return [first, await startApi({ env })]
}

type Finished = { cases: Case[]; when: string }

/** Submits these pages; checks the tokens at both replicas, and the account's factors and passwords. */
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

async function accepts(replicas: Replicas, { access_token: token }: Token) {
  if (!token) return false
  const headers = { authorization: `Bearer ${token}` }
  const statuses = await Promise.all(
    replicas.map(async ({ base }) => (await fetch(`${base}/api/me`, { headers })).status),
  )
  return statuses.includes(200)
}

/** Moves stored times by ninety minutes, and marks the log as read. */
async function moveClock({ settings }: IdentityStack) {
  const client = new pg.Client({ connectionString: settings.databaseUrl('gatehouse_migrate') })
  await client.connect()
  await client.query(`update revocations set noted_at = noted_at - ${MOVED}`)
  await client.query(`update identity_reads set read_until = now() + interval '20 seconds'`)
  await client.end()
}

async function ownSessions(replicas: Replicas, all: Case[]): Promise<Result> {
  const atHome = all.filter(({ target }) => target.home !== null)
  // Recovery codes of a thief's set-up that the owner saves, in a session older than that set-up, look like those of a page left
  // open: the API ends all sessions.
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
  const result = none('owner’s sessions ended by their own action', ended, own.length)
  const left = atHome.length - own.length
  return { ...result, figure: `${result.figure}, ${left} excluded: codes of a thief's set-up` }
}

/** Owners of enabled accounts must be able to sign in with their current password. */
async function backAgain(replicas: Replicas, all: Case[]): Promise<Result> {
  const able = all
    .filter(({ way, page }) => way !== 'disabled' && page !== 'password')
    .slice(0, BACK_MAX)
  const rejected: string[] = []
  await inTurns(able, async (one) => {
    // In the browser with the open page.
    let next = await one.browser.begin({ prompt: 'login' })
    next = await one.browser.submit(next, credentialsOf(one.target))
    // The thief's change of address is still pending.
    if (next.body.includes('name="email"'))
      next = await one.browser.submit(next, { email: one.target.email })
    const { token } = await one.browser.end(next, one.target.app ?? undefined)
    if (!(await accepts(replicas, token)))
      rejected.push(`${nameOf(one)} (${token.access_token ? 'rejected' : 'no token'})`)
  })
  return none('owners who can’t sign in again', rejected, able.length)
}

async function noFactors(stack: IdentityStack, { cases, when }: Finished): Promise<Result> {
  const deadline = Date.now() + UNDONE_MS
  let added: string[] = ['not checked']
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
  return none(`second factors added ${when}`, added, cases.length)
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
  return none(`thief’s passwords that work ${when}`, working, changed.length)
}

const none = (title: string, found: string[], of: number): Result => ({
  title,
  isRight: found.length === 0,
  figure: found.length === 0 ? `0 of ${of}` : `${found.length}: ${found.join('; ')}`,
})
