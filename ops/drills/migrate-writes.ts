import { setTimeout } from 'node:timers/promises'
import { many, retryRefused, send, startClients, type LoadClient } from './kit/load-generator.ts'

export const SEEDED_ROWS = 100_000
const WRITERS = 6
const PAUSE_MS = 15

/** What the API acknowledged last of a record. */
export type Acknowledged = {
  n: number
  /** Created by the drill, not seeded. */
  isCreated: boolean
  /** Release that created it. */
  release: number
  note: string
  writes: number
}

type Load = {
  base: string
  token: string
  release: number
  minutes: string | null
  /** Seeded rows to change. */
  targets: { id: string; n: number }[]
  known: Map<string, Acknowledged>
}

/** Creates records, changes each once, and changes seeded ones, as the release before does while the next one migrates. */
export function startJobWrites({ base, token, release, minutes, targets, known }: Load) {
  const failures: string[] = []
  let count = 0
  const call = async (method: string, path: string, body: object, key: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    const write = { name: key, method, path: `/api/${path}`, headers, body }
    const { status, json } = await retryRefused(
      () => send(base, write),
      () => {},
    )
    const isDone = status === (method === 'POST' ? 201 : 200)
    if (!isDone) failures.push(`${method} got ${status} ${JSON.stringify(json)}`.slice(0, 300))
    return isDone ? json : null
  }
  const change = async (id: string, before: Omit<Acknowledged, 'note'>, key: string) => {
    const note = `Changed ${key}`
    if (await call('PUT', `jobs/${id}`, { note }, key))
      known.set(id, { ...before, note, writes: before.writes + 1 })
  }
  const writer: LoadClient = async (isEnding) => {
    while (!isEnding()) {
      const turn = ++count
      const n = release * 1_000_000 + turn
      const created = await call(
        'POST',
        'jobs',
        {
          title: `Written ${n}`,
          state: 'New',
          tags: ['A'],
          note: `Note ${n}`,
          code: `W-${n}`,
          ...(minutes ? { [minutes]: n } : { hours: n }),
          ...(release > 0 ? { place: 'Field' } : {}),
        },
        `create-${n}`,
      )
      if (created) {
        const id = String(created['id'])
        const made = { n, isCreated: true, release, note: `Note ${n}`, writes: 1 }
        known.set(id, made)
        await change(id, made, `created-${n}`)
      }
      const target = targets[turn % targets.length]
      if (target) {
        const seeded = { n: target.n, isCreated: false, release: 0, writes: 0 }
        await change(target.id, known.get(target.id) ?? seeded, `seeded-${n}`)
      }
      await setTimeout(PAUSE_MS)
    }
  }
  return startClients(many(WRITERS, writer), () => ({ failures, count }))
}
