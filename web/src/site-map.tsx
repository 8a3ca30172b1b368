import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import { heads } from './heads.ts'
import { UnknownPage } from './status-pages.tsx'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import type { PagePart } from '#base/site-data.ts'
import { loadPart } from '#data/load-part.ts'
import type { Handle, Match } from '#layout/crumb.ts'
import type { ReadingData } from '#reading/reading-data.ts'
import { readingHead } from '#reading/reading-head.ts'
import { importPage } from '#ui/import-chunk.ts'
import { definitionsState, firstSegment, isOfUnknownModel } from '#data/definitions.ts'

/** Two further addresses of the services' page: the profile links to both. */
const servicesAlias = {
  handle: {
    crumb: siteMessages.services,
    head: ({ data }: Match) => readingHead(data as ReadingData),
  } satisfies Handle,
  loader: async ({ request }: LoaderFunctionArgs) =>
    (await importPage(() => import('#reading/load-page.ts'))).loadServicesAlias(request),
  lazy: {
    Component: async () =>
      (await importPage(() => import('#reading/reading-page.tsx'))).ReadingPage,
  },
}

/** Catch-all: may be a record path until the models are loaded. */
export const unknownPage = {
  handle: {
    crumb: () => (isOfUnknownModel() ? null : siteMessages.notFoundCrumb),
    head: () => {
      if (!isOfUnknownModel()) return heads.notFound
      return definitionsState.get().hasFailed ? heads.unexpectedError : heads.loading
    },
  },
  Component: UnknownPage,
}

/** Imports a page after the part of the site's data that it shows. */
const importPageWith = <T,>(part: PagePart, load: () => Promise<T>) =>
  importPage(() => loadPart(part).then(load))
const fetchProfile = () => importPageWith('profile', () => import('#public/profile.tsx'))
const fetchCallbacks = () => importPage(() => import('#auth/pages/callbacks.tsx'))

/** Fixed routes of every deployment. Product and record routes are added when one is opened. */
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
    lazy: {
      Component: async () => (await importPage(() => import('#public/contact.tsx'))).Contact,
    },
  },
  {
    path: 'privacy',
    handle: { crumb: specifiedMessages.privacy },
    children: [
      {
        index: true,
        handle: { head: () => heads.privacy } satisfies Handle,
        lazy: {
          Component: async () =>
            (await importPageWith('notice', () => import('#public/privacy.tsx'))).Privacy,
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
            (await importPage(() => import('#public/request-received.tsx'))).RequestReceived,
        },
      },
    ],
  },
  {
    path: 'security',
    handle: { crumb: siteMessages.security, head: () => heads.security },
    lazy: {
      Component: async () => (await importPage(() => import('#public/security.tsx'))).Security,
    },
  },
  { path: 'msp/services', id: 'msp/services', ...servicesAlias },
  { path: 'msp-services', id: 'msp-services', ...servicesAlias },
  // For links inside the app: the front proxy redirects those from outside.
  {
    path: 'msp/services/:slug',
    loader: async ({ request, params }: LoaderFunctionArgs) =>
      (await importPage(() => import('#reading/load-page.ts'))).redirectToService(
        request,
        params['slug'] ?? '',
      ),
  },
  {
    path: 'login',
    handle: { crumb: specifiedMessages.login, head: () => heads.login },
    lazy: {
      Component: async () => (await importPage(() => import('#auth/pages/login.tsx'))).Login,
    },
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
        (await importPage(() => import('#auth/pages/unauthorised.tsx'))).Unauthorised,
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
  'feed.xml',
  'silent-renew.html',
  'speculation-rules.json',
  'theme.js',
]

/** Reserved paths: no definition can take them. */
export const FIXED_PATHS = [
  ...pages.flatMap(({ path }) => (path && path !== '*' ? [firstSegment(`/${path}`)] : [])),
  ...SERVED_PATHS,
]

/** Reserved if product pages are enabled. Not imported from product-pages.tsx, which is lazy-loaded. */
export const PRODUCT_PATHS = [
  'requests',
  'sessions',
  'desk',
  'system',
  'people',
  'security-events',
  'changes',
]
