import { createBrowserRouter, useLocation, type RouteObject } from 'react-router'
import { heads, serviceHead } from '#content/heads.ts'
import { texts } from '#content/texts.ts'
import { showToast } from '#feedback/toasts.tsx'
import { loadCatalogue, loadService, type ServicePage } from './catalogue.ts'
import type { Handle } from './crumb.ts'
import { Root } from './layout/root.tsx'
import { definitionAt, definitionsSettled, firstSegment, isRecordAddress } from './models.ts'
import { NotFound, Unauthorised } from './pages/status.tsx'
import { ErrorScreen } from './records/error-screen.tsx'
import { buildModelRoute } from './records/routes.tsx'
import { Busy } from './ui/status-screen.tsx'

/** The whole site map. Record pages are added below it, as their definitions arrive. */
const pages: (RouteObject & { handle?: Handle })[] = [
  {
    index: true,
    handle: { head: () => heads.profile },
    lazy: { Component: async () => (await import('./pages/profile.tsx')).Profile },
  },
  {
    path: 'profile',
    handle: { crumb: texts.profile, head: () => heads.profile },
    lazy: { Component: async () => (await import('./pages/profile.tsx')).Profile },
  },
  {
    path: 'contact',
    handle: { crumb: texts.contact, head: () => heads.contact },
    lazy: { Component: async () => (await import('./pages/contact.tsx')).Contact },
  },
  {
    path: 'privacy',
    handle: { crumb: texts.privacy, head: () => heads.privacy },
    lazy: { Component: async () => (await import('./pages/privacy.tsx')).Privacy },
  },
  {
    path: 'security',
    handle: { crumb: texts.security, head: () => heads.security },
    lazy: { Component: async () => (await import('./pages/security.tsx')).Security },
  },
  // One catalogue at two addresses, because the profile links to both; the first is the canonical one.
  ...['msp/services', 'msp-services'].map((path) => ({
    path,
    id: path,
    handle: { crumb: texts.services, head: () => heads.services },
    loader: loadCatalogue,
    lazy: { Component: async () => (await import('./pages/services.tsx')).Services },
  })),
  {
    path: 'msp/services/:slug',
    id: 'service',
    handle: {
      crumb: ({ data }) => (data as ServicePage).service.name,
      head: ({ data }) => serviceHead((data as ServicePage).service),
    },
    loader: ({ params }) => loadService(params['slug'] ?? ''),
    lazy: { Component: async () => (await import('./pages/service.tsx')).ServiceDetail },
  },
  {
    path: 'login',
    handle: { crumb: texts.login, head: () => heads.login },
    lazy: { Component: async () => (await import('./pages/login.tsx')).Login },
  },
  {
    path: 'signin-callback',
    handle: { crumb: texts.signIn, head: () => heads.signIn },
    lazy: { Component: async () => (await import('./pages/callbacks.tsx')).SignInCallback },
  },
  {
    path: 'logout-callback',
    handle: { crumb: texts.logout, head: () => heads.signOut },
    lazy: { Component: async () => (await import('./pages/callbacks.tsx')).SignOutCallback },
  },
  {
    path: 'unauthorised',
    handle: { crumb: texts.unauthorised.title, head: () => heads.unauthorised },
    Component: Unauthorised,
  },
  {
    path: '*',
    handle: { crumb: texts.notFound.title, head: () => heads.notFound },
    Component: NotFound,
  },
]

const routes: RouteObject[] = [
  {
    id: 'root',
    path: '/',
    Component: Root,
    errorElement: <ErrorScreen backTo="/" backLabel={texts.backHome} />,
    HydrateFallback: Starting,
    children: pages,
  },
]

/** Addresses of the site itself, which no definition can take over. */
export const FIXED_PATHS = pages.flatMap(({ path }) =>
  path && path !== '*' ? [firstSegment(`/${path}`)] : [],
)

/** Definitions are waited for only where no fixed page answers: public pages never wait for the API. */
export function buildRouter() {
  const known = new Set<string>()
  return createBrowserRouter(routes, {
    async patchRoutesOnNavigation({ path, patch, signal }) {
      await definitionsSettled()
      const segment = firstSegment(path)
      const definition = definitionAt(segment)
      // A navigation that was interrupted adds nothing: the one that follows it must.
      if (!definition || known.has(segment) || signal.aborted) return
      known.add(segment)
      try {
        patch('root', [buildModelRoute(definition)])
      } catch (error) {
        showToast({
          message: (error instanceof Error && error.message) || texts.unknownError,
          type: 'danger',
        })
      }
    },
  })
}

function Starting() {
  const { pathname } = useLocation()
  return <Busy text={isRecordAddress(pathname) ? texts.loadingRoute : texts.loadingView} />
}
