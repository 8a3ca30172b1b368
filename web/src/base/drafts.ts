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
  forget((key) => !isOf(sub, key))
}

/**
 * Before leaving to sign in: the link in a mail opens another tab, and this one may be closed by then. Returns the id to come
 * back with; null without anything typed.
 */
export function saveSignInDrafts(returnUrl: string): string | null {
  const typed = PUBLIC_KINDS.flatMap((kind) => {
    const key = draftKey({ kind, sub: null })
    return session.get(key) === null ? [] : [{ kind, key, draft: readObject(key) }]
  })
  if (typed.length === 0) return null
  const id =
    typed.map(({ key }) => carriedId(key)).find((one) => one !== null) ?? crypto.randomUUID()
  for (const { key, draft } of typed)
    session.set(key, JSON.stringify({ ...draft, carried: { id } }))
  const drafts = Object.fromEntries(typed.map(({ kind, draft }) => [kind, draft]))
  if (!isTaken(id)) writeSignInDraft(id, { at: Date.now(), returnUrl, drafts })
  return id
}

/** Another tab already has it, and this one has its own. */
function isTaken(id: string) {
  const carried = findSignInDraft(id)
  return carried !== null && !carried.drafts
}

type Arrival = { arrivedWith: string | null; isRepeated?: boolean }
type Account = { sub: string; email?: string | undefined; email_verified?: boolean | undefined }

/**
 * On sign-in: what was carried becomes this account's draft if this tab comes back from that very sign-in, or the confirmed
 * address is the one typed. What anyone else carried is dropped. Returns the page of a draft that nothing leads to yet.
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
    // A second try means that another tab confirmed the address: it may come back later than this one.
    if (!(isBack && isRepeated)) writeSignInDraft(id, carried)
    if (!isBack) left = carried.returnUrl
  }
  return left
}

/** Of two messages typed for one address, the abandoned one must not come back in place of the last. */
const newestFirst = () => allSignInDrafts().toSorted(([, one], [, other]) => other.at - one.at)

const isAddressOf = ({ email, email_verified: isConfirmed }: Account, typed: unknown) =>
  isConfirmed === true &&
  typeof typed === 'string' &&
  email?.toLowerCase() === typed.trim().toLowerCase()

/** Sent from here: the same draft in another tab goes. */
export function setSignInDraftSent(key: string | null) {
  const id = key === null ? null : carriedId(key)
  const carried = findSignInDraft(id)
  if (id !== null && carried)
    writeSignInDraft(id, { at: carried.at, returnUrl: carried.returnUrl, isSent: true })
}

/** Whether this draft was carried to another tab too, and sent from there. */
export const isSentInOtherTab = (key: string) => findSignInDraft(carriedId(key))?.isSent === true

function carriedId(key: string): string | null {
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

/** On sign-out: the next person at this computer may be someone else. */
export function deleteDrafts() {
  forget(() => true)
  deleteSignInDrafts()
}

function forget(isMeant: (key: string) => boolean) {
  for (const key of session.keys())
    if (PREFIXES.some((prefix) => key.startsWith(prefix)) && isMeant(key)) session.remove(key)
}

const PREFIXES = Object.values(KINDS).map((key) => key.replace('*', ''))

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
