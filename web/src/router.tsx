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
import { Root } from '#layout/root.tsx'
import { PaletteHost } from '#palette/palette-host.tsx'
import { ErrorScreen } from '#records/shell/error-screen.tsx'
import { importPage } from '#ui/import-chunk.ts'

export const routes: RouteObject[] = [
  {
    id: 'root',
    path: '/',
    Component: Site,
    errorElement: <ErrorScreen backTo="/" backLabel={siteMessages.backHome} />,
    HydrateFallback: Starting,
    // Errors render inside the layout.
    children: [{ id: 'pages', errorElement: <PageError />, children: pages }],
  },
]

function Site() {
  return (
    <>
      <Root />
      <PaletteHost />
    </>
  )
}

/** The product's own routes and those of records are lazy-loaded if no fixed route matches. */
export function buildRouter(hydrationData?: HydrationState) {
  let isPatched = false
  let hasProductPages = false
  return createBrowserRouter(routes, {
    ...(hydrationData ? { hydrationData } : {}),
    async patchRoutesOnNavigation({ path, patch, signal }) {
      if (PRODUCT_PATHS.includes(firstSegment(path)) && (await offersProduct())) {
        const { buildProductPages } = await importPage(() => import('./product-pages.tsx'))
        if (hasProductPages || signal.aborted) return
        hasProductPages = true
        return patch('pages', buildProductPages())
      }
      const { buildModelRoutes } = await importPage(() => import('#records/routes.tsx'))
      // An aborted navigation patches nothing, so the next one must.
      if (isPatched || signal.aborted) return
      isPatched = true
      patch('pages', [
        buildModelRoutes({ ...unknownPage.handle, Component: unknownPage.Component }),
      ])
    },
  })
}

/** True without config.json: a product page can then show the error. */
const offersProduct = () =>
  readConfig().then(
    ({ productPages }) => productPages === true,
    () => true,
  )

/** Preloads the lazy chunks of the matched pages: hydration must not suspend. */
export async function resolvePages(pathname: string) {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    const lazy = typeof route.lazy === 'object' ? route.lazy.Component : undefined
    const Component = await lazy?.()
    if (!Component) continue
    route.Component = Component
    delete route.lazy
  }
}
