import { isStaff, type Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { tableName } from '#engine/table-names.ts'
import { perEngine, type Engine } from '#engine/engine.ts'
import type { Caller } from '#engine/caller.ts'
import type { ListQuery } from './list-query.ts'

/** Totals are capped here; shown as "1,000+". */
const TOTAL_CAP = 1_000

/** Rows counted at most; one more than the cap shows that it is exceeded. */
export const COUNT_MAX = TOTAL_CAP + 1

export const toTotal = (count: number) =>
  count <= TOTAL_CAP ? { count, exact: true } : { count: TOTAL_CAP, exact: false }

/** Estimates are rough: counting is skipped only far above the cap. */
const ESTIMATE_MIN = 5 * TOTAL_CAP

type Counting = { engine: Engine; model: Model; caller: Caller; query: ListQuery }

/** Whether the estimate alone exceeds the cap; only for unfiltered lists of staff. */
export const exceedsCapByEstimate = ({ engine, model, caller, query }: Counting) =>
  query.total === 'capped' &&
  query.rows === 'live' &&
  query.filter === null &&
  query.search === null &&
  isStaff(caller.level) &&
  estimatedRows(engine, model) > ESTIMATE_MIN

const ESTIMATES_AGE_MS = 60_000

type Estimates = { refreshedAt: number; rows: Map<string, number> }
const estimatesOf = perEngine((): Estimates => ({ refreshedAt: -Infinity, rows: new Map() }))

/** Planner's row estimate of the live index, refreshed in the background. */
function estimatedRows(engine: Engine, model: Model) {
  const estimates = estimatesOf(engine)
  if (performance.now() - estimates.refreshedAt > ESTIMATES_AGE_MS) {
    estimates.refreshedAt = performance.now()
    void refresh(engine, estimates).catch(() => {})
  }
  return estimates.rows.get(liveIndexOf(model)) ?? 0
}

async function refresh(engine: Engine, estimates: Estimates) {
  const names = engine.models.map(liveIndexOf)
  const rows = await engine.db.query(
    sql<{ name: string; rows: number }>`select relname as name, reltuples as rows from pg_class
      where relname = any(${sql.param(names)}) and relnamespace = 'public'::regnamespace`,
  )
  estimates.rows = new Map(rows.map(({ name, rows }) => [name, rows]))
}

/** Exists for models sorted newest first; others have no estimate and are counted. */
const liveIndexOf = (model: Model) => `${tableName(model)}_live`
