import { sql } from 'drizzle-orm'
import { subjectRefs } from './tables.ts'
import type { ReadContext } from '#engine/query/read.ts'

/** Who did something. The name is visible to admins only; everyone may know that it was themselves. */
export type NamedActor = { name: string | null; isYou: boolean }

/**
 * Resolves actor references, as far as the caller may know. Deleted accounts and erased people have no name.
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
