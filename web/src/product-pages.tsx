import type { RouteObject } from 'react-router'
import { heads } from './heads.ts'
import { siteMessages } from '#messages/site.ts'
import type { Handle } from '#layout/crumb.ts'
import { importPage } from '#ui/import-chunk.ts'
import { requireLevel } from '#data/guard.ts'
import { isForStaff, loadAudience } from '#data/audience.ts'
import type { RequestDetails } from '#data/tickets.ts'

/** Lazy-loaded: only signed-in users have requests. */
const loadTickets = () => importPage(() => import('#data/tickets.ts'))

const fetchSessions = () => importPage(() => import('#portal/sessions.tsx'))
const fetchSystem = () => importPage(() => import('#desk/system.tsx'))
const fetchPeople = () => importPage(() => import('#desk/people.tsx'))
const fetchEvents = () => importPage(() => import('#desk/logs/security-events.tsx'))
const fetchChanges = () => importPage(() => import('#desk/logs/changes.tsx'))

/** Pages beyond the specification that need our own API. A function: the router mutates `lazy`. */
export const buildProductPages = (): (RouteObject & { handle?: Handle })[] => [
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
          Component: async () => (await importPage(() => import('#portal/requests.tsx'))).Requests,
        },
      },
      {
        path: ':id',
        handle: { crumb: ({ data }) => (data as RequestDetails).ticket.subject } satisfies Handle,
        loader: async ({ request, params }) =>
          (await loadTickets()).loadRequest(params['id'] ?? '', request.signal),
        lazy: {
          Component: async () =>
            (await importPage(() => import('#portal/request-page.tsx'))).RequestPage,
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
      (await importPage(() => import('#desk/load-desk.ts'))).loadDesk(request.signal),
    lazy: { Component: async () => (await importPage(() => import('#desk/desk.tsx'))).Desk },
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
]
