import {
  listFields,
  type Access,
  type JsonSchema,
  type Model,
  type Visitor,
  queryMessages,
} from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { newId } from '#platform/uuid.ts'
import { invalidQuery, recordNotFound, signInRequired } from '#platform/errors.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { listViews } from './list-views-table.ts'
import { requireBody } from '#platform/http/request-body.ts'
import { callerOf, canRead } from '#engine/caller.ts'
import type { Engine } from '#engine/engine.ts'
import { PAGE_SIZE_MAX } from '#engine/query/list-query.ts'
import { USER } from '#platform/http/access-level.ts'

const URL = '/api/me/views'
const COLUMNS_MAX = 100

/** A caller's preferences for one list; null means the default. */
export const VIEW_SCHEMA = {
  type: 'object',
  properties: {
    columns: {
      type: ['array', 'null'],
      items: { type: 'string', pattern: '^[A-Za-z0-9]{1,60}$' },
      uniqueItems: true,
      minItems: 1,
      maxItems: COLUMNS_MAX,
    },
    limit: { type: ['integer', 'null'], minimum: 1, maximum: PAGE_SIZE_MAX },
    density: { type: 'string', enum: ['comfortable', 'compact'] },
  },
  required: ['columns', 'limit', 'density'],
  additionalProperties: false,
} satisfies JsonSchema

export function viewSchema(model: Model, level: Access): JsonSchema {
  const { columns, ...rest } = VIEW_SCHEMA.properties
  const items = { type: 'string', enum: columnsOf(model, level) }
  return { ...VIEW_SCHEMA, properties: { columns: { ...columns, items }, ...rest } }
}

const columnsOf = (model: Model, level: Access) => listFields(model, level).map(([name]) => name)

type ListPreferences = { columns: string[] | null; limit: number | null; density: string }

/** Columns, page size and density per account, stored on the server so that all devices share them. */
export function viewRoutes(app: FastifyInstance, engine: Engine) {
  app.get(URL, { config: { needs: USER } }, async ({ visitor }) => {
    const { sub } = requireVisitor(visitor)
    // Keeps preferences in use from expiring; written at most once a day.
    await engine.db.query(
      sql`update ${listViews} set used_on = current_date where sub = ${sub} and used_on < current_date`,
    )
    const rows = await engine.db.query(
      sql<ListPreferences & { model: string }>`
        select model, columns, page_size as "limit", density from ${listViews} where sub = ${sub}`,
      'prepared',
    )
    return Object.fromEntries(rows.map(({ model, ...view }) => [model, view]))
  })

  app.put<{ Params: { model: string } }>(
    `${URL}/:model`,
    { config: { needs: USER } },
    async (request, reply) => {
      const { sub } = requireVisitor(request.visitor)
      const model = engine.models.find(({ path }) => path === request.params.model)
      const caller = await callerOf(engine, request.visitor)
      if (!model || !canRead(model, caller)) throw recordNotFound()
      const view = requireBody(request, {}, VIEW_SCHEMA) as ListPreferences
      const columns = columnsOf(model, caller.level)
      const unknown = view.columns?.find((name) => !columns.includes(name))
      // Hidden and unknown fields get the same error.
      if (unknown !== undefined) throw invalidQuery(queryMessages.unknownField(unknown))
      await engine.db.query(
        sql`insert into ${listViews} (id, sub, model, columns, page_size, density)
        values (${newId()}, ${sub}, ${model.path}, ${sql.param(view.columns)}, ${view.limit}, ${view.density})
        on conflict (sub, model) do update set columns = excluded.columns, page_size = excluded.page_size,
          density = excluded.density, used_on = current_date`,
        'prepared',
      )
      return reply.code(204).send()
    },
  )

  refuseOtherMethods(app, URL, ['GET'], 'GET')
  refuseOtherMethods(app, `${URL}/:model`, ['PUT'], 'PUT')
}

function requireVisitor(visitor: Visitor) {
  if (!visitor) throw signInRequired()
  return visitor
}
