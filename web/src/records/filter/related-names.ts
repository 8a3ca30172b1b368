import { conditionsOf } from '@gatehouse/model'
import { useEffect } from 'react'
import { callApi } from '#data/client.ts'
import { typeOf } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import { definitionAt } from '#data/definitions.ts'
import { buildStore } from '#base/store.ts'
import { toFilter, type Chip } from '#records/query/filter.ts'
import type { RecordData } from '#records/record/loading.ts'

/** More than these are not named in the sentence either. */
const ASKED_MAX = 10

type Asked = { fields: DefinitionField[]; chips: Chip[]; items: RecordData[] }
type Related = { to: string; id: string }

type Names = Record<string, string>

/** Names that were found once, by id; what has none is called by its id. */
const found = buildStore<Names>({})

/** What the related records of a filter are called, by id. The list names most of them itself; the API is asked for the rest. */
export function useRelatedNames({ fields, chips, items }: Asked): Names {
  const relations = fields.filter((field) => typeOf(field) === 'relation')
  const names = { ...namesIn(items, relations), ...found.use() }
  const wanted = relatedOf(chips, relations)
    .filter(({ id }) => !(id in names))
    .slice(0, ASKED_MAX)
  const key = JSON.stringify(wanted)
  useEffect(() => {
    for (const { to, id } of JSON.parse(key) as Related[]) void learn(to, id)
  }, [key])
  return names
}

/** What one related record is called; its id until that is known, and where it can't be. */
export function useRelatedName(to: string, id: string) {
  const name = found.use()[id]
  useEffect(() => {
    if (name === undefined) void learn(to, id)
  }, [to, id, name])
  return name ?? id
}

/** Names that were met before, whatever the list. */
export const useKnownNames = found.use

/** For a name that was met elsewhere. */
export const learnName = (id: string, name: string) => found.set({ ...found.get(), [id]: name })

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

/** What has no name is called by its id; after a failure the next who needs it asks again. */
async function learn(to: string, id: string) {
  const name = await findName(to, id)
  if (name !== undefined) learnName(id, name ?? id)
}

async function findName(to: string, id: string) {
  try {
    const response = await callApi(`${to}/${encodeURIComponent(id)}`)
    if (response.status >= 500) return undefined
    const record: unknown = response.ok ? await response.json() : null
    const display = definitionAt(to)?.viewData.displayField ?? 'name'
    const name: unknown = Reflect.get(Object(record), display)
    return typeof name === 'string' || typeof name === 'number' ? String(name) : null
  } catch {
    return undefined
  }
}
