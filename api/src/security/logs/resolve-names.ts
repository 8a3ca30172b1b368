import type { Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { subjectRefs } from '#engine/history/history-tables.ts'
import { columnOf, tableOf, type Engine } from '#engine/engine.ts'

/** An account in a log. The name is null once the account is deleted; its reference then identifies no account. */
export type Person = { ref: string; name: string | null; isYou: boolean }

/** A record in a log; `label` is null once the record is purged. */
export type RecordRef = { model: string; id: string | null; label: string | null }

/** Name of an account that exists only at the provider, such as the target of guessed sign-ins. */
const UNSEEN = 'Someone new to this site'

type Ref = string | null
type Known = { ref: string; sub: string; name: string | null }

export async function accountNames(engine: Engine, you: string, refs: Ref[]) {
  const asked = [...new Set(refs.filter((ref) => ref !== null))]
  const rows = await engine.db.query(
    sql<Known>`select ref, sub, ${engine.identity.nameOf(engine, sql`known.sub`)} as name
      from ${subjectRefs} known where ref = any(${sql.param(asked)}::uuid[])`,
    'prepared',
  )
  const known = new Map(rows.map((row) => [row.ref, row]))
  return (ref: Ref): Person | null => {
    if (ref === null) return null
    const found = known.get(ref)
    return { ref, name: found ? (found.name ?? UNSEEN) : null, isYou: found?.sub === you }
  }
}

/** The reference that the filter selects; null matches no rows. */
export async function refOf({ db, tables }: Engine, you: string, person: string) {
  const accounts = tables.get('accounts')
  const isMeant =
    person === 'me'
      ? sql`sub = ${you}`
      : accounts
        ? sql`ref = ${person} or sub = (select ${columnOf(accounts, 'sub')} from ${accounts} where id = ${person})`
        : sql`ref = ${person}`
  const [row] = await db.query(
    sql<{ ref: string }>`select ref from ${subjectRefs} where ${isMeant}`,
  )
  return row?.ref ?? null
}

/** Labels of records, including the trash: only owners read the logs, and they may see all records. */
export async function labelsOf(engine: Engine, places: { model: string | null; id: Ref }[]) {
  const labels = new Map<string, string>()
  const inModels = Map.groupBy(places, ({ model }) => model)
  for (const [path, found] of inModels) {
    const model = engine.models.find((one) => one.path === path)
    const ids = [...new Set(found.flatMap(({ id }) => (id === null ? [] : [id])))]
    if (!model || ids.length === 0) continue
    for (const [id, label] of await labelsIn(engine, model, ids)) labels.set(id, label)
  }
  return (model: string | null, id: Ref): RecordRef | null =>
    model === null ? null : { model, id, label: id === null ? null : (labels.get(id) ?? null) }
}

async function labelsIn(engine: Engine, model: Model, ids: string[]) {
  const table = tableOf(engine, model)
  const rows = await engine.db.query(
    sql<{ id: string; label: string | null }>`
      select id, ${columnOf(table, model.displayField)}::text as label from ${table}
      where id = any(${sql.param(ids)}::uuid[])`,
  )
  return rows.map(({ id, label }) => [id, label ?? ''] as const)
}
