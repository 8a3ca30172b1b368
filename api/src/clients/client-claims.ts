import { claims, type ClaimName } from '@gatehouse/model/models'
import { eq, isNull, sql } from 'drizzle-orm'
import type { SignedIn } from '#platform/http/auth.ts'
import {
  columnOf,
  modelOf,
  tableOf,
  type ClaimsQuery,
  type Engine,
  type Identity,
} from '#engine/engine.ts'
import { cachedStatement, deferred } from '#engine/query/statement-cache.ts'

export const identity: Identity = {
  claims,
  claimsOf: async (query) => toClaims(query, await resolveLink(query)),
  nameOf: (engine, sub) => {
    const accounts = tableAt(engine, 'accounts')
    return sql`(select account.name from ${accounts} account where account.sub = ${sub} and account.deleted_at is null)`
  },
}

export type Link = { contact: string; organisation: string | null; portalRole: string }

export function toClaims(
  { sub }: Pick<SignedIn, 'sub'>,
  link: Link | null,
): Partial<Record<ClaimName, string[]>> {
  const { contact, organisation, portalRole } = link ?? NO_LINK
  const isManager = portalRole === 'manager'
  const isMember = isManager || portalRole === 'viewer'
  const own = organisation === null ? [] : [organisation]
  return {
    account: [sub],
    contact: contact === null ? [] : [contact],
    organisation: own,
    member: isMember ? own : [],
    manager: isManager ? own : [],
  }
}

const NO_LINK = { contact: null, organisation: null, portalRole: null }

/**
 * An admin's decision about the account overrides the link of a restored or older contact. An organisation in the trash
 * counts as none: its contacts lose access until it is restored.
 */
export async function resolveLink({ engine, db, sub }: ClaimsQuery): Promise<Link | null> {
  const [row] = await db.query(
    cachedStatement(
      { engine, sub },
      { key: 'link', build: () => linkStatement(engine), isNamed: true },
    ),
  )
  return row ?? null
}

function linkStatement(engine: Engine) {
  const contacts = tableAt(engine, 'contacts')
  const organisations = tableAt(engine, 'organisations')
  const accounts = tableAt(engine, 'accounts')
  return sql<Link>`select ${columnOf(contacts, 'id')} as contact, ${columnOf(organisations, 'id')} as organisation,
      portal_role as "portalRole"
    from ${contacts} left join ${organisations}
      on ${eq(columnOf(organisations, 'id'), columnOf(contacts, 'organisation'))}
      and ${isNull(columnOf(organisations, 'deletedAt'))}
    where ${eq(columnOf(contacts, 'userSub'), SUB)} and active and ${isNull(columnOf(contacts, 'deletedAt'))}
      and not exists (select from ${accounts} where ${eq(columnOf(accounts, 'sub'), SUB)} and link <> 'approved'
        and ${isNull(columnOf(accounts, 'deletedAt'))})`
}

const SUB = deferred(({ sub }: { sub: string }) => sub)

const tableAt = (engine: Engine, path: string) => tableOf(engine, modelOf(engine, path))
