import { sql } from 'drizzle-orm'
import type { Row } from '#db.ts'
import { conflict } from '#errors.ts'
import { changeFields, type Changing } from './change.ts'
import { columnOf, modelOf, tableOf } from './engine.ts'

type AfterUpdate = (changing: Changing, before: Row, after: Row) => Promise<void>

/** What follows a change, in its transaction. Models say which by name. */
export const afterUpdate: Record<string, AfterUpdate> = {
  /** Approving is what links a contact to an account; nothing else ever does. Taking it back takes the link back. */
  async linkAccount(changing, before, after) {
    if (before['link'] === after['link']) return
    const contacts = { ...changing, model: modelOf(changing.engine, 'contacts') }
    if (after['link'] === 'approved') await link(contacts, after)
    else if (before['link'] === 'approved') await unlink(contacts, after)
  },
}

async function link(contacts: Changing, { sub, email, emailVerified }: Row) {
  if (emailVerified !== true)
    throw conflict('not-linkable', 'The address of this account has not been verified')
  const id = await contactWith(contacts, 'email', email)
  if (!id)
    throw conflict('not-linkable', 'There is no contact with this address that is not linked yet')
  await changeFields(contacts, id, { userSub: sub })
}

async function unlink(contacts: Changing, { sub }: Row) {
  const id = await contactWith(contacts, 'userSub', sub)
  if (id) await changeFields(contacts, id, { userSub: null })
}

/** Held until the transaction ends: whoever changes the address meanwhile waits for the link. */
async function contactWith(
  { engine, tx, model }: Changing,
  by: 'email' | 'userSub',
  value: unknown,
) {
  const table = tableOf(engine, model)
  const isIt =
    by === 'userSub'
      ? sql`${columnOf(table, 'userSub')} = ${value}`
      : sql`lower(${columnOf(table, 'email')}) = lower(${value}) and ${columnOf(table, 'userSub')} is null`
  const [row] = await tx.query(
    sql`select id from ${table} where ${isIt} and deleted_at is null for no key update`,
  )
  return row ? String(row['id']) : null
}
