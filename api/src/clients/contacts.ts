import { contacts, tickets } from '@gatehouse/model/models'
import { defineBehaviour } from '#engine/behaviour.ts'

export const contactBehaviour = defineBehaviour(contacts, {
  after: {
    /** Tickets aren't checked again when only their contact's organisation changes. */
    async update({ record: { id, organisation }, previous, records }) {
      if (organisation === previous.organisation) return
      const all = await records(tickets).find({
        all: [
          ['contact', 'eq', id],
          ['organisation', 'empty', false],
        ],
      })
      for (const ticket of all) {
        const contactDiffers = organisation !== null && organisation !== ticket.organisation
        if ((ticket.contactDiffers ?? false) !== contactDiffers)
          await records(tickets).update(ticket.id, { contactDiffers })
      }
    },
  },
})
