import { contracts, organisations } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { defineBehaviour } from '#engine/behaviour.ts'

export const organisationBehaviour = defineBehaviour(organisations, {
  expressions: {
    /** From all its contracts, not only visible ones. Without GROUP BY, one without contracts would be a former client. */
    relationship: ({ id }, { today, table }) => {
      const { organisation, endOn, terminatedOn, deletedAt } = table(contracts)
      return sql`coalesce((
        select case when bool_or(coalesce(least(${endOn}, ${terminatedOn}), 'infinity') >= ${today})
          then 'client' else 'former' end
        from ${table(contracts)} where ${organisation} = ${id} and ${deletedAt} is null group by ${organisation}
      ), 'prospect')`
    },
  },
})
