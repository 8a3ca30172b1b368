import {
  createBrowserRouter,
  matchRoutes,
  type HydrationState,
  type RouteObject,
} from 'react-router'
import { pages, PRODUCT_PATHS, unknownPage } from './site-map.tsx'
import { PageError, Starting } from './status-pages.tsx'
import { siteMessages } from '#messages/site.ts'
import { readConfig } from '#auth/read-config.ts'
import { firstSegment } from '#data/definitions.ts'
import { hasReadingPages } from '#data/reading.ts'
import { Root } from '#layout/root.tsx'
import { PaletteHost } from '#palette/palette-host.tsx'
import { ErrorScreen } from '#records/shell/error-screen.tsx'
import { importPage } from '#ui/import-chunk.ts'

const root = {
  id: 'root',
  path: '/',
  Component: Site,
  errorElement: <ErrorScreen backTo="/" backLabel={siteMessages.backHome} />,
  HydrateFallback: Starting,
}
/** Errors render inside the layout. */
const rootPages = { id: 'pages', errorElement: <PageError /> }

const routes: RouteObject[] = [{ ...root, children: [{ ...rootPages, children: pages }] }]

function Site() {
  return (
    <>
      <Root />
      <PaletteHost />
    </>
  )
}

const fetchModelRoutes = () => importPage(() => import('#records/routes.tsx'))

/** The product's own routes and those of records are lazy-loaded if no fixed route matches. */
export function buildRouter(hydrationData?: HydrationState, from = routes) {
  let isPatched = from !== routes
  let hasProductPages = false
  return createBrowserRouter(from, {
    ...(hydrationData ? { hydrationData } : {}),
    async patchRoutesOnNavigation({ path, patch, signal }) {
      if (PRODUCT_PATHS.includes(firstSegment(path)) && (await offersProduct())) {
        const { buildProductPages } = await importPage(() => import('./product-pages.tsx'))
        if (hasProductPages || signal.aborted) return
        hasProductPages = true
        return patch('pages', buildProductPages())
      }
      const { buildModelRoutes } = await fetchModelRoutes()
      // An aborted navigation patches nothing, so the next one must.
      if (isPatched || signal.aborted) return
      isPatched = true
      patch('pages', [buildModelRoutes(UNKNOWN)])
    },
  })
}

const UNKNOWN = { ...unknownPage.handle, Component: unknownPage.Component }

/** True without config.json: a product page can then show the error. */
const offersProduct = () =>
  readConfig().then(
    ({ productPages }) => productPages === true,
    () => true,
  )

/** The routes for a document's page, with its chunks loaded: hydration must not suspend. */
export async function routesOf(pathname: string): Promise<RouteObject[]> {
  await resolvePages(pathname)
  if (!hasReadingPages(firstSegment(pathname))) return routes
  const { buildModelRoutes, prepareReading } = await fetchModelRoutes()
  await prepareReading()
  return [
    { ...root, children: [{ ...rootPages, children: [...pages, buildModelRoutes(UNKNOWN)] }] },
  ]
}

async function resolvePages(pathname: string) {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    const lazy = typeof route.lazy === 'object' ? route.lazy.Component : undefined
    const Component = await lazy?.()
    if (!Component) continue
    route.Component = Component
    delete route.lazy
  }
}
