import { canDo, type Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { isTooSlow } from '#platform/errors.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { callerOf, type Caller } from '#engine/caller.ts'
import type { Engine } from '#engine/engine.ts'
import { countRecords } from '#engine/query/list.ts'
import { readListQuery } from '#engine/query/list-query.ts'
import { countStatement, type ListRequest } from '#engine/query/list-statement.ts'
import { withDeferredClaims, cachedStatement, callerShape } from '#engine/query/statement-cache.ts'
import { COUNT_MAX, exceedsCapByEstimate, toTotal } from '#engine/query/totals.ts'
import { PUBLIC } from '#platform/http/access-level.ts'

const URL = '/api/models/counts'

/** Fallback limits, when the combined count is too slow. */
const SINGLE_COUNT_MAX = sql`set local statement_timeout = '250ms'`
const SINGLE_COUNTS_MS = 1_000

type Counting = { engine: Engine; shown: Model[]; caller: Caller }
type Total = ReturnType<typeof toTotal> | null

/** Record counts for the caller's menu, capped like a list's total. */
export function countRoutes(app: FastifyInstance, engine: Engine) {
  app.get(URL, { config: { needs: PUBLIC } }, async ({ visitor }) => {
    const caller = await callerOf(engine, visitor)
    const shown = engine.models.filter((model) => model.menu && canDo(model, 'list', visitor))
    const counting = { engine, shown, caller }
    const totals = (await countTogether(counting)) ?? (await countSingly(counting))
    return Object.fromEntries(shown.map((model, index) => [model.path, totals[index] ?? null]))
  })

  refuseOtherMethods(app, URL, ['GET'], 'GET')
}

/** One statement for all models not estimated above the cap; null if too slow. */
async function countTogether({ engine, shown, caller }: Counting): Promise<Total[] | null> {
  const requests = shown.map((model) => ({
    engine,
    model,
    caller,
    query: everythingOf({ engine, model, caller }),
  }))
  const counted = requests.filter((one) => !exceedsCapByEstimate(one))
  const paths = counted.map(({ model }) => model.path)
  const statement = cachedStatement(
    { engine, caller, at: new Date() },
    {
      key: JSON.stringify(['counts', callerShape(caller), paths]),
      build: () => countsStatement(counted),
      isNamed: true,
    },
  )
  const rows = paths.length === 0 ? [{}] : await nullIfSlow(engine.db.query(statement))
  return rows && shown.map(({ path }) => toTotal(rows[0]?.[path] ?? COUNT_MAX))
}

function countsStatement(lists: ListRequest[]) {
  const counts = lists.map((list) => {
    const count = countStatement({ ...list, caller: withDeferredClaims(list.caller) })
    return sql`(${count}) as ${sql.identifier(list.model.path)}`
  })
  return sql<Record<string, number>>`select ${sql.join(counts, sql`, `)}`
}
/** Slow counts are omitted: the menu must not wait for them. */
async function countSingly({ engine, shown, caller }: Counting): Promise<Total[]> {
  const deadline = performance.now() + SINGLE_COUNTS_MS
  const totals: Total[] = []
  for (const model of shown) {
    const count = () =>
      engine.db.transaction(async (tx) => {
        await tx.query(SINGLE_COUNT_MAX)
        return countRecords({ engine, tx, model, caller }, everythingOf({ engine, model, caller }))
      })
    totals.push(performance.now() < deadline ? await nullIfSlow(count()) : null)
  }
  return totals
}

const everythingOf = (list: { engine: Engine; model: Model; caller: Caller }) =>
  readListQuery({}, list)

const nullIfSlow = <T>(counting: Promise<T>) =>
  counting.catch((error: unknown) => {
    if (isTooSlow(error)) return null
    throw error
  })
