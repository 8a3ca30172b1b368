import type { Action } from '@gatehouse/model'
import type { RouteObject } from 'react-router'
import { recordMessages } from '#messages/record.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import type { Handle, Match } from '#layout/crumb.ts'
import { fetchPage } from '#ui/fetch-part.ts'
import { definitionAt, type Definition } from '#data/definitions.ts'
import { Busy } from '#ui/status-screen.tsx'
import { recordAction } from '#records/record/actions.ts'
import { ErrorScreen } from '#records/frame/error-screen.tsx'
import { requireAccess } from './guard.ts'
import { displayOf, type RecordData } from '#records/record/loading.ts'
import { ModelFrame } from '#records/frame/frame.tsx'

/** The pages of one model, at its lowercase path. */
export function buildModelRoute(given: Definition): RouteObject {
  const path = given.path.toLowerCase()
  // The definition may be refreshed while the page is open (sign-in, sign-out): always ask for the current one.
  const current = () => definitionAt(path) ?? given
  const guard = (action: Action) => [requireAccess(current, action)]
  const recordCrumb = ({ data, params }: Match) =>
    displayOf(current(), (Reflect.get(Object(data), 'record') as RecordData | undefined) ?? null) ||
    (params['id'] ?? '')
  const above: Handle['above'] = (match) => ({
    to: `/${path}/${encodeURIComponent(match.params['id'] ?? '')}`,
    label: recordCrumb(match),
  })
  const errorElement = (
    <ErrorScreen backTo={`/${path}`} backLabel={recordMessages.backToList(given.viewData.title)} />
  )
  const shared = { errorElement, HydrateFallback: LoadingRoute }
  return {
    path,
    handle: { crumb: given.viewData.title } satisfies Handle,
    errorElement,
    // What is sent to the bare path reaches this route, not its index.
    action: ({ request }) => recordAction(current(), request, undefined),
    element: <ModelFrame title={given.viewData.title} />,
    children: [
      {
        index: true,
        HydrateFallback: LoadingRoute,
        middleware: guard('list'),
        loader: async ({ request }) =>
          (await fetchPage(() => import('#records/list/list.tsx'))).loadList(current(), request),
        lazy: {
          Component: async () => (await fetchPage(() => import('#records/list/list.tsx'))).List,
          ErrorBoundary: async () =>
            (await fetchPage(() => import('#records/list/error.tsx'))).ListError,
        },
        action: ({ request }) => recordAction(current(), request, undefined),
      },
      {
        path: 'create',
        ...shared,
        middleware: guard('create'),
        handle: { crumb: recordMessages.createShort } satisfies Handle,
        loader: async ({ request }) =>
          (await fetchPage(() => import('#records/form/create.tsx'))).loadCreate(
            current(),
            request,
          ),
        lazy: {
          Component: async () => (await fetchPage(() => import('#records/form/create.tsx'))).Create,
        },
        action: ({ request }) => recordAction(current(), request, undefined),
      },
      {
        path: ':id',
        ...shared,
        middleware: guard('get'),
        handle: { crumb: recordCrumb } satisfies Handle,
        loader: async ({ request, params }) =>
          (await fetchPage(() => import('#records/detail/detail.tsx'))).loadDetail(
            current(),
            params['id'] ?? '',
            request,
          ),
        lazy: {
          Component: async () =>
            (await fetchPage(() => import('#records/detail/detail.tsx'))).Detail,
        },
        action: ({ request, params }) => recordAction(current(), request, params['id']),
      },
      {
        path: ':id/history',
        ...shared,
        middleware: guard('get'),
        handle: { crumb: recordMessages.history, above } satisfies Handle,
        loader: async ({ request, params }) =>
          (await fetchPage(() => import('#records/history/history.tsx'))).loadHistory(
            current(),
            params['id'] ?? '',
            request,
          ),
        lazy: {
          Component: async () =>
            (await fetchPage(() => import('#records/history/history.tsx'))).History,
        },
      },
      {
        path: 'edit/:id',
        ...shared,
        middleware: guard('update'),
        handle: { crumb: recordMessages.edit, above } satisfies Handle,
        loader: async ({ request, params }) =>
          (await fetchPage(() => import('#records/form/edit.tsx'))).loadEdit(
            current(),
            params['id'] ?? '',
            request,
          ),
        lazy: {
          Component: async () => (await fetchPage(() => import('#records/form/edit.tsx'))).Edit,
        },
        action: ({ request, params }) => recordAction(current(), request, params['id']),
      },
      {
        path: 'delete/:id',
        ...shared,
        middleware: guard('delete'),
        handle: { crumb: specifiedPageMessages.delete, above } satisfies Handle,
        loader: async ({ request, params }) =>
          (await fetchPage(() => import('#records/detail/detail.tsx'))).loadDetail(
            current(),
            params['id'] ?? '',
            request,
          ),
        lazy: {
          Component: async () =>
            (await fetchPage(() => import('#records/detail/delete.tsx'))).Delete,
        },
        action: ({ request, params }) => recordAction(current(), request, params['id']),
      },
    ],
  }
}

const LoadingRoute = () => <Busy text={specifiedMessages.loadingRoute} />
