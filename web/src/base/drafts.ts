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
  /** The account that typed it; null where nobody is signed in. */
  sub: string | null
  /** What it is about, where there are several of a kind. */
  about?: string
}

/** Where a draft is kept: the account that typed it is part of the name, so that nobody else is shown it. */
export const draftKey = ({ kind, sub, about }: Draft) =>
  KINDS[kind].replace('*', [sub, about].filter((part) => part !== undefined).join(':'))

/** Someone has signed in: what was typed in this tab before that is theirs, what others typed is none of their business. */
export function claimDrafts(sub: string) {
  for (const kind of FOR_EVERYBODY) {
    const typed = session.get(draftKey({ kind, sub: null }))
    if (typed !== null) session.set(draftKey({ kind, sub }), typed)
  }
  forgetDrafts((key) => !isOf(sub, key))
}

/**
 * Reply and note had one draft between them, of nobody in particular, with a tick for "internal". A ticked one opens as a
 * note of anyone who was signed in all along.
 */
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

/** Forms that need no sign-in to be filled in. */
const FOR_EVERYBODY = ['contact', 'inquiry'] as const

const isOf = (sub: string, key: string) =>
  PREFIXES.some((prefix) => key === prefix + sub || key.startsWith(`${prefix}${sub}:`))

function readObject(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(session.get(key) ?? '{}')) as Record<string, unknown>
  } catch {
    return {}
  }
}
