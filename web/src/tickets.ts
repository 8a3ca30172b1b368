import { getJson } from './api.ts'
import { currentUser, toVisitor } from './auth.ts'

/** A ticket as its client sees it. */
export type Ticket = {
  id: string
  number: number
  subject: string
  message: string
  fullName: string
  contactType: string
  status: string
  openedAt: string
  dueAt: string | null
  callbackAt: string | null
  lastContactAt: string | null
  closedAt: string | null
}

export type Message = {
  id: string
  ticket: string
  body: string
  setsStatus: string | null
  internal?: boolean
  fromStaff: boolean
  authorName: string | null
  createdAt: string
}

export type Step = {
  version: number
  at: string
  changes: { field: string; before: unknown; after: unknown }[]
}

const PAGE = 100

/** An admin sees every ticket; here only their own. Whoever else asks is given theirs, a manager the organisation's. */
const MINE = `&filter=${encodeURIComponent(JSON.stringify({ all: [['clientId', 'eq', '@me']] }))}`

/** Own tickets, newest first, and the newest answers to them. */
export async function loadRequests(signal: AbortSignal) {
  const isAdmin = toVisitor(await currentUser())?.role === 'admin'
  const [tickets, messages] = await Promise.all([
    list<Ticket>(`tickets?limit=${PAGE}&sort=-number&total=none${isAdmin ? MINE : ''}`, signal),
    list<Message>(`messages?limit=${PAGE}&total=none`, signal),
  ])
  return { tickets, messages }
}

export type RequestPage = Awaited<ReturnType<typeof loadRequest>>

/** One ticket with everything that happened to it. */
export async function loadRequest(id: string, signal: AbortSignal) {
  const path = encodeURIComponent(id)
  const ofTicket = encodeURIComponent(JSON.stringify({ all: [['ticket', 'eq', id]] }))
  const ticket = await getJson<Ticket>(`tickets/${path}`, signal)
  const [messages, history] = await Promise.all([
    list<Message>(`messages?filter=${ofTicket}&limit=${PAGE}&total=none`, signal),
    getJson<{ items: Step[] }>(`tickets/${path}/history`, signal),
  ])
  return { ticket, messages: messages.toReversed(), history: history.items }
}

const list = async <T>(path: string, signal: AbortSignal) =>
  (await getJson<{ items: T[] }>(path, signal)).items
