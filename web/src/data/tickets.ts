import type { RecordFor } from '@gatehouse/model'
import type { Models } from '@gatehouse/model/models'
import { loadAudience } from './audience.ts'
import { getJson } from './failure.ts'
import { list } from './records.ts'

type TicketRecord = RecordFor<Models['tickets'], 'user'>
type Status = NonNullable<TicketRecord['status']>

/** A ticket as its client sees it. */
export type Ticket = Pick<
  TicketRecord,
  | 'id'
  | 'version'
  | 'number'
  | 'subject'
  | 'message'
  | 'fullName'
  | 'email'
  | 'phone'
  | 'callbackWish'
  | 'contactType'
  | 'dueAt'
  | 'callbackAt'
  | 'lastContactAt'
  | 'closedAt'
  | 'labels'
> & { status: Status; openedAt: string }

/** A message of a ticket; `internal` is visible to staff only. */
export type Message = Pick<
  RecordFor<Models['messages'], 'user'>,
  'id' | 'body' | 'setsStatus' | 'fromStaff' | 'authorName' | 'createdAt' | 'labels'
> & { ticket: string; internal?: boolean }

export type TicketRevision = {
  version: number
  action: string
  at: string
  changes: { field: string; before: unknown; after: unknown }[]
}

export const OPEN_STATUSES: Status[] = ['New', 'Open', 'Waiting for client']
const CLOSED_STATUSES: Status[] = ['Resolved', 'Closed']
export const isClosed = ({ status }: Ticket) => CLOSED_STATUSES.includes(status)

const GROUPS = { open: OPEN_STATUSES, closed: CLOSED_STATUSES }
export type GroupName = keyof typeof GROUPS

/** The API's largest page. */
const PAGE_SIZE = 100
/** Page size: the filter for the messages of one page must fit into a URL. */
const REQUESTS_SHOWN = 50
const LATEST_PAGES_MAX = 5

type Page<T, Next = string> = { items: T[]; next: Next | null }
type Total = { count: number; exact: boolean } | null
export type RequestGroup = Page<Ticket> & { total: Total; latest: Message[] }

export async function loadRequests(signal: AbortSignal) {
  const [audience, open, closed] = await Promise.all([
    loadAudience(),
    loadGroup('open', null, signal),
    loadGroup('closed', null, signal),
  ])
  return { ...audience, open, closed }
}

export async function loadGroup(
  name: GroupName,
  after: string | null,
  signal?: AbortSignal,
): Promise<RequestGroup> {
  const { items, next, total } = await getJson<Page<Ticket> & { total: Total }>(
    list('tickets', {
      all: [['status', 'in', GROUPS[name]]],
      sort: '-number',
      limit: REQUESTS_SHOWN,
      after,
    }),
    signal,
  )
  return { items, next, total, latest: await loadLatest(items, signal) }
}

/** Without internal notes, which only staff receive. */
async function loadLatest(tickets: Ticket[], signal?: AbortSignal) {
  if (tickets.length === 0) return []
  const { isStaff } = await loadAudience()
  const ofThese = ['ticket', 'in', tickets.map(({ id }) => id)] as const
  const outside = isStaff ? [['internal', 'eq', false] as const] : []
  const pageAfter = (after: string | null) =>
    list('messages', { all: [ofThese, ...outside], limit: PAGE_SIZE, total: 'none', after })
  const missing = new Set(
    tickets.filter((one) => one.lastContactAt !== one.openedAt).map(({ id }) => id),
  )
  const latest: Message[] = []
  let after: string | null = null
  for (let page = 0; page < LATEST_PAGES_MAX && missing.size > 0; page++) {
    const { items, next }: Page<Message> = await getJson(pageAfter(after), signal)
    for (const message of items) if (missing.delete(message.ticket)) latest.push(message)
    if (!next) break
    after = next
  }
  return latest
}

export type RequestDetails = Awaited<ReturnType<typeof loadRequest>>

export async function loadRequest(id: string, signal: AbortSignal) {
  const path = encodeURIComponent(id)
  const ticket = await getJson<Ticket>(`tickets/${path}`, signal)
  const messagesAfter = (after: string | null) =>
    list('messages', { all: [['ticket', 'eq', id]], limit: PAGE_SIZE, total: 'none', after })
  const [audience, messages, history] = await Promise.all([
    loadAudience(),
    loadAll<Message, string>(messagesAfter, signal),
    loadAll<TicketRevision, number>(
      (before) => `tickets/${path}/history${before === null ? '' : `?before=${before}`}`,
      signal,
    ),
  ])
  return { ...audience, ticket, messages: messages.toReversed(), history }
}

/** Reads every page: a conversation is shown in full. */
async function loadAll<T, Next>(pathAfter: (place: Next | null) => string, signal: AbortSignal) {
  const all: T[] = []
  let cursor: Next | null = null
  do {
    const page: Page<T, Next> = await getJson(pathAfter(cursor), signal)
    all.push(...page.items)
    cursor = page.next
  } while (cursor !== null)
  return all
}
