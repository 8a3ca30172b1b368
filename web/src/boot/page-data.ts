import { hasListParams, hasReadingParams } from '#base/list-params.ts'
import { definitionsState } from '#data/definitions.ts'
import { hasReadingPages, isReadingData, modelPathOf } from '#data/reading.ts'

/** The loader data of a prerendered page: a data block, which the content security policy allows. */
export const PAGE_DATA_ID = 'page-data'

export type PageData = {
  path: string
  loaderData: Record<string, unknown>
  /** Reserved paths, and those of the product's own pages. */
  fixed: readonly string[]
  product: readonly string[]
  /** The page's own scripts, loaded in parallel with the app's. */
  scripts: string[]
}

/** Pages about signing in: the app and the sign-in client start immediately. */
export const isAboutSignIn = ({ path }: Pick<PageData, 'path'>) =>
  ['/login', '/unauthorised'].includes(path)

/** The loader data in this document; null in the shell, which is rendered in the browser. */
export function readPageData() {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  if (!text) return null
  const data = JSON.parse(text) as PageData
  const { pathname, search } = window.location
  if (data.path !== pathname || isOtherIndex(data, new URLSearchParams(search))) return null
  const state = Object(Reflect.get(Object(window.history.state), 'usr')) as object
  // The only navigation state that a public page shows; the server renders without it.
  return { ...data, isAsRendered: !('signInFailure' in state) }
}

/** Parameters of an index address that the document was rendered without. */
const isOtherIndex = (data: PageData, query: URLSearchParams) =>
  isReadingPage(data) && (hasListParams(query) || hasReadingParams(query))

/** Whether the definitions, once loaded, draw another page than the document shows: another server's, or a site's. */
export const isDrawnOtherwise = (data: PageData) =>
  isReadingPage(data) &&
  !definitionsState.get().hasFailed &&
  !hasReadingPages(modelPathOf(data.path))

/** Whether the document shows public records. */
export const isReadingPage = ({ loaderData }: PageData) =>
  Object.values(loaderData).some(isReadingData)
