import {
  createBrowserRouter,
  Link,
  matchRoutes,
  useLocation,
  type HydrationState,
  type RouteObject,
  isRouteErrorResponse,
  useRouteError,
} from 'react-router'
import { heads, serviceHead } from './heads.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { showToast } from '#feedback/toasts.tsx'
import { loadCatalogue, loadService, type ServicePage } from '#public/catalogue.ts'
import type { Handle } from '#layout/crumb.ts'
import { fetchPage } from '#ui/fetch-part.ts'
import { requireLevel } from '#data/guard.ts'
import { Root } from '#layout/root.tsx'
import {
  definitionAt,
  definitionsSettled,
  firstSegment,
  isOfUnknownModel,
  isRecordAddress,
  useDefinitions,
} from '#data/definitions.ts'
import { NotFound, Unauthorised } from '#public/status.tsx'
import { ErrorScreen } from '#records/frame/error-screen.tsx'
import {
  isForStaff,
  loadAudience,
  loadRequest,
  loadRequests,
  type RequestPage,
} from '#data/tickets.ts'
import { Busy, StatusScreen } from '#ui/status-screen.tsx'

const catalogue = {
  handle: { head: () => heads.services },
  loader: () => loadCatalogue(),
  lazy: { Component: async () => (await fetchPage(() => import('#public/services.tsx'))).Services },
}

/** The whole site map. Record pages are added below it, as their definitions arrive. */
const pages: (RouteObject & { handle?: Handle })[] = [
  {
    index: true,
    handle: { head: () => heads.profile },
    lazy: { Component: async () => (await fetchPage(() => import('#public/profile.tsx'))).Profile },
  },
  {
    path: 'profile',
    handle: { crumb: specifiedMessages.profile, head: () => heads.profile },
    lazy: { Component: async () => (await fetchPage(() => import('#public/profile.tsx'))).Profile },
  },
  {
    path: 'contact',
    handle: { crumb: specifiedMessages.contact, head: () => heads.contact },
    lazy: { Component: async () => (await fetchPage(() => import('#public/contact.tsx'))).Contact },
  },
  {
    path: 'privacy',
    handle: { crumb: specifiedMessages.privacy },
    children: [
      {
        index: true,
        handle: { head: () => heads.privacy } satisfies Handle,
        lazy: {
          Component: async () => (await fetchPage(() => import('#public/privacy.tsx'))).Privacy,
        },
      },
      {
        path: 'received',
        handle: {
          crumb: siteMessages.requestReceived,
          head: () => heads.requestReceived,
        } satisfies Handle,
        lazy: {
          Component: async () =>
            (await fetchPage(() => import('#public/request-received.tsx'))).RequestReceived,
        },
      },
    ],
  },
  {
    path: 'security',
    handle: { crumb: siteMessages.security, head: () => heads.security },
    lazy: {
      Component: async () => (await fetchPage(() => import('#public/security.tsx'))).Security,
    },
  },
  // One catalogue at two addresses, because the profile links to both; the first is the canonical one.
  {
    path: 'msp/services',
    handle: { crumb: siteMessages.services },
    children: [
      { index: true, id: 'msp/services', ...catalogue },
      {
        path: ':slug',
        id: 'service',
        handle: {
          crumb: ({ data }) => (data as ServicePage).service.name,
          head: ({ data }) => serviceHead((data as ServicePage).service),
        } satisfies Handle,
        loader: ({ params }) => loadService(params['slug'] ?? ''),
        lazy: {
          Component: async () =>
            (await fetchPage(() => import('#public/service.tsx'))).ServiceDetail,
        },
      },
    ],
  },
  {
    path: 'msp-services',
    id: 'msp-services',
    ...catalogue,
    handle: { ...catalogue.handle, crumb: siteMessages.services },
  },
  {
    path: 'requests',
    handle: {
      crumb: ({ data }) => (isForStaff(data) ? siteMessages.staffRequests : siteMessages.requests),
    } satisfies Handle,
    middleware: [requireLevel('user')],
    loader: loadAudience,
    children: [
      {
        index: true,
        handle: {
          head: ({ data }) => (isForStaff(data) ? heads.staffRequests : heads.requests),
        } satisfies Handle,
        loader: ({ request }) => loadRequests(request.signal),
        lazy: {
          Component: async () => (await fetchPage(() => import('#portal/requests.tsx'))).Requests,
        },
      },
      {
        path: ':id',
        handle: { crumb: ({ data }) => (data as RequestPage).ticket.subject } satisfies Handle,
        loader: ({ request, params }) => loadRequest(params['id'] ?? '', request.signal),
        lazy: {
          Component: async () =>
            (await fetchPage(() => import('#portal/request-page.tsx'))).Request,
        },
      },
    ],
  },
  {
    path: 'desk',
    handle: { crumb: siteMessages.desk, head: () => heads.desk },
    middleware: [requireLevel('admin')],
    loader: async ({ request }) =>
      (await fetchPage(() => import('#desk/load-desk.ts'))).loadDesk(request.signal),
    lazy: { Component: async () => (await fetchPage(() => import('#desk/desk.tsx'))).Desk },
  },
  {
    path: 'system',
    handle: { crumb: siteMessages.system, head: () => heads.system },
    middleware: [requireLevel('admin')],
    loader: async ({ request }) =>
      (await fetchPage(() => import('#desk/system.tsx'))).loadSystem(request.signal),
    lazy: { Component: async () => (await fetchPage(() => import('#desk/system.tsx'))).System },
  },
  {
    path: 'login',
    handle: { crumb: specifiedMessages.login, head: () => heads.login },
    lazy: { Component: async () => (await fetchPage(() => import('#auth/pages/login.tsx'))).Login },
  },
  {
    path: 'signin-callback',
    handle: { crumb: specifiedMessages.signIn, head: () => heads.signIn },
    lazy: {
      Component: async () =>
        (await fetchPage(() => import('#auth/pages/callbacks.tsx'))).SignInCallback,
    },
  },
  {
    path: 'logout-callback',
    handle: { crumb: specifiedMessages.logout, head: () => heads.signOut },
    lazy: {
      Component: async () =>
        (await fetchPage(() => import('#auth/pages/callbacks.tsx'))).SignOutCallback,
    },
  },
  {
    path: 'unauthorised',
    handle: { crumb: siteMessages.unauthorisedCrumb, head: () => heads.unauthorised },
    Component: Unauthorised,
  },
  {
    path: '*',
    handle: {
      crumb: () =>
        isOfUnknownModel() ? specifiedMessages.unexpectedError : siteMessages.notFoundCrumb,
      head: () => (isOfUnknownModel() ? heads.unexpectedError : heads.notFound),
    },
    Component: UnknownPage,
  },
]

export const routes: RouteObject[] = [
  {
    id: 'root',
    path: '/',
    Component: Root,
    errorElement: <ErrorScreen backTo="/" backLabel={siteMessages.backHome} />,
    HydrateFallback: Starting,
    // A page that fails keeps its frame.
    children: [{ errorElement: <PageError />, children: pages }],
  },
]

/** What the server answers without asking the app. */
const SERVED_PATHS = [
  'api',
  'healthz',
  'static',
  'config.json',
  'robots.txt',
  'sitemap.xml',
  'silent-renew.html',
  'theme.js',
]

/** Addresses of the site itself, which no definition can take over. */
export const FIXED_PATHS = [
  ...pages.flatMap(({ path }) => (path && path !== '*' ? [firstSegment(`/${path}`)] : [])),
  ...SERVED_PATHS,
]

/** Definitions are waited for only where no fixed page answers: public pages never wait for the API. */
export function buildRouter(hydrationData?: HydrationState) {
  const known = new Set<string>()
  return createBrowserRouter(routes, {
    ...(hydrationData ? { hydrationData } : {}),
    async patchRoutesOnNavigation({ path, patch, signal }) {
      // Most visitors never open a record page.
      const [{ buildModelRoute }] = await Promise.all([
        fetchPage(() => import('#records/routes.tsx')),
        definitionsSettled(),
      ])
      const segment = firstSegment(path)
      const definition = definitionAt(segment)
      // A navigation that was interrupted adds nothing: the one that follows it must.
      if (!definition || known.has(segment) || signal.aborted) return
      known.add(segment)
      try {
        patch('root', [buildModelRoute(definition)])
      } catch (error) {
        showToast({
          message: (error instanceof Error && error.message) || specifiedMessages.unknownError,
          type: 'danger',
        })
      }
    },
  })
}

/** A page that is there already comes to life at once: what it is made of is fetched before the router looks at it. */
export async function resolvePages(pathname: string) {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    const lazy = typeof route.lazy === 'object' ? route.lazy.Component : undefined
    const Component = await lazy?.()
    if (!Component) continue
    route.Component = Component
    delete route.lazy
  }
}

function Starting() {
  const { pathname } = useLocation()
  return (
    <Busy
      text={
        isRecordAddress(pathname) ? specifiedMessages.loadingRoute : specifiedMessages.loadingView
      }
    />
  )
}

/** As long as nobody knows the models, it may be one of theirs: the line of the layout says so, and offers to try again. */
function UnknownPage() {
  useDefinitions()
  if (!isOfUnknownModel()) return <NotFound />
  return (
    <StatusScreen
      title={specifiedMessages.unexpectedError}
      detail={siteMessages.notLoaded(siteMessages.parts.page)}
      illustration="broken"
    >
      <Link className="btn btn-primary" to="/">
        {siteMessages.backHome}
      </Link>
    </StatusScreen>
  )
}

function PageError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <ErrorScreen backTo="/" backLabel={siteMessages.backHome} />
}
