import { STORAGE_KEYS } from '@gatehouse/model'
import { session } from './storage.ts'

const KINDS = {
  contact: STORAGE_KEYS.contactDraft,
  inquiry: STORAGE_KEYS.inquiryDraft,
  reply: STORAGE_KEYS.replyDraft,
  note: STORAGE_KEYS.noteDraft,
  record: STORAGE_KEYS.recordDraft,
}

type Draft = {
  kind: keyof typeof KINDS
  /** The author's account; null when signed out. */
  sub: string | null
  /** Tells several drafts of a kind apart. */
  about?: string
}

/** Storage key. It holds the author's account, so that nobody else is shown the draft. */
export const draftKey = ({ kind, sub, about }: Draft) =>
  KINDS[kind].replace('*', [sub, about].filter((part) => part !== undefined).join(':'))

/** Whether it is an account's draft, not one typed signed out. */
export const isOfAccount = (key: string) => !PREFIXES.includes(key)

/** On sign-in: drafts typed signed out become this account's, those of other accounts are dropped. */
export function claimDrafts(sub: string) {
  for (const kind of PUBLIC_KINDS) {
    const typed = session.get(draftKey({ kind, sub: null }))
    if (typed !== null) session.set(draftKey({ kind, sub }), typed)
  }
  forgetDrafts((key) => !isOf(sub, key))
}

/** Migrates old drafts: reply and note shared one without an owner. Those ticked internal become notes of the signed-in user. */
export function adoptInternalDrafts(sub: string) {
  const prefix = KINDS.reply.replace('*', '')
  for (const key of session.keys()) {
    const about = key.startsWith(prefix) ? key.slice(prefix.length) : ''
    if (about === '' || about.includes(':')) continue
    const note = draftKey({ kind: 'note', sub, about })
    const { body, internal } = readObject(key)
    if (internal === true && typeof body === 'string' && session.get(note) === null)
      session.set(note, JSON.stringify({ note: body }))
  }
}

export function forgetDrafts(isMeant: (key: string) => boolean = () => true) {
  for (const key of session.keys())
    if (PREFIXES.some((prefix) => key.startsWith(prefix)) && isMeant(key)) session.remove(key)
}

const PREFIXES = Object.values(KINDS).map((key) => key.replace('*', ''))

/** Forms that can be filled in signed out. */
const PUBLIC_KINDS = ['contact', 'inquiry'] as const

const isOf = (sub: string, key: string) =>
  PREFIXES.some((prefix) => key === prefix + sub || key.startsWith(`${prefix}${sub}:`))

function readObject(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(session.get(key) ?? '{}')) as Record<string, unknown>
  } catch {
    return {}
  }
}
