import { contracts, organisations } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { defineBehaviour } from '#engine/behaviour.ts'
import { isOver } from './contracts.ts'

export const organisationBehaviour = defineBehaviour(organisations, {
  expressions: {
    /** Reads all contracts, not only visible ones. Without GROUP BY, no contracts would mean a former client. */
    relationship: ({ id }, { today, table }) => {
      const columns = table(contracts)
      return sql`coalesce((
        select case when bool_and(${isOver(columns, today)}) then 'former' else 'client' end
        from ${columns} where ${columns.organisation} = ${id} and ${columns.deletedAt} is null
        group by ${columns.organisation}
      ), 'prospect')`
    },
  },
})
