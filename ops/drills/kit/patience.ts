import { setTimeout } from 'node:timers/promises'

type Answered = { status: number; retryAfter: string | null }

const REFUSED = [429, 503]
const TRIES_MAX = 10

/**
 * Asks again what was refused, when the answer says that it may be: that is what Retry-After is for, and a key or If-Match keeps
 * it from being carried out twice. A refusal that does not say when is an answer like any other.
 */
export async function askPatiently<T extends Answered>(
  ask: () => Promise<T>,
  onRefused: () => void,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    const { status, retryAfter } = answer
    if (!REFUSED.includes(status) || retryAfter === null || tries === TRIES_MAX) return answer
    onRefused()
    await setTimeout(Number(retryAfter) * 1000)
  }
}
