import { conditionsOf } from '@gatehouse/model'
import { callApi } from '#data/client.ts'
import { isRelation } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import { definitionAt } from '#data/definitions.ts'
import { toFilter, type Chip } from './filter.ts'
import type { Names } from './filter-labels.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'

/** Maximum names to load, as many as the sentence shows. */
const NAMES_MAX = 10

type Narrowed = { fields: DefinitionField[]; chips: Chip[]; items: RecordData[] }
type Related = { to: string; id: string }

/** For list loaders: display names of the filter's related records that the list itself lacks. */
export async function readFilterNames(
  { fields, chips, items }: Narrowed,
  signal: AbortSignal,
): Promise<Names> {
  const relations = fields.filter(isRelation)
  const names = namesIn(items, relations)
  const missing = relatedOf(chips, relations).filter(({ id }) => !(id in names))
  return { ...names, ...(await readNames(missing.slice(0, NAMES_MAX), signal)) }
}

/** Display names by id; the id itself if unnamed, absent if unreadable. */
export async function readNames(wanted: Related[], signal?: AbortSignal): Promise<Names> {
  const byId = new Map(wanted.map(({ id, to }) => [id, to]))
  const found = await Promise.all(
    Array.from(byId, async ([id, to]) => [id, await readName({ to, id }, signal)] as const),
  )
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== null))
}

const namesIn = (items: RecordData[], relations: DefinitionField[]): Names =>
  Object.fromEntries(
    items.flatMap((item) =>
      relations.flatMap(({ name }) => {
        const label: unknown = Reflect.get(Object(item['labels']), name)
        return typeof label === 'string' ? [[String(item[name]), label]] : []
      }),
    ),
  )

function relatedOf(chips: Chip[], relations: DefinitionField[]): Related[] {
  const filter = toFilter(chips)
  return (filter ? conditionsOf(filter) : []).flatMap(([name, , value]) => {
    const to = relations.find((field) => field.name === name)?.to
    if (to === undefined || typeof value === 'boolean') return []
    return [value].flat().map((id) => ({ to, id: String(id) }))
  })
}

async function readName({ to, id }: Related, signal?: AbortSignal) {
  try {
    const response = await callApi(`${to}/${encodeURIComponent(id)}`, signal ? { signal } : {})
    if (response.status >= 500) return null
    const record: unknown = response.ok ? await response.json() : null
    const display = definitionAt(to)?.viewData.displayField ?? 'name'
    const name: unknown = Reflect.get(Object(record), display)
    return typeof name === 'string' || typeof name === 'number' ? String(name) : id
  } catch {
    return null
  }
}
