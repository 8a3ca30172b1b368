import { sql } from 'drizzle-orm'
import { writeAct } from '#engine/history/trace.ts'
import type { Account } from '#platform/identity/directory.ts'
import type { Job, Tools } from './job.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Removes accounts at the identity provider whose address nobody confirmed for a day and that nobody has used here: they keep
 * the address from its owner. Those from before confirming was a must stay. The queue holds their ids.
 */
export const expireAccounts: Job = {
  name: 'expire-accounts',
  pollMs: 3_600_000,
  retryLimit: 3,
  async find(tools) {
    const { directory } = tools
    if (!directory) return []
    const ids: string[] = []
    for await (const account of directory.unconfirmed())
      if (await isDue(account, tools)) ids.push(account.id)
    return ids
  },
  async run(id, tools) {
    const { db, directory } = tools
    const account = await directory?.find(id)
    if (!directory || !account || account.emailVerified || !(await isDue(account, tools))) return
    await directory.remove(id)
    await writeAct(db, {
      action: 'expire',
      entity: 'accounts',
      entityId: id,
      actor: { ref: null, kind: 'system' },
      requestId: crypto.randomUUID(),
    })
  },
}

async function isDue({ id, email, createdTimestamp: at }: Account, { db, directory }: Tools) {
  const begun = (await directory?.begunAt()) ?? Number.POSITIVE_INFINITY
  if (!email || at < begun || at > Date.now() - DAY_MS) return false
  const seen = await db.query(
    sql`select from accounts where sub = ${id} and last_seen_on is not null`,
  )
  return seen.length === 0
}
