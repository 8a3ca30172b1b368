import type { Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { isTooSlow } from '#platform/errors.ts'
import type { Runner } from '#platform/db.ts'
import type { Caller } from '#engine/caller.ts'
import type { Engine } from '#engine/engine.ts'
import { readListQuery } from './list-query.ts'
import { cachedListStatement } from './list-statement.ts'
import { searchStatement, type SearchRow } from './search-statement.ts'
import { comparedFields } from './search-term.ts'

export const RESULTS_MAX = 8
/** Records of one model, while others have some. */
const SHARE_MAX = 3
const MODEL_TIMEOUT = sql`set local statement_timeout = '150ms'`

type Search = { engine: Engine; models: Model[]; caller: Caller; term: string }

/** A model's part of a search: the fields compared, and the rows, null if it was too slow. */
export type ModelSearch = { model: Model; compared: string[]; rows: SearchRow[] | null }

/** One transaction, because its timeout is; a model that exceeds it ends it, and the next model begins another. */
export async function searchModels(search: Search): Promise<ModelSearch[]> {
  const { engine, caller, term } = search
  const planned = search.models.flatMap((model) => {
    const compared = comparedFields({ engine, model, caller }, term)
    const names = Object.values(compared).flat()
    return names.length > 0 ? [{ model, compared, names }] : []
  })
  const found = new Map<Model, SearchRow[] | null>()
  const left = () => planned.filter(({ model }) => !found.has(model))
  while (left().length > 0)
    await engine.db
      .transaction(async (tx) => {
        await tx.query(MODEL_TIMEOUT)
        for (const { model, compared } of left())
          found.set(model, await searchModel(tx, { ...search, model }, compared))
      })
      .catch((error: unknown) => {
        const [slow] = left()
        if (!slow || !isTooSlow(error)) throw error
        found.set(slow.model, null)
      })
  return planned.map(({ model, names }) => ({
    model,
    compared: names,
    rows: found.get(model) ?? null,
  }))
}

async function searchModel(
  tx: Runner,
  { engine, model, caller, term }: Search & { model: Model },
  compared: ReturnType<typeof comparedFields>,
) {
  const list = { ...readListQuery({}, { engine, model, caller }), limit: RESULTS_MAX }
  const request = {
    engine,
    model,
    caller,
    query: { ...list, search: term, total: 'none' as const },
  }
  const counts = Object.values(compared).map(({ length }) => length)
  const kind = `search ${counts.join()}`
  return tx.query(cachedListStatement(kind, request, (one) => searchStatement(one, compared)))
}

export type SearchResult = { model: Model; record: SearchRow }

/** Up to eight records: exact matches first, then by model. A model gets more than its share only if others have none left. */
export function chooseResults(searches: ModelSearch[]): SearchResult[] {
  const candidates = searches.flatMap(({ model, rows }, place) =>
    distinct(rows ?? []).map((record, index) => ({
      model,
      record,
      place,
      rank: index < SHARE_MAX ? Number(!record.$isExact) : SHARE_MAX,
    })),
  )
  return candidates
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, RESULTS_MAX)
    .toSorted((a, b) => Number(b.record.$isExact) - Number(a.record.$isExact) || a.place - b.place)
}

/** An exact match is usually a hit too; the first counts. */
const distinct = (rows: SearchRow[]) =>
  rows.filter((row, place) => rows.findIndex(({ id }) => id === row.id) === place)
