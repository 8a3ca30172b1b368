import { sql } from 'drizzle-orm'
import { subjectRefs } from './tables.ts'
import type { ReadContext } from '#engine/query/read.ts'

/** Somebody who did something. Who it was is for admins alone; everybody may know that it was themselves. */
export type NamedActor = { name: string | null; isYou: boolean }

/**
 * Whom references stand for, as far as the caller may know. An account that was deleted has no name, nor has somebody
 * who was erased.
 */
export async function actorNames({ engine, tx, caller }: ReadContext, refs: unknown[]) {
  const isAdmin = caller.level === 'admin'
  const name = isAdmin ? engine.identity.nameOf(engine, sql`known.sub`) : sql`null`
  const known = [...new Set(refs.filter((ref) => typeof ref === 'string'))]
  const rows = await tx.query(
    sql`select known.ref, known.sub, ${name} as name from ${subjectRefs} known
      where known.ref = any(${sql.param(known)}::uuid[])`,
    'prepared',
  )
  const people = new Map(rows.map(({ ref, sub, name }) => [ref, { sub, name }]))
  return (ref: unknown): NamedActor => ({
    name: toText(people.get(ref)?.name),
    isYou: caller.visitor !== null && people.get(ref)?.sub === caller.visitor.sub,
  })
}

const toText = (name: unknown) => (typeof name === 'string' ? name : null)
