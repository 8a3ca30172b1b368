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
  if (data.path !== window.location.pathname) return null
  const state = Object(Reflect.get(Object(window.history.state), 'usr')) as object
  // The only navigation state that a public page shows; the server renders without it.
  return { ...data, isAsRendered: !('signInFailure' in state) }
}
