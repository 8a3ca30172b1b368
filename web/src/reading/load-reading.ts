import type { Definition } from '#data/definitions.ts'
import { readingFieldOf } from '#data/reading.ts'
import { displayOf, type RecordData } from '#data/records.ts'
import { loadArticle, loadArticles } from './load-articles.ts'
import { loadPlainIndex, toPlainPage } from './load-plain.ts'
import { loadService, loadServices } from './load-services.ts'
import { keyOf, readRows, type Get, type IndexRequest, type PageRequest } from './read-rows.ts'
import type { ReadingData } from './reading-data.ts'

type Drawing = {
  /** Fields without which another server's model of the same path is drawn plainly. */
  needs: string[]
  loadIndex: (given: IndexRequest) => Promise<object>
  loadPage: (given: PageRequest) => Promise<object>
}

/** Models with pages of their own design; those of others are plain. */
const DRAWINGS: Record<string, Drawing | undefined> = {
  services: {
    needs: ['name', 'slug', 'category', 'summary', 'description'],
    loadIndex: loadServices,
    loadPage: loadService,
  },
  articles: {
    needs: ['title', 'slug', 'kind', 'publishedAt', 'pinned', 'body'],
    loadIndex: loadArticles,
    loadPage: loadArticle,
  },
}
const PLAIN: Drawing = { needs: [], loadIndex: loadPlainIndex, loadPage: toPlainPage }

function drawingOf({ path, viewData: { fields } }: Definition) {
  const drawing = DRAWINGS[path] ?? PLAIN
  // A document's definitions, which are ours, have no fields.
  const isDrawable =
    fields.length === 0 ||
    drawing.needs.every((needed) => fields.some(({ name }) => name === needed))
  return isDrawable ? drawing : PLAIN
}

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
  const shown = await drawingOf(definition).loadPage({ definition, get, record })
  return {
    model: definition.path,
    title: displayOf(definition, record),
    recordKey: keyOf(definition, record),
    ...shown,
  } as ReadingData
}

/** The row of an address; undefined if there is none that the caller may see. */
export async function findByKey(definition: Definition, get: Get, key: string) {
  const filter = JSON.stringify({ all: [[readingFieldOf(definition), 'eq', key]] })
  const rows = await readRows(get, `${definition.routeName}?filter=${encodeURIComponent(filter)}`)
  return rows.find((row) => keyOf(definition, row) === key)
}
