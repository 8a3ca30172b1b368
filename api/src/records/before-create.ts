import type { Row } from '#db.ts'
import { createUnlessTaken, findLocked, type Changing } from './change.ts'
import { modelOf } from './engine.ts'

/** Returns what the server decides about the record before it is made. */
type BeforeCreate = (changing: Changing, body: Row) => Promise<Row>

/** What comes before a creation, in its transaction. Models say which by name. */
export const beforeCreate: Record<string, BeforeCreate> = {
  /**
   * An address nobody has makes a contact; a known one proves nothing about who writes, so an admin decides. The answer
   * does not tell the two apart: nobody but admins sees the new contact.
   */
  async findSender(changing, { fullName, email }) {
    const { caller, engine } = changing
    if (caller.level === 'admin' || caller.link) return {}
    const model = modelOf(engine, 'contacts')
    const made = await createUnlessTaken({ ...changing, model }, { fullName, email })
    return made ? { contact: made.id } : {}
  },

  /** Held from the start: two answers that first share the ticket and then both want to change it would wait forever. */
  async holdTicket(changing, { ticket }) {
    await findLocked({ ...changing, model: modelOf(changing.engine, 'tickets') }, String(ticket))
    return {}
  },
}
