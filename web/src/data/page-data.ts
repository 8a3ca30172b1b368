/** Where a prerendered page carries what it was made from: data, which the content security policy lets stand. */
export const PAGE_DATA_ID = 'page-data'

export type PageData = { path: string; loaderData: Record<string, unknown> }

/** What the page in this document was made from; null in a shell, which the browser has to fill. */
export function readPageData() {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  if (!text) return null
  const data = JSON.parse(text) as PageData
  const { pathname, search } = window.location
  if (data.path !== pathname) return null
  const navigationState: unknown = Reflect.get(Object(window.history.state), 'usr')
  // The server knows neither: with them the page may look different from the start.
  return { ...data, isAsRendered: search === '' && !navigationState }
}
