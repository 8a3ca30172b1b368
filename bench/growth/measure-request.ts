import type { Person } from '../../ops/drills/kit/key-server.ts'
import { isBeside, plansOf } from '../plans.ts'
import { spreadOf } from '../compare/median-range.ts'
import type { SizedDatabase } from './sized-database.ts'

/** PostgreSQL may switch to a generic plan at the sixth execution. */
export const REPEATS = 7

export type SendRequest = {
  method?: 'POST' | 'PUT'
  path: string
  query?: Record<string, string>
  body?: object
}
export type RequestCost = Awaited<ReturnType<Awaited<ReturnType<typeof requesterFor>>>>

export async function requesterFor(
  { base, client, directory, keys }: SizedDatabase,
  person: Person,
) {
  const own = { authorization: `Bearer ${await keys.tokenOf(person)}` }
  // The first request of the day also records the sign-in.
  await fetch(`${base}/api/me`, { headers: own })
  return async ({ method, path, query = {}, body }: SendRequest) => {
    const answer = { status: 0, text: '', ms: 0 }
    const plans = await plansOf({ directory, client }, async () => {
      const started = performance.now()
      const response = await fetch(`${base}/api/${path}?${new URLSearchParams(query)}`, {
        method: method ?? 'GET',
        headers: {
          ...own,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      answer.status = response.status
      answer.text = await response.text()
      answer.ms = performance.now() - started
    })
    const seen = plans.filter((plan) => !isBeside(plan))
    const buffers = seen.reduce((all, plan) => all + plan.buffers, 0)
    const most = Math.max(0, ...seen.map((plan) => plan.buffers))
    return { ...answer, buffers, most, isOk: answer.status < 300, isSeen: seen.length > 0 }
  }
}

/** Repeats a request; returns the most expensive run and the median time. Stops at a rejection, which is reported as a fault. */
export async function measureRepeatedly(ask: () => Promise<RequestCost>) {
  const all: RequestCost[] = []
  for (let time = 0; time < REPEATS; time++) {
    const asked = await ask()
    const { status, ms, buffers, most, text } = asked
    if (status === REFUSED) return { buffers, most, ms, text: null, fault: text }
    all.push(requireOk(asked))
  }
  if (!all.every(({ isSeen }) => isSeen)) throw new Error('no plan was logged for the request')
  return {
    buffers: Math.max(...all.map(({ buffers }) => buffers)),
    /** Of its most expensive statement. */
    most: Math.max(...all.map(({ most }) => most)),
    ms: spreadOf(all.map(({ ms }) => ms)).median,
    text: all.at(-1)?.text ?? '',
  }
}

const REFUSED = 422

export function requireOk(asked: RequestCost) {
  if (!asked.isOk) throw new Error(`${asked.status} ${asked.text}`)
  return asked
}
