import { contracts, incidents, organisations, services, tickets } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { defineBehaviour } from './behaviour.ts'

/** What must not compile. Checked by `npx tsc -p .`; nothing here runs. */

// @ts-expect-error the model promises notifyBy
defineBehaviour(incidents, {})
// @ts-expect-error the model promises relationship
defineBehaviour(organisations, { expressions: {} })
// @ts-expect-error the model promises four actions
defineBehaviour(tickets, { computed: { dueAt: () => null, closedAt: () => null } })
// @ts-expect-error there is nothing to compute
defineBehaviour(services, { computed: { price: () => 1 } })
// @ts-expect-error a day is no number
defineBehaviour(incidents, { computed: { notifyBy: () => 7 } })

defineBehaviour(services, {
  before: {
    // @ts-expect-error there is no such field
    create: () => ({ colour: 'red' }),
    // @ts-expect-error undoing puts values back: nothing is decided
    undo: () => ({ name: 'x' }),
  },
})

defineBehaviour(contracts, {
  expressions: { status: ({ startOn }) => sql`${startOn}` },
  // @ts-expect-error there is no such field
  validate: () => [{ field: 'colour', message: 'x' }],
  before: {
    // @ts-expect-error what is computed in SQL has no column
    update: ({ record }) => ({ reference: record.status }),
  },
  after: {
    async update({ record, previous, records, mail }) {
      // @ts-expect-error no such value
      await records(tickets).update(record.id, { status: 'Done' })
      // @ts-expect-error no such field
      await records(tickets).findBy('colour', 'red')
      // @ts-expect-error a contract has an organisation
      const nobody: null = previous.organisation
      // @ts-expect-error it declares no mails
      await mail('ticket-opened', null, { ticketId: nobody })
    },
  },
})
