import { tickets } from '@gatehouse/model/models'
import { sql, type SQL } from 'drizzle-orm'
import type { Engine } from '#engine/engine.ts'
import { runInOperation } from '#engine/operations/transaction.ts'

const BATCH_MAX = 200

type Match = { id: string; sub: string; name: string | null }

/**
 * Backfills owners of tickets that staff opened for a contact before owners were derived from contacts. Only if the ticket's
 * address is the account's verified one, so that the reader is who gets the replies. Sends no mail.
 */
export const buildAssigning = (engine: Engine) => ({
  async due() {
    const found = await engine.db.query(matching(sql`limit ${BATCH_MAX}`))
    return found.map(({ id }) => id)
  },

  async assign(ticketId: string) {
    const request = { visitor: null, id: crypto.randomUUID() }
    const actor = { ref: null, kind: 'system' } as const
    await runInOperation({ engine, request, actor, model: tickets }, async ({ records, tx }) => {
      // Locked, so that a concurrent decline waits and then finds this ticket.
      const [match] = await tx.query(
        matching(sql`and t.id = ${ticketId} for no key update of t, c`),
      )
      if (!match) return
      const { id, sub, name } = match
      await records.update(id, { clientId: sub, clientName: name, clientVia: 'contact' })
    })
  },
})

/** The first conditions match those of the worklist `unassigned`. */
const matching = (rest: SQL) =>
  sql<Match>`select t.id, a.sub, a.name from tickets t
    join contacts c on c.id = t.contact and c.active and c.deleted_at is null
    join accounts a on a.sub = c.user_sub and a.link = 'approved' and a.email_verified and a.deleted_at is null
    where t.deleted_at is null and t.client_id is null and t.client_via is null and t.contact is not null
      and t.restricted_at is null and lower(t.email) = lower(a.email)
      and (t.organisation is null or c.organisation is null or t.organisation = c.organisation)
      ${rest}`
