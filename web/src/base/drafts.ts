import { STORAGE_KEYS } from '@gatehouse/model'
import {
  allSignInDrafts,
  findSignInDraft,
  deleteSignInDrafts,
  writeSignInDraft,
} from './sign-in-drafts.ts'
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

/** Storage key. It contains the author's account, so other accounts never see the draft. */
export const draftKey = ({ kind, sub, about }: Draft) =>
  KINDS[kind].replace('*', [sub, about].filter((part) => part !== undefined).join(':'))

/** The key of a draft typed signed out is only its prefix. */
export const isOfAccount = (key: string) => !PREFIXES.includes(key)

/** On sign-in: drafts typed signed out become this account's, those of other accounts are deleted. */
export function claimDrafts(sub: string) {
  for (const kind of PUBLIC_KINDS) {
    const typed = session.get(draftKey({ kind, sub: null }))
    if (typed !== null) session.set(draftKey({ kind, sub }), typed)
  }
  removeDrafts((key) => !isOf(sub, key))
}

/**
 * Saves drafts across tabs before a sign-in: a mail's link opens another tab, and this one may be closed by then. Returns the id
 * to restore them with; null if nothing was typed.
 */
export function saveSignInDrafts(returnUrl: string): string | null {
  const typed = PUBLIC_KINDS.flatMap((kind) => {
    const key = draftKey({ kind, sub: null })
    return session.get(key) === null ? [] : [{ kind, key, draft: readObject(key) }]
  })
  if (typed.length === 0) return null
  const id =
    typed.map(({ key }) => savedDraftId(key)).find((one) => one !== null) ?? crypto.randomUUID()
  for (const { key, draft } of typed)
    session.set(key, JSON.stringify({ ...draft, carried: { id } }))
  const drafts = Object.fromEntries(typed.map(({ kind, draft }) => [kind, draft]))
  if (!isTaken(id)) writeSignInDraft(id, { at: Date.now(), returnUrl, drafts })
  return id
}

/** Restored in another tab already; this tab has its own copy. */
function isTaken(id: string) {
  const carried = findSignInDraft(id)
  return carried !== null && !carried.drafts
}

type Arrival = { arrivedWith: string | null; isRepeated?: boolean }
type Account = { sub: string; email?: string | undefined; email_verified?: boolean | undefined }

/**
 * Restores saved drafts for this account if this tab returns from that very sign-in, or if the confirmed address is the one
 * typed. Deletes those of other users. Returns the page of a draft that is not open yet.
 */
export function restoreSignInDrafts(
  account: Account,
  { arrivedWith, isRepeated }: Arrival,
): string | null {
  let left: string | null = null
  for (const [id, { drafts, ...carried }] of newestFirst()) {
    const typed = Object.entries(drafts ?? {})
    const isBack = id === arrivedWith
    if (!isBack && !typed.some(([, draft]) => isAddressOf(account, draft['email']))) {
      if (typed.length > 0) deleteSignInDrafts(id)
      continue
    }
    for (const [kind, draft] of typed) {
      const key = isPublic(kind) ? draftKey({ kind, sub: account.sub }) : null
      if (key !== null && session.get(key) === null)
        session.set(key, JSON.stringify({ ...draft, carried: { id } }))
    }
    // A second attempt means that another tab confirmed the address: it may return after this one.
    if (!(isBack && isRepeated)) writeSignInDraft(id, carried)
    if (!isBack) left = carried.returnUrl
  }
  return left
}

/** Newest first: of two drafts with the same address the older one was abandoned. */
const newestFirst = () => allSignInDrafts().toSorted(([, one], [, other]) => other.at - one.at)

const isAddressOf = ({ email, email_verified: isConfirmed }: Account, typed: unknown) =>
  isConfirmed === true &&
  typeof typed === 'string' &&
  email?.toLowerCase() === typed.trim().toLowerCase()

/** Marks the saved draft as sent, so that other tabs drop their copy. */
export function setSignInDraftSent(key: string | null) {
  const id = key === null ? null : savedDraftId(key)
  const carried = findSignInDraft(id)
  if (id !== null && carried)
    writeSignInDraft(id, { at: carried.at, returnUrl: carried.returnUrl, isSent: true })
}

export const isSentInOtherTab = (key: string) => findSignInDraft(savedDraftId(key))?.isSent === true

function savedDraftId(key: string): string | null {
  const id: unknown = Reflect.get(Object(readObject(key)['carried']), 'id')
  return typeof id === 'string' ? id : null
}

/** Migrates old drafts: reply and note shared one without an owner. Those ticked internal become notes of the signed-in user. */
export function migrateInternalDrafts(sub: string) {
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

/** On sign-out: another user may use this computer next. */
export function deleteDrafts() {
  removeDrafts(() => true)
  deleteSignInDrafts()
}

function removeDrafts(isRemoved: (key: string) => boolean) {
  for (const key of session.keys())
    if (PREFIXES.some((prefix) => key.startsWith(prefix)) && isRemoved(key)) session.remove(key)
}

/** With the records opened last, which belong to an account like drafts. */
const PREFIXES = [...Object.values(KINDS), STORAGE_KEYS.recentRecords].map((key) =>
  key.replace('*', ''),
)

/** Forms that can be filled in signed out. */
const PUBLIC_KINDS = ['contact', 'inquiry'] as const
const isPublic = (kind: string): kind is (typeof PUBLIC_KINDS)[number] =>
  PUBLIC_KINDS.some((one) => one === kind)

const isOf = (sub: string, key: string) =>
  PREFIXES.some((prefix) => key === prefix + sub || key.startsWith(`${prefix}${sub}:`))

function readObject(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(session.get(key) ?? '{}')) as Record<string, unknown>
  } catch {
    return {}
  }
}
