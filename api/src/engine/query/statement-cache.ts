import { resolveOperand, type Condition, type Meaning } from '@gatehouse/model'
import { is, Param, sql, type Placeholder, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { statementName, type CompiledStatement } from '#platform/db.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { setBounded } from '#platform/lru-map.ts'
import { contextOf, todayIn } from '#platform/site-config.ts'
import { SYSTEM, type Caller } from '#engine/caller.ts'
import { perEngine, type Engine } from '#engine/engine.ts'

/** Building a statement takes longer than running it. The least recently used are evicted. */
const CACHED_STATEMENTS_MAX = 500

/** Inputs of one execution; cached SQL contains no values of a caller (docs/decisions/45-one-statement-a-read.md). */
export type StatementParams = { engine: Engine; caller: Caller; at: Date }

type Read<A> = (input: A) => unknown

/** A deferred parameter: each execution computes its value from the inputs. */
export function deferred<A = StatementParams>(read: Read<A>): Placeholder {
  const placeholder = sql.placeholder('deferred')
  reads.set(placeholder, read as Read<never>)
  return placeholder
}

const reads = new WeakMap<object, Read<never>>()

type CachedText<A> = { text: string; values: Read<A>[]; name: string }

const statementCache = perEngine(() => new Map<string, CachedText<never>>())

/** The statement that `build` creates from deferred parameters; `key` contains everything its SQL depends on. */
export function cachedStatement<R, A extends { engine: Engine }>(
  input: A,
  { key, build, isNamed = false }: { key: string; build: () => SQL<R>; isNamed?: boolean },
): CompiledStatement<R> {
  const cache = statementCache(input.engine)
  const found = (cache.get(key) ?? toText(build())) as CachedText<A>
  setBounded(cache, key, found as CachedText<never>, CACHED_STATEMENTS_MAX)
  const values = found.values.map((read) => read(input))
  return { text: found.text, values, ...(isNamed ? { name: found.name } : {}) }
}

function toText(statement: SQL): CachedText<never> {
  const { sql: text, params } = dialect.sqlToQuery(statement)
  const values = params.map((given) => {
    // drizzle wraps a cast placeholder in a Param.
    const param = is(given, Param) ? given.value : given
    return reads.get(param as object) ?? (() => param)
  })
  return { text, values, name: statementName(text) }
}

const dialect = new PgDialect()

/** Callers with the same level and number of values per claim share cached statements. */
export const callerShape = (caller: Caller) => {
  if (caller === SYSTEM) return 'system'
  const claimCounts = Object.entries(caller.claims).map(([name, { length }]) => `${name} ${length}`)
  return [caller.level, ...claimCounts].join()
}

export const withDeferredClaims = (caller: Caller): Caller =>
  caller === SYSTEM
    ? SYSTEM
    : {
        level: caller.level,
        visitor: caller.visitor && roleOf(caller.visitor),
        claims: Object.fromEntries(
          Object.entries(caller.claims).map(([name, values]) => [
            name,
            values.map(
              (_, index) => deferred((input) => input.caller.claims[name]?.[index]) as never,
            ),
          ]),
        ),
      }

const roleOf = ({ role, owner }: SignedIn) => ({ role, owner }) as SignedIn

/** Today's date and the values of conditions, literal or deferred. */
export type Binding = { today: unknown; bind: (condition: Condition) => unknown }

export const literalBinding = (meaning: Meaning): Binding => ({
  today: meaning.context.today,
  bind: ([, operator, given]) => {
    const value = resolveOperand(given, meaning)
    if (operator === 'contains') return `%${escapeLike(String(value))}%`
    if (operator === 'startsWith') return `${escapeLike(String(value))}%`
    if (operator === 'has') return Array.isArray(value) ? value : [String(value)]
    return value
  },
})

/** Binds deferred parameters; values without tokens are literal, because they never vary. */
export const DEFERRED_BINDING: Binding = {
  today: deferred(({ engine, at }) => todayIn(engine.site, at)),
  bind: (condition) =>
    [condition[2]].flat().some((one) => typeof one === 'string' && one.startsWith('@'))
      ? deferred((input) => bindFor(input).bind(condition))
      : literalBinding(NO_CONTEXT).bind(condition),
}

const NO_CONTEXT: Meaning = { context: { today: '', now: '' }, me: null }

export const bindFor = ({ engine, caller, at }: StatementParams) =>
  literalBinding({ context: contextOf(engine.site, at), me: caller.visitor?.sub ?? null })

export const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
