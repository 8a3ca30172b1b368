import type { Model } from '@gatehouse/model'
import { sql, type SQLWrapper } from 'drizzle-orm'
import { snakeCase, tableName } from './names.ts'

/** `about` of a mail whose data names a record: the key of its id, and the reference field people know it by. */
export const recordIn = (
  model: Pick<Model, 'path' | 'table'>,
  { id, reference }: { id: string; reference: string },
) =>
  sql`(select json_build_object('model', ${model.path}::text, 'id', r.id,
      'reference', r.${sql.identifier(snakeCase(reference))})
    from ${lateName(() => tableName(model))} r where r.id = (o.data ->> ${id}::text)::uuid)`

/** Lazy: a site's tables get their names after this module has loaded. */
const lateName = (name: () => string): SQLWrapper & { shouldOmitSQLParens: () => boolean } => ({
  getSQL: () => sql`${sql.identifier(name())}`,
  shouldOmitSQLParens: () => true,
})
