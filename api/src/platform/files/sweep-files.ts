import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Runner } from '#platform/db.ts'
import { claimDue, deleteRow, findKnown } from './file-rows.ts'
import { idOf, keysOf, type FileStore } from './store.ts'

const BATCH = 100
const DAY_MS = 86_400_000

type Parts = { db: Runner; store: FileStore; incoming: string; removedDays: number }

/** Deletes what nobody attached, and what left its record. The row goes last: a killed sweep is continued an hour later. */
export function buildFileSweep({ db, store, incoming, removedDays }: Parts) {
  async function sweepOne(id: string) {
    await rm(join(incoming, id), { force: true })
    for (const key of keysOf(id)) await store.remove(key)
    await deleteRow(db, id)
  }

  return async function sweep() {
    let claimed = BATCH
    while (claimed === BATCH) {
      const ids = await claimDue(db, BATCH, removedDays)
      for (const id of ids) await sweepOne(id)
      claimed = ids.length
    }
  }
}

/**
 * Deletes bytes without a row, as a database restored to an earlier moment leaves them, once they are as old as a removed file may
 * be: until then the same moment can be left again. What is none of ours is left alone.
 */
export function buildStraySweep({ db, store, incoming, removedDays }: Parts) {
  async function removeStrays(batch: { key: string; id: string }[]) {
    const known = await findKnown(
      db,
      batch.map(({ id }) => id),
    )
    for (const { key, id } of batch) if (!known.has(id)) await store.remove(key)
  }

  /** What a killed process left. An upload never takes a day. */
  async function removeUnfinished(now: number) {
    for (const name of await readdir(incoming).catch(() => [])) {
      const path = join(incoming, name)
      const found = await stat(path).catch(() => null)
      if (found && now - found.mtimeMs > DAY_MS) await rm(path, { force: true })
    }
  }

  return async function sweep(now = Date.now()) {
    await removeUnfinished(now)
    let batch: { key: string; id: string }[] = []
    for await (const { key, changedAt } of store.list()) {
      const id = idOf(key)
      if (id === null || now - changedAt.getTime() < removedDays * DAY_MS) continue
      batch.push({ key, id })
      if (batch.length === BATCH) {
        await removeStrays(batch)
        batch = []
      }
    }
    if (batch.length > 0) await removeStrays(batch)
  }
}
