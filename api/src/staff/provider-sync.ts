import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { fullNameOf } from '#platform/identity/directory.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import { runInOperation } from '#engine/operations/transaction.ts'

type Known = { sub: string; staff: string }

/**
 * Who is staff, as the identity provider says: roles may be given in its console, and staff need not have signed in here. Our
 * account may not list a role's members, so it reads everyone's roles.
 */
export const buildStaffSync = (engine: Engine) => ({
  /** Accounts whose level our records don't know. */
  async due() {
    const { directory } = engine
    if (!directory) return []
    const rows = await engine.db.query(
      sql<Known>`select sub, staff from ${tableOf(engine, modelOf(engine, 'accounts'))}
        where sub is not null and deleted_at is null`,
    )
    const known = new Map(rows.map(({ sub, staff }) => [sub, staff]))
    const ids: string[] = []
    for await (const { id } of directory.all())
      if ((await directory.levelOf(id)) !== (known.get(id) ?? 'none')) ids.push(id)
    return ids
  },

  /** `isNews`: the provider's log has just said so. Someone else we learn of was staff before we looked. */
  async syncAccount(sub: string, { isNews = false } = {}) {
    const account = await engine.directory?.find(sub)
    if (!account || !engine.directory) return
    const staff = await engine.directory.levelOf(sub)
    const { email = null, emailVerified } = account
    const name = fullNameOf(account)
    const request = { visitor: null, id: crypto.randomUUID() }
    const actor = { ref: null, kind: 'system' } as const
    await runInOperation({ engine, request, actor, model: accounts }, async ({ records, tx }) => {
      const row = await records.findBy('sub', sub, { lock: true })
      if (row) await records.update(row.id, { staff })
      else if (staff !== 'none')
        await records.createIfAbsent({ sub, email, emailVerified, name, staff })
      if (isNews && (row?.staff ?? null) === null && staff !== 'none')
        await recordSecurityEvents(tx, [{ kind: 'role-granted', outcome: staff, about: { sub } }])
    })
  },
})
