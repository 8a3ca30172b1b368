import { credentialsOf, openPage, PAGES, type PageName } from './kit/identity/left-open.ts'
import { launchBrowser } from './kit/identity/sign-in.ts'
import type { IdentityStack } from './kit/identity/stack.ts'
import { newApp } from './kit/identity/totp.ts'
import { seeded } from './kit/random.ts'
import type { HttpResponse } from './kit/http-clients.ts'
import {
  isOwnAction,
  signInAtHome,
  WAYS,
  type Target,
  type SessionEndName,
} from './sign-in-ends.ts'

const AT_ONCE = 8

type Cell = { page: PageName; way: SessionEndName; isLater: boolean }
export type Case = Cell & {
  target: Target
  browser: ReturnType<typeof launchBrowser>
  left: HttpResponse
  /** Ids of the credentials that existed before. */
  credentials: string[]
}
type Credential = { id: string; type: string; createdDate: number }

/** Excludes signing out a session that doesn't exist yet, and removing a factor that doesn't exist. */
const isPossible = (page: PageName, way: SessionEndName) =>
  !(page === 'code' && /oneself|device/.test(way)) && !(page === 'set-up' && /factor/.test(way))

/** Short: each page once, alternately immediately and later, with the ways in turn. */
export function cellsOf(seed: number, isShort: boolean): Cell[] {
  const random = seeded(seed)
  const shuffled = <T>(all: readonly T[]) =>
    all
      .map((one) => ({ one, by: random() }))
      .toSorted((a, b) => a.by - b.by)
      .map(({ one }) => one)
  const pages = shuffled(Object.keys(PAGES) as PageName[])
  const ways = shuffled(WAYS)
  const pairs = isShort
    ? pages.map((page, n) => ({
        page,
        way: rotated(ways, n).find((way) => isPossible(page, way)) ?? WAYS[0],
      }))
    : pages.flatMap((page) => ways.map((way) => ({ page, way })))
  return pairs
    .filter(({ page, way }) => isPossible(page, way))
    .flatMap(({ page, way }, n) =>
      [false, true]
        .filter((isLater) => !isShort || isLater === (n % 2 === 0))
        .map((isLater) => ({ page, way, isLater })),
    )
}

const rotated = <T>(all: T[], by: number) => [
  ...all.slice(by % all.length),
  ...all.slice(0, by % all.length),
]

export async function addStaff({ api }: IdentityStack, username: string, role: 'admin' | 'owner') {
  const person = {
    username,
    email: `${username}@example.test`,
    password: `${username}-demo-password`,
  }
  const id = await api.change('', 'POST', '/users', {
    username,
    email: person.email,
    emailVerified: true,
    enabled: true,
    firstName: 'Left',
    lastName: 'Open',
    credentials: [{ type: 'password', value: person.password, temporary: false }],
  })
  await api.change('', 'POST', `/users/${id}/role-mappings/realm`, [
    await api.read(`/roles/${role}`),
  ])
  return { ...person, id }
}

/** A technician's account in which a thief leaves a page open. */
export async function prepare(
  stack: IdentityStack,
  { username, ...cell }: Cell & { username: string },
  n: number,
): Promise<Case> {
  const { id, ...person } = await addStaff(stack, username, 'admin')
  const address = `127.1.${n >> 8}.${(n & 255) + 1}`
  const target: Target = { ...person, id, address, app: null, token: {}, home: null }
  if (isOwnAction(cell.way)) target.home = await signInAtHome(stack, target)
  const browser = launchBrowser(stack.at(address))
  const form = await browser.submit(await browser.begin(), credentialsOf(target))
  target.token = (await browser.end(form)).token
  const needsFactor = cell.page === 'code' || cell.way === 'factor removed'
  if (needsFactor && cell.page !== 'after set-up') {
    target.app = newApp()
    target.token = (await browser.end(await proven(browser, target), target.app)).token
  }
  const thief = cell.page === 'code' ? launchBrowser(stack.at(address)) : browser
  const left = await openPage(thief, cell.page, target)
  const credentials = (await stored(stack, id)).map((one) => one.id)
  return { ...cell, target, browser: thief, left, credentials }
}

/** The page that sets up a second factor. */
async function proven(browser: ReturnType<typeof launchBrowser>, target: Target) {
  const page = await browser.begin({ acr_values: 'mfa' })
  return page.body.includes('name="password"') ? browser.submit(page, credentialsOf(target)) : page
}

export const stored = ({ api }: IdentityStack, id: string) =>
  api.read<Credential[]>(`/users/${id}/credentials`)

export const nameOf = (one: Case | undefined) =>
  one ? `${one.page}, ${one.way}${one.isLater ? ', later' : ''}` : ''

/** A few in parallel: the provider hashes a password at each sign-in. */
export async function inTurns<T, R>(all: T[], run: (one: T, n: number) => Promise<R>) {
  const results: R[] = []
  const waiting = [...all.entries()]
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next[0]] = await run(next[1], next[0])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}
