import { STORAGE_KEYS } from '@gatehouse/model'
import { session } from './storage.ts'

/** A model's path and an id, never a name: the server decides at each use what this person may still see. */
export type RecentRecord = { model: string; id: string }

const RECENT_MAX = 10

/** By account, so that drafts.ts deletes it at a sign-out and for another account. */
const keyOf = (sub: string) => STORAGE_KEYS.recentRecords.replace('*', sub)

/** Newest first. */
export function readRecent(sub: string): RecentRecord[] {
  try {
    const stored: unknown = JSON.parse(session.get(keyOf(sub)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent) : []
  } catch {
    return []
  }
}

export function addRecent(sub: string, { model, id }: RecentRecord) {
  const others = readRecent(sub).filter((one) => one.model !== model || one.id !== id)
  session.set(keyOf(sub), JSON.stringify([{ model, id }, ...others].slice(0, RECENT_MAX)))
}

const isRecent = (value: unknown): value is RecentRecord =>
  ['model', 'id'].every((name) => typeof Reflect.get(Object(value), name) === 'string')
