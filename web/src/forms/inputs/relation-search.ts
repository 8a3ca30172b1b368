import { SEARCH_MIN_LENGTH } from '@gatehouse/model'
import { callApi } from '#data/client.ts'
import { definitionAt, type Definition } from '#data/definitions.ts'
import { rowsOf } from '#data/records.ts'
import { fieldFacts } from './types.ts'

export type Choice = { id: string; label: string }
export type Found = { choices: Choice[]; next: string | null }

const PAGE = 20

export async function findRelated(
  to: string,
  { text, after, signal }: { text: string; after: string | null; signal: AbortSignal },
): Promise<Found> {
  const definition = definitionAt(to)
  const query = new URLSearchParams({ limit: String(PAGE), total: 'none' })
  for (const [name, value] of Object.entries(narrow(definition, text.trim())))
    query.set(name, value)
  if (after) query.set('after', after)
  const response = await callApi(`${definition?.routeName ?? to}?${query}`, { signal })
  if (!response.ok) throw new Error(String(response.status))
  const body: unknown = await response.json()
  const rows = rowsOf(body)
  if (!rows) throw new Error('The response is not a list')
  const next: unknown = Reflect.get(Object(body), 'next')
  return {
    choices: rows.map((row) => toChoice(definition, row)),
    next: typeof next === 'string' ? next : null,
  }
}

export function toChoice(definition: Definition | undefined, record: unknown): Choice {
  const id = String(Reflect.get(Object(record), 'id'))
  const label: unknown = Reflect.get(Object(record), definition?.viewData.displayField ?? 'name')
  return { id, label: String(label ?? id) }
}

function narrow(definition: Definition | undefined, text: string): Record<string, string> {
  // The API's minimum for a search; below it, a prefix filter.
  if (Array.from(text).length >= SEARCH_MIN_LENGTH) return { q: text }
  const { displayField = '', fields = [] } = definition?.viewData ?? {}
  const field = fields.find(({ name }) => name === displayField)
  return text && field && fieldFacts(field).operators.includes('startsWith')
    ? { filter: JSON.stringify({ all: [[displayField, 'startsWith', text]] }) }
    : {}
}
