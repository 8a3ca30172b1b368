import { readFileSync } from 'node:fs'
import type { ApiProcess } from './kit/api-process.ts'

const RULES = new URL('schemathesis.toml', import.meta.url)
const ACTS = ['reply', 'note', 'close', 'reopen']
/** Probability of taking a value from here instead of a random one. */
const OFTEN = 0.6

/** Some are valid in JavaScript but not in PostgreSQL, some in neither. */
const INSTANTS = [
  '2026-01-01T00:00:00Z',
  '2999-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00+15:59',
  '9999-12-31T23:59:59.999999999-15:59',
  '2026-02-30T00:00:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+99:99',
  '0000-01-01T00:00:00Z',
  '+294277-01-01T00:00:00Z',
  '12',
  'infinity',
]
const NO_EVENT = '0190a5b0-0000-7000-8000-000000000000'
const LOG_CURSORS: Record<string, string[]> = {
  changes: ['0', '1', '25', '999999999999999', '9223372036854775808', '-1', 'infinity'],
  securityEvents: INSTANTS.map((instant) => `${instant}_${NO_EVENT}`),
}
const SPAN = { 'query.from': 'instant', 'query.to': 'instant' }

type Field = { name: string; type: string; to?: string }
type Definition = { path: string; viewData: { fields: Field[] } }
type Ids = Record<string, string[]>

/**
 * schemathesis configuration with values no generator guesses: existing ids, versions and cursors. Without them most requests
 * would be rejected early.
 */
export async function buildConfig({ base }: ApiProcess, token: string, ids: Ids): Promise<string> {
  const get = async <T>(path: string) => {
    const response = await fetch(`${base}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return (await response.json()) as T
  }
  const parts = [
    readFileSync(RULES, 'utf8'),
    dictionary('version', ['"1"', '"2"', '*']),
    dictionary('instant', INSTANTS),
  ]
  for (const log of ['changes', 'securityEvents'])
    parts.push(
      dictionary(`${log}-cursor`, LOG_CURSORS[log] ?? []),
      operation(log, { ...SPAN, 'query.before': `${log}-cursor` }),
      operation(`${log}Export`, SPAN),
    )
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

/** schemathesis rejects an operation without settings. */
function operation(id: string, parameters: Record<string, string>) {
  const lines = Object.entries(parameters).map(
    ([name, from]) => `parameters."${name}" = { dictionary = "${from}", probability = ${OFTEN} }`,
  )
  if (lines.length === 0) return ''
  return ['[[operations]]', `include-operation-id = "${id}"`, ...lines, ''].join('\n')
}
