import { fieldMessages, problemMessages, type Model } from '@gatehouse/model'
import { uniqueFieldOf } from '#engine/names.ts'
import { conflict, tooManyRequests } from '#platform/errors.ts'

/** What a statement fails with beyond a limit, followed by the seconds until it may be sent again. */
export const LIMIT_IS_REACHED = 'limit is reached, seconds left: '
const SECONDS_LEFT = new RegExp(String.raw`${LIMIT_IS_REACHED}(\d+)`)

/**
 * A unique violation as a conflict at its field, a foreign key violation as `relation-gone`, a limit as too many requests;
 * others as they are.
 */
export function refusalOf(models: Model[], error: unknown) {
  if (!(error instanceof Error && 'constraint' in error && 'code' in error)) return error
  const seconds = error.code === INVALID_TEXT && SECONDS_LEFT.exec(error.message)?.[1]
  if (seconds) return tooManyRequests(Math.max(1, Number(seconds)))
  if (error.code === FOREIGN_KEY_VIOLATION)
    return conflict('relation-gone', problemMessages.relationGone)
  if (error.code !== UNIQUE_VIOLATION) return error
  for (const model of models) {
    const name = uniqueFieldOf(model, String(error.constraint))
    if (name === null) continue
    const message = fieldMessages.taken(model.fields[name]?.label ?? name)
    return conflict('not-unique', message, [{ field: name, message }])
  }
  return error
}

/** PostgreSQL's codes. */
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const INVALID_TEXT = '22P02'
