import { STORAGE_KEYS } from '@gatehouse/model'
import { local } from './storage.ts'

const PREFIX = STORAGE_KEYS.carriedDraft.replace('*', '')
const TERM_MS = 3_600_000

/** Drafts saved before leaving to sign in or register, by kind of form. Without `drafts`: restored, and maybe sent. */
export type SignInDraft = {
  at: number
  /** The page it was typed on. */
  returnUrl: string
  drafts?: Record<string, Record<string, unknown>>
  isSent?: true
}

/** All unexpired drafts by id; removes the expired ones. */
export function allSignInDrafts(now = Date.now()): [id: string, carried: SignInDraft][] {
  const ids = local
    .keys()
    .flatMap((key) => (key.startsWith(PREFIX) ? [key.slice(PREFIX.length)] : []))
  return ids.flatMap((id) => {
    const found = parse(local.get(PREFIX + id))
    if (found && now - found.at < TERM_MS) return [[id, found]]
    local.remove(PREFIX + id)
    return []
  })
}

export const findSignInDraft = (id: string | null) =>
  allSignInDrafts().find(([one]) => one === id)?.[1] ?? null

export const writeSignInDraft = (id: string, carried: SignInDraft) =>
  local.set(PREFIX + id, JSON.stringify(carried))

export const deleteSignInDrafts = (id?: string) => {
  for (const [one] of allSignInDrafts())
    if (id === undefined || one === id) local.remove(PREFIX + one)
}

/** Calls back when another tab changes a draft. */
export function watchSignInDrafts(onChange: () => void) {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(PREFIX)) onChange()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Ignores content in an unknown format. */
function parse(text: string | null): SignInDraft | null {
  try {
    const found = Object(JSON.parse(text ?? 'null')) as Partial<SignInDraft>
    return typeof found.at === 'number' && typeof found.returnUrl === 'string'
      ? { ...found, at: found.at, returnUrl: found.returnUrl }
      : null
  } catch {
    return null
  }
}
