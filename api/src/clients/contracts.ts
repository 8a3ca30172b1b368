import { contracts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { defineBehaviour } from '#engine/behaviour.ts'

export const contractBehaviour = defineBehaviour(contracts, {
  expressions: {
    status: ({ startOn, endOn, terminatedOn }, { today }) =>
      sql`case when ${startOn} > ${today} then 'draft'
        when ${endOn} < ${today} or ${terminatedOn} < ${today} then 'ended' else 'active' end`,
  },
})
