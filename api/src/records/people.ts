import { sql } from 'drizzle-orm'
import { subjectRefs } from '#table.ts'
import { modelOf, tableOf } from './engine.ts'
import type { Reading } from './read.ts'

/** Somebody who did something. Who it was is for admins alone; everybody may know that it was themselves. */
export type Somebody = { name: string | null; isYou: boolean }

/**
 * Whom references stand for, as far as the caller may know. An account that was deleted has no name, nor has somebody
 * who was erased.
 */
export async function peopleOf({ engine, tx, caller }: Reading, refs: unknown[]) {
  const accounts = tableOf(engine, modelOf(engine, 'accounts'))
  const known = [...new Set(refs.filter((ref) => typeof ref === 'string'))]
  const rows = await tx.query(
    sql`select known.ref, known.sub, account.name from ${subjectRefs} known
      left join ${accounts} account on account.sub = known.sub and account.deleted_at is null
      where known.ref = any(${sql.param(known)}::uuid[])`,
    'prepared',
  )
  const people = new Map(rows.map(({ ref, sub, name }) => [ref, { sub, name }]))
  return (ref: unknown): Somebody => ({
    name: caller.level === 'admin' ? toText(people.get(ref)?.name) : null,
    isYou: caller.visitor !== null && people.get(ref)?.sub === caller.visitor.sub,
  })
}

const toText = (name: unknown) => (typeof name === 'string' ? name : null)
