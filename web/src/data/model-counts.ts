import { getJson } from './failure.ts'
import { buildFreshValue } from './fresh-value.ts'

/** Record counts by model path. A Map: a path may be `constructor`. */
export const modelCounts = buildFreshValue(async (signal) =>
  readCounts(await getJson('models/counts', signal)),
)

const readCounts = (body: unknown) =>
  new Map(
    Object.entries(Object(body) as Record<string, unknown>).flatMap(([path, value]) => {
      const count: unknown = Reflect.get(Object(value), 'count')
      const exact = Reflect.get(Object(value), 'exact') === true
      return typeof count === 'number' ? [[path, { count, exact }] as const] : []
    }),
  )
