import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { seeded } from './kit/random.ts'

const PATIENCE_MS = 8_000
/** Pause between two probes. */
const PAUSE_MS = 150
const VISIT = ['/', '/api/models', '/api/tickets']
const READING_MS = 4_000
const TABS = 4
const ARRIVING_MS = 9_000
const PAGES = ['/', '/contact', '/privacy', '/services']

type Asked = { port: number; path: string; token?: string; from?: string }
type Answer = { status: number; ms: number }

/** Opens a new connection. Status 0: timeout or no response. */
const get = ({ port, path, token, from = '127.0.0.1' }: Asked) =>
  new Promise<Answer>((resolve) => {
    const started = performance.now()
    const answer = (status: number) => resolve({ status, ms: performance.now() - started })
    const headers = { host: 'localhost', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const asked = request(
      { host: '127.0.0.1', port, path, localAddress: from, agent: false, headers },
      (response) => response.resume().on('end', () => answer(response.statusCode ?? 0)),
    )
    asked.setTimeout(PATIENCE_MS, () => asked.destroy())
    asked.on('error', () => answer(0)).end()
  })

export type ProbeResult = { p95: number; lists: number; badLists: string[]; badPages: string[] }

export async function probeSite(
  port: number,
  { token, times }: { token: string; times: number },
): Promise<ProbeResult> {
  const lists: Answer[] = []
  const badPages: string[] = []
  for (let time = 0; time < times; time++) {
    const path = PAGES[time % PAGES.length] ?? '/'
    const page = await get({ port, path })
    if (page.status !== 200) badPages.push(`${path} ${page.status}`)
    lists.push(await get({ port, path: '/api/tickets', token }))
    await setTimeout(PAUSE_MS)
  }
  const sorted = lists.map(({ ms }) => ms).toSorted((one, other) => one - other)
  return {
    p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0,
    lists: lists.length,
    badLists: lists.filter(({ status }) => status !== 200).map(({ status }) => String(status)),
    badPages,
  }
}

type Office = { tokens: string[]; from: string; minutes: number; seed: number }

/** An office behind one address: users with four tabs each, opening and reading pages. */
export async function runOffice(port: number, { tokens, from, minutes, seed }: Office) {
  const random = seeded(seed)
  const statuses: Record<string, number> = {}
  const end = Date.now() + minutes * 60_000
  const tab = async (token: string, arriving: number) => {
    await setTimeout(arriving)
    while (Date.now() < end) {
      for (const path of VISIT) {
        const { status } = await get({ port, path, token, from })
        statuses[status] = (statuses[status] ?? 0) + 1
      }
      await setTimeout(READING_MS)
    }
  }
  const tabs = tokens.flatMap((token) => Array.from({ length: TABS }, () => token))
  await Promise.all(tabs.map((token) => tab(token, random() * ARRIVING_MS)))
  return { statuses, tabs: tabs.length }
}
