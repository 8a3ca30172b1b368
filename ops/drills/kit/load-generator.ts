import { setTimeout } from 'node:timers/promises'
import type { WriteResponse, Write } from './kill-writes.ts'

type Outcome = { status: number; code: unknown; retryAfter: string | null }
export type Read = { path: string; headers: Record<string, string> }

type Planned = { reads: Read[]; writes: Write[]; least: { reads: number; creates: number } }

const READERS = 8
const WRITERS = 8
/** Pause between two requests of one client. */
const PAUSE_MS = 20

export type LoadClient = (isEnding: () => boolean, index: number) => Promise<void>

export const many = (count: number, person: LoadClient) =>
  Array.from({ length: count }, () => person)

export function startClients<T>(people: LoadClient[], result: () => T) {
  let isEnding = false
  const everybody = Promise.all(people.map((person, index) => person(() => isEnding, index)))
  return {
    end: async () => {
      isEnding = true
      await everybody
      return result()
    },
  }
}

/**
 * Reads and writes until ended and `least` is reached. Rejections with Retry-After are retried; any other unexpected response
 * fails.
 */
export function startLoad(base: string, { reads, writes, least }: Planned) {
  const done = {
    reads: 0,
    creates: 0,
    updates: 0,
    refused: 0,
    slowestMs: 0,
    failures: [] as string[],
  }
  const isEnough = () => done.reads >= least.reads && done.creates >= least.creates

  const timed = async (name: string, expected: number, ask: () => Promise<Outcome>) => {
    const started = Date.now()
    const { status, code } = await retryRefused(ask, () => done.refused++).catch(
      (error: unknown) => ({ status: 0, code: error }),
    )
    done.slowestMs = Math.max(done.slowestMs, Date.now() - started)
    if (status !== expected)
      done.failures.push(`${name.replace(/ \d+$/, '')} got ${status} ${String(code)}`)
  }
  const reader: LoadClient = async (isEnding, index) => {
    for (let turn = index; !(isEnding() && isEnough()); turn++) {
      const read = reads[turn % reads.length]
      if (!read) throw new Error('the list of reads is empty')
      await timed(`reading ${read.path}`, 200, () => get(base, read))
      done.reads++
      await setTimeout(PAUSE_MS)
    }
  }
  const writer: LoadClient = async (isEnding) => {
    while (!(isEnding() && isEnough())) {
      const write = writes.shift()
      if (!write) throw new Error('the writes ran out before the drill ended')
      const isCreate = write.method === 'POST'
      await timed(write.name, isCreate ? 201 : 200, () => send(base, write))
      if (isCreate) done.creates++
      else done.updates++
      await setTimeout(PAUSE_MS)
    }
  }
  return startClients([...many(READERS, reader), ...many(WRITERS, writer)], () => done)
}

async function get(base: string, { path, headers }: Read): Promise<Outcome> {
  const response = await fetch(`${base}${path}`, { headers })
  const json = (await response.json()) as { code?: string }
  return {
    status: response.status,
    code: json.code,
    retryAfter: response.headers.get('retry-after'),
  }
}

export async function send(
  base: string,
  { method, path, headers, body }: Write,
): Promise<WriteResponse & Outcome> {
  const response = await fetch(`${base}${path}`, { method, headers, body: JSON.stringify(body) })
  const json = (await response.json()) as WriteResponse['json']
  return {
    status: response.status,
    json,
    code: json['code'],
    retryAfter: response.headers.get('retry-after'),
  }
}

export const counted = (failures: string[]) =>
  [...Map.groupBy(failures, (failure) => failure)].map(
    ([what, all]) => `${what}: ${all.length} times`,
  )

type Refusable = { status: number; retryAfter: string | null }

const REFUSED = [429, 503]
const TRIES_MAX = 10

/**
 * Retries rejections with Retry-After; Idempotency-Key or If-Match prevents duplicate writes. A rejection without it is
 * returned.
 */
export async function retryRefused<T extends Refusable>(
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
