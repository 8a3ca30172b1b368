import { STORAGE } from '@gatehouse/model'
import { session } from './storage.ts'

const KINDS = {
  contact: STORAGE.contactDraft.key,
  reply: STORAGE.replyDraft.key,
  note: STORAGE.noteDraft.key,
  record: STORAGE.recordDraft.key,
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

/** Somebody has signed in: what was typed in this tab before that is theirs, what others typed is none of their business. */
export function claimDrafts(sub: string) {
  const typed = session.get(NOBODYS)
  if (typed !== null) session.set(draftKey({ kind: 'contact', sub }), typed)
  forgetDrafts((key) => !isOf(sub, key))
}

export function forgetDrafts(isMeant: (key: string) => boolean = () => true) {
  for (const key of session.keys())
    if (PREFIXES.some((prefix) => key.startsWith(prefix)) && isMeant(key)) session.remove(key)
}

const PREFIXES = Object.values(KINDS).map((key) => key.replace('*', ''))

/** The contact form is for everybody. */
const NOBODYS = draftKey({ kind: 'contact', sub: null })

const isOf = (sub: string, key: string) =>
  PREFIXES.some((prefix) => key === prefix + sub || key.startsWith(`${prefix}${sub}:`))
