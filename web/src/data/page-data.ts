/** The loader data of a prerendered page: a data block, which the content security policy allows. */
export const PAGE_DATA_ID = 'page-data'

export type PageData = { path: string; loaderData: Record<string, unknown> }

/** The loader data in this document; null in the shell, which is rendered in the browser. */
export function readPageData() {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent
  if (!text) return null
  const data = JSON.parse(text) as PageData
  const { pathname, search } = window.location
  if (data.path !== pathname) return null
  const navigationState: unknown = Reflect.get(Object(window.history.state), 'usr')
  // The server knows neither query nor navigation state: the first render may differ.
  return { ...data, isAsRendered: search === '' && !navigationState }
}
