import { canDo, fieldOf, levelOf, type Access, type Model, type SiteConfig } from '@gatehouse/model'
import { eq, isNull, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { SignedIn } from '#auth.ts'
import type { Db, Runner } from '#db.ts'
import type { Site } from '#site.ts'
import { buildTables, type Table } from '#table.ts'

/** What every record function works with. */
export type Engine = {
  db: Db
  site: Site
  /** Where the people who answer are written to. */
  desk: Pick<SiteConfig['owner'], 'email' | 'alertEmail'>
  models: Model[]
  tables: Map<string, Table>
}

/** The contact an account was linked to by an admin, and through it an organisation. */
type Link = { contact: string; organisation: string | null; portalRole: string }

/** A visitor, and what decides which rows are theirs. */
export type Caller = { visitor: SignedIn | null; level: Access; link: Link | null }

/** Sees everything, is nobody. */
export const SERVER: Caller = { visitor: null, level: 'admin', link: null }

export const buildEngine = (parts: Omit<Engine, 'tables'>): Engine => ({
  ...parts,
  tables: buildTables(parts.models),
})

export function modelOf({ models }: Engine, path: string): Model {
  const model = models.find((one) => one.path === path)
  if (!model) throw new Error(`there is no model "${path}"`)
  return model
}

export function tableOf(engine: Engine, model: Model): Table {
  const table = engine.tables.get(model.path)
  if (!table) throw new Error(`no table for "${model.path}"`)
  return table
}

export function columnOf(table: Table, name: string): PgColumn {
  const column = table[name]
  if (!column) throw new Error(`no column for "${name}"`)
  return column
}

export function targetOf(engine: Engine, model: Model, relation: string): Model {
  const target = engine.models.find((other) => other.path === fieldOf(model, relation)?.to)
  if (!target) throw new Error(`"${relation}" of "${model.path}" leads nowhere`)
  return target
}

/** Admins see everything and strangers own nothing, so only users are looked up. */
export async function callerOf(engine: Engine, visitor: SignedIn | null): Promise<Caller> {
  const level = levelOf(visitor)
  return {
    visitor,
    level,
    link: level === 'user' && visitor ? await linkOf(engine, visitor.sub) : null,
  }
}

export const canRead = (model: Model, caller: Caller) =>
  caller === SERVER || canDo(model, 'get', caller.visitor) || canDo(model, 'list', caller.visitor)

async function linkOf({ db, tables }: { db: Runner; tables: Map<string, Table> }, sub: string) {
  const contacts = tables.get('contacts')
  const organisations = tables.get('organisations')
  const accounts = tables.get('accounts')
  if (!contacts || !organisations || !accounts) return null
  // What an admin decided about the account counts, whatever a contact brings back from the trash or from before.
  // An organisation in the trash is none: its people lose what it let them see, and have it back when it is restored.
  const [row] = await db.query(
    sql`select ${columnOf(contacts, 'id')} as contact, ${columnOf(organisations, 'id')} as organisation, portal_role
      from ${contacts} left join ${organisations}
        on ${eq(columnOf(organisations, 'id'), columnOf(contacts, 'organisation'))}
        and ${isNull(columnOf(organisations, 'deletedAt'))}
      where ${eq(columnOf(contacts, 'userSub'), sub)} and active and ${isNull(columnOf(contacts, 'deletedAt'))}
        and not exists (select from ${accounts} where ${eq(columnOf(accounts, 'sub'), sub)} and link <> 'approved'
          and ${isNull(columnOf(accounts, 'deletedAt'))})`,
    'prepared',
  )
  if (!row) return null
  return {
    contact: String(row['contact']),
    organisation: row['organisation'] === null ? null : String(row['organisation']),
    portalRole: String(row['portal_role']),
  }
}
