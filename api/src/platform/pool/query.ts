import { hash } from 'node:crypto'
import { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'

/** A statement whose text was built before. Each connection keeps the plan of a named one. */
export type ReadyStatement<R> = {
  text: string
  values: unknown[]
  name?: string
  /** Only in types: what it returns. */
  rows?: R
}

export function toQuery<R>(
  statement: SQL<R> | ReadyStatement<R>,
  mode?: 'prepared',
): pg.QueryConfig {
  if (!(statement instanceof SQL)) return statement
  const { sql: text, params: values } = dialect.sqlToQuery(statement)
  return mode ? { name: nameOf(text), text, values } : { text, values }
}

const dialect = new PgDialect()

/** Prepared statement name: a hash of the text. */
export const nameOf = (text: string) => hash('sha1', text, 'base64')
