import { getTableName, sql, type SQL } from 'drizzle-orm'
import type { Table } from '#engine/build-tables.ts'

/** Hits read unsorted before the sorted scan; fewer are all there are (docs/decisions/53-rare-words-first.md). */
const HITS_MAX = sql.raw('1000')

/** The CTE `hits`: rows of the table, found by index, whoever may see them. */
export const hitsOf = (table: Table, condition: SQL) =>
  sql`hits as materialized (select ${table}.* from ${table} where ${condition} limit ${HITS_MAX})`

/** A CTE under the table's name, so that columns and conditions of the table apply to it. */
export const underNameOf = (table: Table, cte: 'hits' | 'exact') =>
  sql`${sql.identifier(cte)} ${sql.identifier(getTableName(table))}`

/** `rare` if the hits are complete, otherwise `common`; PostgreSQL executes only one of them. */
export const byHits = <R>(rare: SQL<R>, common: SQL<R>) =>
  sql<R>`select * from (${rare}) rare where ${HITS_ARE_COMPLETE} union all select * from (${common}) common where not ${HITS_ARE_COMPLETE}`

const HITS_ARE_COMPLETE = sql`(select count(*) < ${HITS_MAX} from hits)`
