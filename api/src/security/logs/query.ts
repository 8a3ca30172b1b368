import { queryMessages, SECURITY_EVENTS, type SecurityEventKind } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { invalidQuery } from '#platform/errors.ts'
import type { Engine } from '#engine/engine.ts'
import { isInstant } from '#engine/query/column-values.ts'
import { isUuid } from '#platform/uuid.ts'

export type LogQuery = {
  from: string | null
  to: string | null
  /** A reference, an account id, or `me`. */
  person: string | null
  model: string | null
  record: string | null
  kind: SecurityEventKind | null
  /** Cursor of the next page. */
  before: string | null
}

/** Rows per page; with names and labels, a page reads at most 500 buffers. */
export const PAGE = 25
const BEFORE_MAX = 100

/** Empty means no filter, for parameters without a format in the OpenAPI description. */
const orEmpty = (isRight: (text: string) => boolean) => (text: string) =>
  text === '' || isRight(text)

/** Unknown parameters are ignored: the web page sends its own along. */
export function readLogQuery({ models }: Engine, query: Record<string, unknown>): LogQuery {
  const read = (name: string, isRight: (text: string) => boolean) => {
    const value = query[name]
    if (value === undefined) return null
    if (typeof value !== 'string') throw invalidQuery(queryMessages.once(name))
    if (!isRight(value)) throw invalidQuery(queryMessages.notUnderstood(name))
    return value || null
  }
  return {
    from: read('from', isInstant),
    to: read('to', isInstant),
    person: read(
      'person',
      orEmpty((text) => text === 'me' || isUuid(text)),
    ),
    model: read(
      'model',
      orEmpty((text) => models.some(({ path }) => path === text)),
    ),
    record: read('record', isUuid),
    kind: read('kind', (text) => Object.hasOwn(SECURITY_EVENTS, text)) as SecurityEventKind | null,
    before: read('before', (text) => text.length < BEFORE_MAX),
  }
}

export const allOf = (conditions: (SQL | null)[]) =>
  sql.join([sql`true`, ...conditions.filter((one) => one !== null)], sql` and `)
