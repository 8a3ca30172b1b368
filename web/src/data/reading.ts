import type { Visitor } from '@gatehouse/model'
import { hasListParams, hasReadingParams } from '#base/list-params.ts'
import { canDo, firstSegment, publicDefinitionAt, type Definition } from './definitions.ts'
import { asObject } from './field.ts'

/** Further addresses of the services' index page (PROFILE-06). */
const ALIASES = ['/msp/services', '/msp-services']

/** The parameter that shows staff the page that visitors see. */
export const VIEW_PAGE = 'view=page'

/** The field in the addresses of a model's reading pages; undefined without such pages. */
export function readingFieldOf({ presentation, viewData }: Definition) {
  const { kind, by } = asObject(presentation?.['pages'])
  if (kind !== 'reading' || typeof by !== 'string') return undefined
  // A document's definitions have no fields; another server's may name one that is missing.
  const isKnown = viewData.fields.length === 0 || viewData.fields.some(({ name }) => name === by)
  return isKnown ? by : undefined
}

/** Whether the index address of a model is drawn as a reading page. */
export const isIndexForReading = (
  definition: Definition,
  visitor: Visitor,
  query: URLSearchParams,
) => isForReading(definition, visitor, query) && !hasListParams(query)

/** Whether the address of a record is; the trash has no reading pages. */
export const isRecordForReading = (
  definition: Definition,
  visitor: Visitor,
  query: URLSearchParams,
) => isForReading(definition, visitor, query) && query.get('trash') !== 'true'

const isForReading = (definition: Definition, visitor: Visitor, query: URLSearchParams) =>
  readingFieldOf(definition) !== undefined &&
  (!canDo(definition, 'update', visitor) || isViewedAsPage(query))

/** Links on a page that staff view lead to its other parts. */
const isViewedAsPage = (query: URLSearchParams) =>
  query.get('view') === 'page' || hasReadingParams(query)

/** Loader data of reading pages has this key. */
export const isReadingData = (data: unknown) => Object.hasOwn(Object(data), 'reading')

/** The path of the model that an address shows. */
export const modelPathOf = (pathname: string) =>
  isAlias(pathname) ? 'services' : firstSegment(pathname)

const isAlias = (pathname: string) => ALIASES.includes(pathname.replace(/\/$/, '').toLowerCase())

/** Whether a model has reading pages, by the definitions loaded so far. */
export function hasReadingPages(path: string) {
  const definition = publicDefinitionAt(path)
  return definition !== undefined && readingFieldOf(definition) !== undefined
}

/** The page of a record; encoded, because stored values may predate their pattern. */
export const readingPath = (model: string, key: string) =>
  `/${model.toLowerCase()}/${encodeURIComponent(key)}`
