import { readFileSync } from 'node:fs'
import type { ApiProcess } from './api-process.ts'

const RULES = new URL('schemathesis.toml', import.meta.url)
const OPERATORS = 'eq ne in empty lt lte gt gte contains startsWith has'.split(' ')
const ACTS = ['reply', 'note', 'close', 'reopen']
const FILTERS_MAX = 300
/** How often a value from here is taken instead of one that chance makes. */
const OFTEN = 0.6

type Field = { name: string; type: string; to?: string }
type Definition = { path: string; viewData: { fields: Field[] } }
type Ids = Record<string, string[]>

/**
 * The rules, and what no generator guesses: ids of records that are there, versions, cursors, filters that fit. Without
 * them a fuzzer would hardly get past the front door.
 */
export async function buildConfig({ base }: ApiProcess, token: string, ids: Ids): Promise<string> {
  const get = async <T>(path: string) => {
    const response = await fetch(`${base}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return (await response.json()) as T
  }
  const parts = [readFileSync(RULES, 'utf8'), dictionary('version', ['"1"', '"2"', '*'])]
  for (const [path, known] of Object.entries(ids)) parts.push(dictionary(`${path}-id`, known))
  for (const { path, viewData } of await get<Definition[]>('/api/models')) {
    const { next } = await get<{ next: string | null }>(`/api/${path}?limit=2`)
    parts.push(
      dictionary(`${path}-filter`, filtersOf(viewData.fields, ids['organisations']?.[0] ?? '')),
      ...(next ? [dictionary(`${path}-cursor`, [next])] : []),
    )
    const id = ids[path] ? { 'path.id': `${path}-id` } : {}
    const relations = Object.fromEntries(
      viewData.fields
        .filter(({ to }) => to !== undefined && ids[to])
        .map(({ name, to }) => [`body.${name}`, `${to}-id`]),
    )
    parts.push(
      operation(`list:${path}`, {
        'query.filter': `${path}-filter`,
        ...(next ? { 'query.after': `${path}-cursor` } : {}),
      }),
      operation(`get:${path}`, id),
      operation(`create:${path}`, relations),
      operation(`update:${path}`, { ...id, ...relations, 'header.If-Match': 'version' }),
      operation(`delete:${path}`, { ...id, 'header.If-Match': 'version' }),
      ...(path === 'tickets'
        ? ACTS.map((act) => operation(`${act}:${path}`, { ...id, 'header.If-Match': 'version' }))
        : []),
    )
  }
  return parts.join('\n')
}

/** Each field with each operator, asked with a value of its type, with one of another, and with what stands for one. */
function filtersOf(fields: Field[], id: string) {
  const conditions = fields.flatMap(({ name, type }) =>
    OPERATORS.flatMap((operator) =>
      [...valuesOf(type, id), 'x'].map((value) => [
        name,
        operator,
        operator === 'in' ? [value] : operator === 'empty' ? true : value,
      ]),
    ),
  )
  const step = Math.max(1, Math.floor(conditions.length / FILTERS_MAX))
  const some = conditions.filter((_, place) => place % step === 0)
  return [
    ...some.map((condition) => JSON.stringify({ all: [condition] })),
    JSON.stringify({ any: [some[0], { all: some.slice(0, 3) }] }),
  ]
}

function valuesOf(type: string, id: string): unknown[] {
  switch (type) {
    case 'integer':
    case 'decimal':
      return [0, -1.5, 2 ** 31, 1e300]
    case 'boolean':
      return [true]
    case 'date':
      return ['2026-01-31', '@today-7d', '2026-02-30']
    case 'datetime':
      return ['2026-01-31T00:00:00Z', '@now+2h', '0001-01-01T00:00:00+23:59']
    case 'relation':
      return [id]
    default:
      return ['@me', '%_\\']
  }
}

const dictionary = (name: string, values: string[]) =>
  `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`

/** An operation without anything to say about it may not be mentioned. */
function operation(id: string, parameters: Record<string, string>) {
  const lines = Object.entries(parameters).map(
    ([name, from]) => `parameters."${name}" = { dictionary = "${from}", probability = ${OFTEN} }`,
  )
  if (lines.length === 0) return ''
  return ['[[operations]]', `include-operation-id = "${id}"`, ...lines, ''].join('\n')
}
