import { StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import {
  createStaticHandler,
  createStaticRouter,
  StaticRouterProvider,
  type RouteObject,
  type StaticHandlerContext,
} from 'react-router'
import { toDocument, type Assets } from './document.ts'
import { routesOf } from './router.tsx'
import { site } from '#base/site.ts'
import type { PagePart } from '#base/site-data.ts'
import { SignIn } from '#auth/sign-in.tsx'
import type { Handle } from '#layout/crumb.ts'
import type { Head } from '#layout/head.ts'
import { CookieQuestion, hashOfQuestion } from '#layout/cookie-question.tsx'
import { ToastCard } from '#feedback/toasts.tsx'
import { acceptedMessages } from '#messages/specified-cookies.ts'
import { FIXED_PATHS, PRODUCT_PATHS } from './site-map.tsx'
import { breadcrumbs, firm, people } from '#public/json-ld.ts'

export async function renderPage(
  assets: Assets,
  {
    path,
    source,
    data = null,
    linkedData = [],
    parts = [],
  }: {
    path: string
    source?: string | undefined
    data?: unknown
    linkedData?: object[]
    parts?: PagePart[]
  },
) {
  const { html, context } = await render(path, { data })
  const { handle, match } = lastOf(context)
  const head: Head | undefined = handle.head?.(match)
  if (!head) throw new Error(`${path} has no head`)
  return toDocument(assets, {
    head,
    html,
    source,
    parts,
    data: { path, loaderData: context.loaderData, fixed: FIXED_PATHS, product: PRODUCT_PATHS },
    templates: await renderTemplates(),
    linkedData:
      head.canonical === null
        ? []
        : [
            ...(head.canonical === '/' ? [firm(), ...people()] : []),
            ...linkedData,
            ...breadcrumbs(crumbsOf(context)),
          ],
  })
}

/** `<template>`s that boot.ts copies: the cookie dialog and the toasts of its choices. */
export async function renderTemplates() {
  const { prelude } = await prerender(
    <>
      <template id="cookie-question">
        <CookieQuestion hash={await hashOfQuestion()} />
      </template>
      <template id="toast-all">
        <ToastCard id="" message={acceptedMessages.all} type="success" onClose={() => {}} />
      </template>
      <template id="toast-essential">
        <ToastCard id="" message={acceptedMessages.essential} type="info" onClose={() => {}} />
      </template>
    </>,
  )
  // The content security policy blocks style attributes: the duration is set when shown.
  return (await new Response(prelude).text()).replaceAll(/ style="[^"]*"/g, '')
}

/** Renders the same tree as main.tsx: hydration must match. */
export async function render(
  path: string,
  { data = null, from }: { data?: unknown; from?: RouteObject[] } = {},
) {
  const handler = createStaticHandler(withData(from ?? (await routesOf(path)), data))
  const context = await handler.query(new Request(new URL(path, site.url)))
  if (context instanceof Response) throw new Error(`${path} redirects and can’t be prerendered`)
  const failure = Object.values(context.errors ?? {})[0]
  if (failure) throw failure
  const router = createStaticRouter(handler.dataRoutes, context)
  const { prelude } = await prerender(
    <StrictMode>
      <SignIn>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </SignIn>
    </StrictMode>,
    {
      onError: (error) => {
        throw error
      },
    },
  )
  return { html: await new Response(prelude).text(), context }
}

/** The page itself gets the data; routes above it have none on the server. */
const withData = (given: RouteObject[], data: unknown): RouteObject[] =>
  given.map((route) => ({
    ...route,
    ...(route.loader ? { loader: async () => (route.children ? null : data) } : {}),
    ...(route.children ? { children: withData(route.children, data) } : {}),
  })) as RouteObject[]

const crumbsOf = ({ matches, loaderData }: StaticHandlerContext) =>
  matches.flatMap(({ route, pathname, params }) => {
    const { crumb } = (route.handle ?? {}) as Handle
    if (crumb === undefined) return []
    const label = typeof crumb === 'string' ? crumb : crumb({ data: loaderData[route.id], params })
    if (label === null) return []
    return [{ path: pathname, label }]
  })

function lastOf({ matches, loaderData }: StaticHandlerContext) {
  const last = matches.at(-1)
  return {
    handle: (last?.route.handle ?? {}) as Handle,
    match: { data: loaderData[last?.route.id ?? ''], params: last?.params ?? {} },
  }
}
