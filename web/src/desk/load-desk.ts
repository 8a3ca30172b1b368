import { canAccess, type RecordFor } from '@gatehouse/model'
import type { Models } from '@gatehouse/model/models'
import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'
import { callApi } from '#data/client.ts'
import { deskCount } from '#data/desk-count.ts'
import { list } from '#data/records.ts'
import type { InfectedFiles } from './infected-files.tsx'
import { AGES, COUNTERS, WAITING } from './counters.ts'
import type { Mail } from './mails.ts'
import type { Ticket } from '#data/tickets.ts'

export type Total = { count: number; exact: boolean } | null
export type Incident = Pick<
  RecordFor<Models['incidents'], 'admin'>,
  'id' | 'title' | 'severity' | 'notifyBy'
>
export type AccessRequest = Pick<
  RecordFor<Models['accounts'], 'admin'>,
  'id' | 'name' | 'email' | 'version'
>

const NONE_INFECTED: InfectedFiles = { infected: 0, infectedIn: [] }

/** What fails to load is null; the rest is shown. */
export async function loadDesk(signal: AbortSignal) {
  const read = <T>(path: string) => readPage<T>(path, signal)
  const visitor = toVisitor(await currentUser())
  const shown = COUNTERS.filter(({ access }) => canAccess(access ?? 'admin', visitor))
  const [totals, ages, waiting, callbacks, incidents, accounts, alerts, system] = await Promise.all(
    [
      Promise.all(shown.map(({ address }) => read(`${address}&limit=1`))),
      Promise.all(AGES.map(({ address }) => read(`${address}&limit=1`))),
      read<Ticket>(list('tickets', { all: WAITING.unanswered, sort: 'dueAt', limit: 10 })),
      read<Ticket>(list('tickets', { all: WAITING.callbacks, sort: 'callbackAt', limit: 5 })),
      read<Incident>(list('incidents', { all: WAITING.incidents, limit: 5 })),
      read<AccessRequest>(list('accounts', { all: WAITING.links, limit: 10 })),
      read<Mail>('system/mails?alerts=true'),
      readJson<{ files?: InfectedFiles | null }>('system', signal),
    ],
  )
  deskCount.set(totals[0]?.total ?? null)
  return {
    /** Reference time for overdue. */
    now: Date.now(),
    counted: shown.map((one, index) => ({ ...one, total: totals[index]?.total ?? null })),
    hasUncounted: totals.includes(null),
    ages: ages.map((page) => page?.total ?? null),
    waiting: waiting?.items ?? null,
    callbacks: callbacks?.items ?? null,
    incidents: incidents?.items ?? null,
    accounts: accounts?.items ?? null,
    /** Undelivered alert emails. */
    alerts: alerts?.items ?? null,
    /** A server of an older release, or one without files, says nothing of them. */
    infected: system && (system.files ?? NONE_INFECTED),
  }
}

const readPage = <T>(path: string, signal: AbortSignal) =>
  readJson<{ items: T[]; total: Total }>(path, signal)

async function readJson<T>(path: string, signal: AbortSignal) {
  const response = await callApi(path, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error
    return null
  })
  return response?.ok ? ((await response.json()) as T) : null
}
