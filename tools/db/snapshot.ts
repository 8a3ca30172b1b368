import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { generateDrizzleJson } from 'drizzle-kit/api'

type Json = ReturnType<typeof generateDrizzleJson>
export type Tables = Record<string, Record<string, unknown>>

/** Parts of a table that both product and site may add to; the rest belongs to the one that created it. */
const GROWING = [
  'columns',
  'indexes',
  'foreignKeys',
  'uniqueConstraints',
  'checkConstraints',
  'facts',
]

/** The schema after a folder's migrations, one file per table, so that two new tables never conflict in git. */
export function readSnapshot(folder: URL): Tables {
  const directory = new URL('snapshot/', folder)
  if (!existsSync(directory)) return {}
  return Object.fromEntries(
    readdirSync(directory).map((name) => [
      `public.${name.replace(/\.json$/, '')}`,
      JSON.parse(readFileSync(new URL(name, directory), 'utf8')),
    ]),
  )
}

export function writeSnapshot(folder: URL, tables: Tables) {
  const directory = new URL('snapshot/', folder)
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  for (const [name, table] of Object.entries(tables))
    writeFileSync(
      new URL(`${name.replace('public.', '')}.json`, directory),
      `${JSON.stringify(table, null, 1)}\n`,
    )
}

/** `all` minus `base`: new tables, and additions to tables of the base. */
export function subtract(all: Tables, base: Tables): Tables {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, table]) => {
      const known = base[name]
      if (!known) return [[name, table]]
      const added = GROWING.flatMap((part) => {
        const own = Object.entries(Object(table[part])).filter(
          ([key]) => !Object.hasOwn(Object(known[part]), key),
        )
        return own.length > 0 ? [[part, Object.fromEntries(own)]] : []
      })
      return added.length > 0 ? [[name, Object.fromEntries(added)]] : []
    }),
  )
}

/** Inverse of `subtract`. */
export function add(base: Tables, more: Tables): Tables {
  const sum = structuredClone(base)
  for (const [name, table] of Object.entries(more)) {
    const known = sum[name]
    if (known)
      for (const [part, own] of Object.entries(table))
        known[part] = { ...Object(known[part]), ...Object(own) }
    else sum[name] = table
  }
  return sum
}

/** The tables of a schema, without the ids drizzle-kit generates each time. */
export const tablesOf = ({ tables }: Json) => tables as unknown as Tables

export const withTables = (json: Json, tables: Tables) =>
  ({ ...json, tables: mapTables(tables, withoutFacts) }) as unknown as Json

function withoutFacts(table: Tables[string]) {
  const { facts: _, ...rest } = table
  return rest
}

/** Everything of both: a difference that only adds or only removes leaves drizzle-kit no rename to ask about. */
export const unite = (before: Tables, after: Tables): Tables => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(after).map(([name, table]) => {
      const parts = GROWING.map((part) => [
        part,
        { ...Object(before[name]?.[part]), ...Object(table[part]) },
      ])
      return [name, { ...table, ...Object.fromEntries(parts) }]
    }),
  ),
})

export const mapTables = (
  tables: Tables,
  change: (table: Tables[string], name: string) => object,
) =>
  Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, change(table, name)]),
  ) as Tables
