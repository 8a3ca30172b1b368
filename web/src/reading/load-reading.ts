import type { Definition } from '#data/definitions.ts'
import { readingFieldOf } from '#data/reading.ts'
import { displayOf, type RecordData } from '#data/records.ts'
import { loadArticle, loadArticles } from './load-articles.ts'
import { loadPlainIndex, toPlainPage } from './load-plain.ts'
import { loadService, loadServices } from './load-services.ts'
import { keyOf, readRows, type Get, type IndexRequest, type PageRequest } from './read-rows.ts'
import type { ReadingData } from './reading-data.ts'

type Drawing = {
  loadIndex: (given: IndexRequest) => Promise<object>
  loadPage: (given: PageRequest) => Promise<object>
}

/** Models with pages of their own design; those of others are plain. */
const DRAWINGS: Record<string, Drawing | undefined> = {
  services: { loadIndex: loadServices, loadPage: loadService },
  articles: { loadIndex: loadArticles, loadPage: loadArticle },
}
const PLAIN: Drawing = { loadIndex: loadPlainIndex, loadPage: toPlainPage }
const drawingOf = ({ path }: Definition) => DRAWINGS[path] ?? PLAIN

export async function loadIndex(
  definition: Definition,
  get: Get,
  { query = new URLSearchParams(), now = new Date() } = {},
): Promise<ReadingData> {
  const shown = await drawingOf(definition).loadIndex({ definition, get, query, now })
  return { model: definition.path, title: definition.viewData.title, ...shown } as ReadingData
}

/** The page of a record that was read whole. */
export async function loadPage(
  definition: Definition,
  get: Get,
  record: RecordData,
): Promise<ReadingData> {
  const key = keyOf(definition, record)
  const shown = await drawingOf(definition).loadPage({ definition, get, record, key })
  return { model: definition.path, title: displayOf(definition, record), ...shown } as ReadingData
}

/** The row of an address; undefined if there is none that the caller may see. */
export async function findByKey(definition: Definition, get: Get, key: string) {
  const filter = JSON.stringify({ all: [[readingFieldOf(definition), 'eq', key]] })
  const rows = await readRows(get, `${definition.routeName}?filter=${encodeURIComponent(filter)}`)
  return rows.find((row) => keyOf(definition, row) === key)
}
