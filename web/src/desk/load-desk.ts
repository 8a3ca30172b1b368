import type { Filter } from '@gatehouse/model'
import { callApi } from '#data/client.ts'
import { AGES, COUNTED, WAITING } from './counted.ts'
import type { Mail } from './mails.ts'
import type { Ticket } from '#data/tickets.ts'

export type Total = { count: number; exact: boolean } | null
export type Incident = { id: string; title: string; severity: string; notifyBy: string | null }
export type AskedAccount = {
  id: string
  name: string | null
  email: string | null
  version: number
}

/** Everything the desk shows, from the generic lists. What can't be had is null: the rest is worth showing. */
export async function loadDesk(signal: AbortSignal) {
  const ask = <T>(path: string) => list<T>(path, signal)
  const [counted, ages, waiting, callbacks, incidents, accounts, alerts] = await Promise.all([
    Promise.all(COUNTED.map(({ path, filter }) => ask(countPath(path, filter)))),
    Promise.all(AGES.map(({ filter }) => ask(countPath('tickets', filter)))),
    ask<Ticket>(listPath('tickets', WAITING.unanswered, 'sort=dueAt&limit=10')),
    ask<Ticket>(listPath('tickets', WAITING.callbacks, 'sort=callbackAt&limit=5')),
    ask<Incident>(listPath('incidents', WAITING.incidents, 'limit=5')),
    ask<AskedAccount>(listPath('accounts', WAITING.links, 'limit=10')),
    ask<Mail>('system/mails?alerts=true'),
  ])
  return {
    /** When this was asked: what is late, is late as of then. */
    now: Date.now(),
    counted: counted.map((page) => page?.total ?? null),
    ages: ages.map((page) => page?.total ?? null),
    waiting: waiting?.items ?? null,
    callbacks: callbacks?.items ?? null,
    incidents: incidents?.items ?? null,
    accounts: accounts?.items ?? null,
    /** Alert mails that have not arrived. */
    alerts: alerts?.items ?? null,
  }
}

/** The address of the list a filter describes, on the site and in the API alike. */
export const listPath = (path: string, filter: Filter, more = '') =>
  `${path}?${[`filter=${encodeURIComponent(JSON.stringify(filter))}`, more].filter(Boolean).join('&')}`

const countPath = (path: string, filter: Filter) => listPath(path, filter, 'limit=1')

async function list<T>(path: string, signal: AbortSignal) {
  const response = await callApi(path, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error
    return null
  })
  return response?.ok ? ((await response.json()) as { items: T[]; total: Total }) : null
}
