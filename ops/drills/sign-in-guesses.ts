import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { IdentityStack } from './kit/identity/stack.ts'
import type { Result } from './kit/results.ts'
import { launchBrowser, signIn, trySignIn } from './kit/identity/sign-in.ts'

const VICTIM = { username: 'bob', password: 'bob-demo-password' }
const HOME = '127.0.0.2'
const QUIET_SIGN_INS = 7
const SLOWER_MAX = 2
const SLOWED_MAX_SECONDS = 300
const GUESSERS = 10

type Size = { isShort: boolean }

/** Guesses one account's password, from one address and from many, while its owner signs in. */
export async function guessAtOne(stack: IdentityStack, { isShort }: Size): Promise<Result[]> {
  const quiet = await signInTimes(stack, () => true)
  const guessing = guessFrom(stack, { addresses: ['127.0.0.66'], guesses: isShort ? 300 : 1_000 })
  const busy = await signInTimes(stack, guessing.isOver)
  const { passed, refused } = await guessing.done
  // Measured before and after, so that other load is not attributed to the guesses.
  quiet.push(...(await signInTimes(stack, () => true)))
  const slower = median(busy) / median(quiet)
  return [
    {
      title: 'guesses from one address',
      isRight: passed <= 130 && refused > 0,
      figure: `${passed} reach Keycloak, ${refused} are rejected`,
    },
    {
      title: 'the owner signs in meanwhile',
      isRight: slower <= SLOWER_MAX,
      figure: `${median(busy)} ms, idle ${median(quiet)} ms: ${slower.toFixed(1)} times; slowest ${Math.max(...busy)} ms; load ${loadavg()[0]?.toFixed(0)}`,
    },
  ]
}

export async function guessFromMany(stack: IdentityStack, { isShort }: Size): Promise<Result[]> {
  const home = stack.at(HOME)
  const session = launchBrowser(home)
  const { token } = await session.end(await session.submit(await session.begin(), VICTIM))
  const addresses = Array.from({ length: 100 }, (_, index) => `127.0.1.${index + 1}`)
  const guessing = guessFrom(stack, { addresses, guesses: isShort ? 300 : 1_000 })
  await guessing.done
  const started = Date.now()
  const isIn = async () => Boolean((await trySignIn({ ...home, ...VICTIM })).token.access_token)
  while (!(await isIn()) && Date.now() - started < 2 * SLOWED_MAX_SECONDS * 1_000)
    await setTimeout(1_000)
  const slowed = (Date.now() - started) / 1_000
  const renewed = await session.refresh(token)
  return [
    {
      title: 'guesses from 100 addresses',
      isRight: slowed <= SLOWED_MAX_SECONDS,
      figure: `the owner waits ${slowed.toFixed(0)} s`,
    },
    {
      title: 'the owner’s session continues',
      isRight: Boolean(renewed.access_token),
      figure: renewed.access_token ? 'renewed' : JSON.stringify(renewed),
    },
  ]
}

/** At least a few, for a stable median; at most ten times as many. */
async function signInTimes(stack: IdentityStack, isOver: () => boolean) {
  const times: number[] = []
  while (times.length < QUIET_SIGN_INS || !isOver()) {
    const started = Date.now()
    await signIn({ ...stack.at(HOME), ...VICTIM })
    times.push(Date.now() - started)
    if (times.length >= 10 * QUIET_SIGN_INS) break
  }
  return times
}

type Attack = { addresses: string[]; guesses: number }

/** Guesses as fast as ten connections allow. */
function guessFrom(stack: IdentityStack, { addresses, guesses }: Attack) {
  const counts = { passed: 0, refused: 0 }
  let sent = 0
  let isOver = false
  const guesser = async (index: number) => {
    for (;;) {
      const address = addresses[(index + sent) % addresses.length] ?? HOME
      const browser = launchBrowser(stack.at(address))
      let page = await browser.begin()
      // Several guesses per form, like a browser that retries.
      for (let turn = 0; turn < 10; turn++) {
        if (sent++ >= guesses) return
        const response = await browser.submit(page, { ...VICTIM, password: `guess ${sent}` })
        if (response.status === 429) counts.refused++
        else {
          counts.passed++
          page = response
        }
      }
    }
  }
  const done = Promise.all(Array.from({ length: GUESSERS }, (_, index) => guesser(index))).then(
    () => {
      isOver = true
      return counts
    },
  )
  return { done, isOver: () => isOver }
}

const median = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
