import { sql } from 'drizzle-orm'
import type { Row } from '#db.ts'
import type { Changing } from './change.ts'
import { modelOf, tableOf } from './engine.ts'

/** Returns what the server decides about the change before it is written, as part of it. */
type BeforeUpdate = (changing: Changing, before: Row, after: Row) => Promise<Row>

/** What comes before a change, in its transaction. Models say which by name. */
export const beforeUpdate: Record<string, BeforeUpdate> = {
  /** Whoever a ticket was taken from is not written to about it any more, unless the address was changed as well. */
  async handOver(changing, before, after) {
    if (before['email'] !== after['email'] || !isHandedOver(before, after)) return {}
    return { email: await addressOf(changing, after['clientId']) }
  },
}

/** A ticket that nobody owns is its organisation's; one that had neither is only sorted in. */
const isHandedOver = (before: Row, after: Row) =>
  before['clientId'] !== after['clientId'] ||
  (before['clientId'] === null &&
    before['organisation'] !== null &&
    before['organisation'] !== after['organisation'])

async function addressOf({ engine, tx }: Changing, sub: unknown) {
  if (sub === null) return null
  const accounts = tableOf(engine, modelOf(engine, 'accounts'))
  const [account] = await tx.query(
    sql`select email from ${accounts} where sub = ${sub} and deleted_at is null`,
  )
  return account?.['email'] ?? null
}
