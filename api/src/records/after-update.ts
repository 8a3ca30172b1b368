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
    await unlink(contacts, after)
    if (after['link'] === 'approved') await link(contacts, after)
  },
}

async function link(contacts: Changing, { sub, email, emailVerified }: Row) {
  if (emailVerified !== true)
    throw conflict('not-linkable', 'The address of this account has not been verified')
  const { engine, tx, model } = contacts
  const table = tableOf(engine, model)
  // Held until the transaction ends: whoever changes the address meanwhile waits for the link.
  const [contact] = await tx.query(
    sql`select id from ${table} where lower(${columnOf(table, 'email')}) = lower(${email})
      and ${columnOf(table, 'userSub')} is null and deleted_at is null for no key update`,
  )
  if (!contact)
    throw conflict('not-linkable', 'There is no contact with this address that is not linked yet')
  await changeFields(contacts, String(contact['id']), { userSub: sub })
}

/** Those in the trash too: they come back. */
async function unlink(contacts: Changing, { sub }: Row) {
  const table = tableOf(contacts.engine, contacts.model)
  const linked = await contacts.tx.query(
    sql`select id from ${table} where ${columnOf(table, 'userSub')} = ${sub} order by id for no key update`,
  )
  for (const { id } of linked)
    await changeFields({ ...contacts, rows: 'any' }, String(id), { userSub: null })
}
