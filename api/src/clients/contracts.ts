import { contracts } from '@gatehouse/model/models'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { defineBehaviour } from '#engine/behaviour.ts'

export const contractBehaviour = defineBehaviour(contracts, {
  expressions: {
    status: (columns, { today }) =>
      sql`case when ${columns.startOn} > ${today} then 'draft'
        when ${isOver(columns, today)} then 'ended' else 'active' end`,
  },
})

type Ends = Record<'endOn' | 'terminatedOn' | 'autoRenew', SQLWrapper>

/** Whether a contract has ended; never null. One with automatic renewal ends only when terminated. */
export const isOver = ({ endOn, terminatedOn, autoRenew }: Ends, today: SQL) =>
  sql`coalesce(least(case when ${autoRenew} then null else ${endOn} end, ${terminatedOn}) < ${today}, false)`
