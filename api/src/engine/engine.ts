import { fieldOf, type Access, type Claims, type Model, type SiteConfig } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import type { Directory } from '#platform/identity/directory.ts'
import type { Db, Runner } from '#platform/db.ts'
import type { Site } from '#platform/site-config.ts'
import {
  compileBehaviours,
  type AnyBehaviour,
  type CompiledBehaviour,
} from './compile-behaviours.ts'
import { compileModels, type Compiled } from './compile-models.ts'
import { buildTables, columnOf, type Table } from './build-tables.ts'

export { columnOf }

export type Engine = {
  db: Db
  site: Site
  /** Mail addresses of the staff. */
  desk: Pick<SiteConfig['owner'], 'email' | 'alertEmail'>
  /** Accounts at the identity provider; null without a service account there. */
  directory: Directory | null
  models: Model[]
  tables: Map<string, Table>
  compiled: Map<string, Compiled>
  identity: Identity
  behaviours: Map<string, CompiledBehaviour>
}

/** Claim values by claim name; one not held is absent or empty. */
export type ClaimsOf = Readonly<Record<string, readonly string[]>>

export type ClaimsQuery = { engine: Engine; db: Runner; sub: string }

/** Names and claims of accounts, injected: the engine itself knows only their `sub`. */
export type Identity = {
  claims: Claims
  /** Called for every request of a signed-in non-admin; null if no account has claims. */
  claimsOf: ((query: ClaimsQuery) => Promise<ClaimsOf>) | null
  /** The account's name as an SQL expression, which saves a statement. */
  nameOf: (engine: Engine, sub: SQL) => SQL
}

/** No claims and no names: only admins see rows of models with a row scope. */
const NO_IDENTITY: Identity = {
  claims: {},
  claimsOf: null,
  nameOf: () => sql`null`,
}

/** One instance per engine, built on first use. */
export function perEngine<T>(build: () => T) {
  const all = new WeakMap<Engine, T>()
  return (engine: Engine): T => {
    const found = all.get(engine) ?? build()
    all.set(engine, found)
    return found
  }
}

type EngineParts = Omit<Engine, 'tables' | 'compiled' | 'identity' | 'behaviours' | 'directory'> & {
  directory?: Directory | null
  identity?: Partial<Identity>
  behaviours?: AnyBehaviour[]
}

export function buildEngine({
  identity,
  behaviours = [],
  directory = null,
  ...parts
}: EngineParts): Engine {
  const tables = buildTables(parts.models)
  return {
    ...parts,
    directory,
    identity: { ...NO_IDENTITY, ...identity },
    tables,
    compiled: compileModels(parts.models, tables),
    behaviours: compileBehaviours(parts.models, behaviours),
  }
}

export function modelOf({ models }: Engine, path: string): Model {
  const model = models.find((one) => one.path === path)
  if (!model) throw new Error(`no model "${path}"`)
  return model
}

export function tableOf(engine: Engine, model: Model): Table {
  const table = engine.tables.get(model.path)
  if (!table) throw new Error(`no table for "${model.path}"`)
  return table
}

export function compiledOf({ engine, model }: { engine: Engine; model: Model }): Compiled {
  const compiled = engine.compiled.get(model.path)
  if (!compiled) throw new Error(`"${model.path}" is not compiled`)
  return compiled
}

export function behaviourOf({ engine, model }: { engine: Engine; model: Model }) {
  const behaviour = engine.behaviours.get(model.path)
  if (!behaviour) throw new Error(`no behaviour for "${model.path}"`)
  return behaviour
}

export const compiledFor = (of: { engine: Engine; model: Model; caller: { level: Access } }) =>
  compiledOf(of).levels[of.caller.level]

export function targetOf(engine: Engine, model: Model, relation: string): Model {
  const target = engine.models.find((other) => other.path === fieldOf(model, relation)?.to)
  if (!target) throw new Error(`the relation "${relation}" of "${model.path}" has no target model`)
  return target
}
