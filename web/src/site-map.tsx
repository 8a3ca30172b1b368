import type { RouteObject } from 'react-router'
import { heads, serviceHead } from './heads.ts'
import { UnknownPage } from './status-pages.tsx'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import type { ServicePage } from '#public/catalogue.ts'
import type { Handle } from '#layout/crumb.ts'
import { fetchPage } from '#ui/fetch-part.ts'
import { requireLevel } from '#data/guard.ts'
import { isForStaff, loadAudience } from '#data/audience.ts'
import type { RequestDetails } from '#data/tickets.ts'
import { firstSegment, isOfUnknownModel } from '#data/definitions.ts'

const fetchCatalogue = () => fetchPage(() => import('#public/catalogue.ts'))

const catalogue = {
  handle: { head: () => heads.services },
  loader: async () => (await fetchCatalogue()).loadCatalogue(),
  lazy: { Component: async () => (await fetchPage(() => import('#public/services.tsx'))).Services },
}

/** Catch-all: may be a record address while the models are not loaded. */
export const unknownPage = {
  handle: {
    crumb: () =>
      isOfUnknownModel() ? specifiedMessages.unexpectedError : siteMessages.notFoundCrumb,
    head: () => (isOfUnknownModel() ? heads.unexpectedError : heads.notFound),
  },
  Component: UnknownPage,
}

/** Lazy: only signed-in users have requests. */
const loadTickets = () => fetchPage(() => import('#data/tickets.ts'))

const fetchProfile = () => fetchPage(() => import('#public/profile.tsx'))
const fetchSessions = () => fetchPage(() => import('#portal/sessions.tsx'))
const fetchSystem = () => fetchPage(() => import('#desk/system.tsx'))
const fetchPeople = () => fetchPage(() => import('#desk/people.tsx'))
const fetchEvents = () => fetchPage(() => import('#desk/logs/security-events.tsx'))
const fetchChanges = () => fetchPage(() => import('#desk/logs/changes.tsx'))
const fetchCallbacks = () => fetchPage(() => import('#auth/pages/callbacks.tsx'))

/** All fixed routes. Record routes are added when the first is opened. */
export const pages: (RouteObject & { handle?: Handle })[] = [
  {
    index: true,
    handle: { head: () => heads.profile },
    lazy: { Component: async () => (await fetchProfile()).Profile },
  },
  {
    path: 'profile',
    handle: { crumb: specifiedMessages.profile, head: () => heads.profile },
    lazy: { Component: async () => (await fetchProfile()).Profile },
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
  // Two paths, as the profile links to both; the first is canonical.
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
        loader: async ({ params }) => (await fetchCatalogue()).loadService(params['slug'] ?? ''),
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
        loader: async ({ request }) => (await loadTickets()).loadRequests(request.signal),
        lazy: {
          Component: async () => (await fetchPage(() => import('#portal/requests.tsx'))).Requests,
        },
      },
      {
        path: ':id',
        handle: { crumb: ({ data }) => (data as RequestDetails).ticket.subject } satisfies Handle,
        loader: async ({ request, params }) =>
          (await loadTickets()).loadRequest(params['id'] ?? '', request.signal),
        lazy: {
          Component: async () =>
            (await fetchPage(() => import('#portal/request-page.tsx'))).RequestPage,
        },
      },
    ],
  },
  {
    path: 'sessions',
    handle: { crumb: siteMessages.sessions, head: () => heads.sessions },
    middleware: [requireLevel('user')],
    loader: async ({ request }) => (await fetchSessions()).loadSessions(request.signal),
    lazy: {
      Component: async () => (await fetchSessions()).Sessions,
    },
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
    loader: async ({ request }) => (await fetchSystem()).loadSystem(request.signal),
    lazy: { Component: async () => (await fetchSystem()).System },
  },
  {
    path: 'people',
    handle: { crumb: siteMessages.people, head: () => heads.people },
    middleware: [requireLevel('owner')],
    loader: async ({ request }) => (await fetchPeople()).loadPeople(request.signal),
    lazy: { Component: async () => (await fetchPeople()).People },
  },
  {
    path: 'security-events',
    handle: { crumb: siteMessages.securityEvents, head: () => heads.securityEvents },
    middleware: [requireLevel('owner')],
    loader: async ({ request }) => (await fetchEvents()).loadEvents(request),
    lazy: {
      Component: async () => (await fetchEvents()).SecurityEvents,
    },
  },
  {
    path: 'changes',
    handle: { crumb: siteMessages.changes, head: () => heads.changes },
    middleware: [requireLevel('owner')],
    loader: async ({ request }) => (await fetchChanges()).loadChanges(request),
    lazy: {
      Component: async () => (await fetchChanges()).Changes,
    },
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
      Component: async () => (await fetchCallbacks()).SignInCallback,
    },
  },
  {
    path: 'logout-callback',
    handle: { crumb: specifiedMessages.logout, head: () => heads.signOut },
    lazy: {
      Component: async () => (await fetchCallbacks()).SignOutCallback,
    },
  },
  {
    path: 'unauthorised',
    handle: { crumb: siteMessages.unauthorisedCrumb, head: () => heads.unauthorised },
    lazy: {
      Component: async () =>
        (await fetchPage(() => import('#auth/pages/unauthorised.tsx'))).Unauthorised,
    },
  },
  {
    path: '*',
    ...unknownPage,
  },
]

/** Paths handled by the server. */
const SERVED_PATHS = [
  'api',
  'healthz',
  'static',
  'config.json',
  'robots.txt',
  'sitemap.xml',
  'silent-renew.html',
  'speculation-rules.json',
  'theme.js',
]

/** Reserved paths: no definition can take them. */
export const FIXED_PATHS = [
  ...pages.flatMap(({ path }) => (path && path !== '*' ? [firstSegment(`/${path}`)] : [])),
  ...SERVED_PATHS,
]
