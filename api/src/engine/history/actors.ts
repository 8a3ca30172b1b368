import { isStaff } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { subjectRefs } from './history-tables.ts'
import type { ReadContext } from '#engine/query/get-record.ts'

/** The name is visible to admins only; every caller recognises their own actions. */
export type NamedActor = { name: string | null; isYou: boolean }

type AccountRow = { ref: string; sub: string; name: string | null }

/** Null for anonymous callers and the system. */
type Ref = string | null

/**
 * Resolves actor references to the names the caller may see. Deleted and erased accounts have no name.
 */
export async function actorNames({ engine, tx, caller }: ReadContext, refs: Ref[]) {
  const isAdmin = isStaff(caller.level)
  const name = isAdmin ? engine.identity.nameOf(engine, sql`known.sub`) : sql`null`
  const signedIn = [...new Set(refs.filter((ref) => ref !== null))]
  const rows = await tx.query(
    sql<AccountRow>`select known.ref, known.sub, ${name} as name from ${subjectRefs} known
      where known.ref = any(${sql.param(signedIn)}::uuid[])`,
    'prepared',
  )
  const accounts = new Map<Ref, AccountRow>(rows.map((row) => [row.ref, row]))
  return (ref: Ref): NamedActor => ({
    name: accounts.get(ref)?.name ?? null,
    isYou: caller.visitor !== null && accounts.get(ref)?.sub === caller.visitor.sub,
  })
}
