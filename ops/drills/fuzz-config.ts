import { readFileSync } from 'node:fs'
import type { ApiProcess } from './kit/api-process.ts'

const RULES = new URL('schemathesis.toml', import.meta.url)
const ACTS = ['reply', 'note', 'close', 'reopen']
/** Probability of taking a value from here instead of a random one. */
const OFTEN = 0.6

type Field = { name: string; type: string; to?: string }
type Definition = { path: string; viewData: { fields: Field[] } }
type Ids = Record<string, string[]>

/**
 * Rules, and values no generator guesses: existing ids, versions and cursors. Without them most requests would be rejected
 * early.
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
    if (next) parts.push(dictionary(`${path}-cursor`, [next]))
    const id = ids[path] ? { 'path.id': `${path}-id` } : {}
    const relations = Object.fromEntries(
      viewData.fields
        .filter(({ to }) => to !== undefined && ids[to])
        .map(({ name, to }) => [`body.${name}`, `${to}-id`]),
    )
    parts.push(
      operation(`list:${path}`, next ? { 'query.after': `${path}-cursor` } : {}),
      ...['get', 'history', 'about', 'neighbours', 'restore', 'purge'].map((kind) =>
        operation(`${kind}:${path}`, id),
      ),
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

const dictionary = (name: string, values: string[]) =>
  `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n`

/** schemathesis refuses an operation without settings. */
function operation(id: string, parameters: Record<string, string>) {
  const lines = Object.entries(parameters).map(
    ([name, from]) => `parameters."${name}" = { dictionary = "${from}", probability = ${OFTEN} }`,
  )
  if (lines.length === 0) return ''
  return ['[[operations]]', `include-operation-id = "${id}"`, ...lines, ''].join('\n')
}
