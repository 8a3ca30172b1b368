import { contracts, incidents, organisations, services, tickets } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { defineBehaviour } from './behaviour.ts'

/** Code that must not compile. Checked by `npx tsc -p .`; nothing here runs. */

// @ts-expect-error the model declares notifyBy
defineBehaviour(incidents, {})
// @ts-expect-error the model declares relationship
defineBehaviour(organisations, { expressions: {} })
// @ts-expect-error the model declares four actions
defineBehaviour(tickets, { computed: { dueAt: () => null, closedAt: () => null } })
// @ts-expect-error the model declares no computed field
defineBehaviour(services, { computed: { price: () => 1 } })
// @ts-expect-error a day is not a number
defineBehaviour(incidents, { computed: { notifyBy: () => 7 } })

defineBehaviour(services, {
  before: {
    // @ts-expect-error there is no such field
    create: () => ({ colour: 'red' }),
    // @ts-expect-error undo restores values: its hook returns none
    undo: () => ({ name: 'x' }),
  },
})

defineBehaviour(contracts, {
  expressions: { status: ({ startOn }) => sql`${startOn}` },
  // @ts-expect-error there is no such field
  validate: () => [{ field: 'colour', message: 'x' }],
  before: {
    // @ts-expect-error a field computed in SQL has no column
    update: ({ record }) => ({ reference: record.status }),
  },
  after: {
    async update({ record, previous, records, mail }) {
      // @ts-expect-error no such value
      await records(tickets).update(record.id, { status: 'Done' })
      // @ts-expect-error no such field
      await records(tickets).findBy('colour', 'red')
      // @ts-expect-error a contract has an organisation
      const noOrganisation: null = previous.organisation
      // @ts-expect-error the behaviour declares no mails
      await mail('ticket-opened', null, { ticketId: noOrganisation })
    },
  },
})
