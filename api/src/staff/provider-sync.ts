import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { fullNameOf } from '#platform/identity/directory.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import { runInOperation } from '#engine/operations/transaction.ts'

type StoredLevel = { sub: string; staff: string }

/**
 * Syncs staff levels from the identity provider: its console may grant roles to accounts that never signed in here. Our service
 * account may not list a role's members, so it reads the roles of all accounts.
 */
export const buildStaffSync = (engine: Engine) => ({
  async due() {
    const { directory } = engine
    if (!directory) return []
    const rows = await engine.db.query(
      sql<StoredLevel>`select sub, staff from ${tableOf(engine, modelOf(engine, 'accounts'))}
        where sub is not null and deleted_at is null`,
    )
    const levels = new Map(rows.map(({ sub, staff }) => [sub, staff]))
    const ids: string[] = []
    for await (const { id } of directory.all())
      if ((await directory.levelOf(id)) !== (levels.get(id) ?? 'none')) ids.push(id)
    return ids
  },

  /** `isNews`: the provider's log reported the change; otherwise the account was staff already, and no event is recorded. */
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
