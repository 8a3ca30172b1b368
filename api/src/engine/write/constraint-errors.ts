import { fieldMessages, problemMessages, type Model } from '@gatehouse/model'
import { uniqueFieldOf } from '#engine/table-names.ts'
import { conflict } from '#platform/errors.ts'

export function toConstraintError(models: Model[], error: unknown) {
  if (!(error instanceof Error && 'constraint' in error && 'code' in error)) return error
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

const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
