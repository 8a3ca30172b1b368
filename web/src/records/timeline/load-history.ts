import { callApi } from '#data/client.ts'
import type { Definition } from '#data/definitions.ts'
import { historyMessages } from '#messages/history.ts'
import type { Names } from '#records/query/filter-labels.ts'
import { readNames } from '#records/query/related-names.ts'
import { loaderError, readBody } from '#records/shared/loader-errors.ts'

export type HistoryEntry = {
  version: number
  action: string
  at: string
  isYou: boolean
  by: string | null
  operation: string | null
  changes: FieldChange[]
}

type Options = {
  /** Steps older than this version; null for the newest. */
  before: number | null
  /** Steps whose changes of relations are shown by name; each name is a request. */
  isNamed?: (step: HistoryEntry) => boolean
  signal?: AbortSignal
}
type FieldChange = { field: string; before: unknown; after: unknown; names: Names }
export type HistorySteps = { items: HistoryEntry[]; next: number | null }

export async function loadHistoryPage(
  { path, viewData }: Definition,
  id: string,
  { before, isNamed = () => true, signal }: Options,
): Promise<HistorySteps> {
  const query = before === null ? '' : `?before=${before}`
  const response = await callApi(
    `${path}/${encodeURIComponent(id)}/history${query}`,
    signal ? { signal } : {},
  )
  if (!response.ok) throw loaderError(historyMessages.historyFailed, response)
  const page = (await readBody(response)) as HistorySteps
  // Revisions store only ids of related records: their current names are loaded.
  const related = page.items
    .filter(isNamed)
    .flatMap(({ changes }) => changes)
    .flatMap(({ field, before: left, after: right }) => {
      const to = viewData.fields.find(({ name }) => name === field)?.to
      return [left, right].flatMap((one) => (to && typeof one === 'string' ? { to, id: one } : []))
    })
  const names = await readNames(related, signal)
  const named = (step: HistoryEntry) => ({
    ...step,
    changes: step.changes.map((change) => ({ ...change, names })),
  })
  return { ...page, items: page.items.map(named) }
}

/** The changes of fields that the definition shows. */
export const shownChanges = ({ viewData }: Definition, { changes }: HistoryEntry) =>
  changes.flatMap((change) => {
    const field = viewData.fields.find(({ name }) => name === change.field)
    return field ? [{ ...change, field }] : []
  })

export function historyHeading({ action, isYou, by }: HistoryEntry) {
  const heading = Object.entries(historyMessages.steps).find(([name]) => name === action)?.[1]
  if (!heading) return action
  if (isYou) return heading.byYou
  return by === null ? heading.alone : heading.by(by)
}
