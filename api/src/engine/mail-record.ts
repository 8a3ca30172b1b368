import type { Model } from '@gatehouse/model'
import { sql, type SQLWrapper } from 'drizzle-orm'
import { SetupError } from '#platform/errors.ts'
import { columnName, tableName } from './table-names.ts'

/** `about` of a mail whose data refers to a record: the key of its id, and the field shown as its reference. */
export function recordIn<M extends Pick<Model, 'path' | 'table' | 'fields'>>(
  model: M,
  { id, reference }: { id: string; reference: keyof M['fields'] & string },
) {
  // One statement reads all kinds of mail: a missing column would fail it for every kind.
  if (!Object.hasOwn(model.fields, reference))
    throw new SetupError(`mails of ${model.path}: there is no field "${reference}" to refer to`)
  return sql`(select json_build_object('model', ${model.path}::text, 'id', r.id,
      'reference', r.${sql.identifier(columnName(model, reference))})
    from ${deferredName(() => tableName(model))} r where r.id = (o.data ->> ${id}::text)::uuid)`
}

/** Lazy: a site's tables get their names after this module has loaded. */
const deferredName = (name: () => string): SQLWrapper & { shouldOmitSQLParens: () => boolean } => ({
  getSQL: () => sql`${sql.identifier(name())}`,
  shouldOmitSQLParens: () => true,
})
