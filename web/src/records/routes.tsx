import type { Action } from '@gatehouse/model'
import type { ComponentType } from 'react'
import {
  data,
  isRouteErrorResponse,
  Outlet,
  useLoaderData,
  useMatches,
  useParams,
  useRouteError,
  type ActionFunction,
  type LoaderFunctionArgs,
  type MiddlewareFunction,
  type RouteObject,
} from 'react-router'
import { recordMessages } from '#messages/record.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { NO_HEAD, type Head } from '#layout/head.ts'
import type { Handle, Match } from '#layout/crumb.ts'
import { importPage } from '#ui/import-chunk.ts'
import {
  definitionAt,
  definitionsSettled,
  publicDefinitionAt,
  type Definition,
} from '#data/definitions.ts'
import {
  isIndexForReading,
  isReadingData,
  isRecordForReading,
  readingFieldOf,
} from '#data/reading.ts'
import { toVisitor } from '#auth/auth.ts'
import { currentUser } from '#auth/session.ts'
import { readingHead } from '#reading/reading-head.ts'
import type { ReadingData } from '#reading/reading-data.ts'
import { lazyModule, useLazyModule } from '#ui/lazy-module.tsx'
import { Busy } from '#ui/status-screen.tsx'
import { ErrorScreen } from '#records/shell/error-screen.tsx'
import { requireAccess } from './guard.ts'
import { shouldRecount, loadCounts } from '#records/shared/counts.ts'
import { displayOf, type RecordData } from '#records/shared/loader-errors.ts'
import { ModelFrame } from '#records/shell/frame.tsx'

type Params = Pick<Match, 'params'>

/** The site's 404 page and its crumb. */
type Unknown = { crumb: () => string | null; head: () => Head; Component: ComponentType }

/** Error data of a path without a definition. */
const UNKNOWN_MODEL = null

/** The definition of a path, looked up each time: it may be refreshed while a page is open. */
const definitionOf = ({ params }: Params) => requireDefinition(definitionAt(params['model'] ?? ''))
/** Without fields if the API doesn't respond: enough for a reading page. */
const publicDefinitionOf = ({ params }: Params) =>
  requireDefinition(publicDefinitionAt(params['model'] ?? ''))

function requireDefinition(definition: Definition | undefined) {
  if (!definition) throw data(UNKNOWN_MODEL, { status: 404, statusText: 'Not Found' })
  return definition
}

const requireModel: MiddlewareFunction = async (args) => {
  await definitionsSettled()
  publicDefinitionOf(args)
}

const guard = (action: Action) => [requireAccess(definitionOf, action)]
const guardReading = (action: Action) => [requireAccess(publicDefinitionOf, action)]
const idOf = ({ params }: Params) => params['id'] ?? ''

const recordCrumb = (match: Match) =>
  readingTitle(match.data) ??
  (displayOf(
    definitionOf(match),
    (Reflect.get(Object(match.data), 'record') as RecordData | undefined) ?? null,
  ) ||
    idOf(match))
const above: Handle['above'] = (match) => ({
  to: `/${definitionOf(match).path.toLowerCase()}/${encodeURIComponent(idOf(match))}`,
  label: recordCrumb(match),
})

const readingTitle = (loaded: unknown) =>
  isReadingData(loaded) ? (loaded as ReadingData).title : undefined
const headOf = ({ data: loaded }: Match) =>
  isReadingData(loaded) ? readingHead(loaded as ReadingData) : NO_HEAD

/** The model's title, once the page has loaded. */
const modelCrumb =
  (unknown: Unknown) =>
  ({ params, data: loaded }: Match) => {
    const definition = publicDefinitionAt(params['model'] ?? '')
    if (!definition) return unknown.crumb()
    return loaded === undefined ? null : definition.viewData.title
  }

/** Loaders fetch the page that they have data for; the data decides which one is drawn. */
const drawn: { List?: ComponentType; Detail?: ComponentType; Reading?: ComponentType } = {}
const fetchList = () => importPage(() => import('#records/list/list.tsx'))
const fetchCreate = () => importPage(() => import('#records/form/create.tsx'))
const fetchDetail = () => importPage(() => import('#records/detail/detail.tsx'))
const fetchReading = () => importPage(() => import('#reading/reading-page.tsx'))
const fetchReadingLoader = () => importPage(() => import('#reading/load-page.ts'))

/** Before a document with a reading page is hydrated. */
export async function prepareReading() {
  drawn.Reading = (await fetchReading()).ReadingPage
}

async function loadIndex(args: LoaderFunctionArgs) {
  const { request } = args
  const definition = publicDefinitionOf(args)
  const { searchParams } = new URL(request.url)
  if (isIndexForReading(definition, toVisitor(await currentUser()), searchParams)) {
    const [{ loadReadingIndex }] = await Promise.all([fetchReadingLoader(), prepareReading()])
    return loadReadingIndex(definition, request)
  }
  const { List, loadList } = await fetchList()
  drawn.List = List
  return loadList(definitionOf(args), request)
}

async function loadRecordPage(args: LoaderFunctionArgs) {
  const { request } = args
  const id = idOf(args)
  const definition = publicDefinitionOf(args)
  if (readingFieldOf(definition) !== undefined) {
    const { searchParams } = new URL(request.url)
    const { loadReadingPage, redirectToRecord } = await fetchReadingLoader()
    if (isRecordForReading(definition, toVisitor(await currentUser()), searchParams)) {
      await prepareReading()
      return loadReadingPage(definition, id, request)
    }
    await redirectToRecord(definition, id, request)
  }
  const { Detail, loadDetail } = await fetchDetail()
  drawn.Detail = Detail
  return loadDetail(definitionOf(args), id, request)
}

const fetchHistory = () => importPage(() => import('#records/history/history.tsx'))
const fetchEdit = () => importPage(() => import('#records/form/edit.tsx'))

/** Lazy-loaded: most users never submit. */
const action: ActionFunction = async (args) =>
  (await importPage(() => import('#records/shared/actions.ts'))).recordAction(
    definitionOf(args),
    args.request,
    args.params['id'],
  )

/** Routes of every model. A function: the router mutates `lazy`. */
export const buildModelRoutes = (unknown: Unknown): RouteObject => ({
  path: ':model',
  id: 'model',
  middleware: [requireModel],
  // Only our own server has counts.
  loader: (args) => ({
    counts: definitionAt(args.params['model'] ?? '')?.trash
      ? loadCounts(args.request.signal)
      : null,
  }),
  shouldRevalidate: shouldRecount,
  handle: {
    crumb: modelCrumb(unknown),
    head: ({ params }) => (publicDefinitionAt(params['model'] ?? '') ? NO_HEAD : unknown.head()),
    needsNoData: true,
  } satisfies Handle,
  errorElement: <RecordError unknown={unknown} />,
  HydrateFallback: LoadingRoute,
  // Submissions to the bare path reach this route, not its index.
  action,
  Component: Frame,
  children: [
    {
      index: true,
      id: 'model-index',
      HydrateFallback: LoadingRoute,
      middleware: guardReading('list'),
      handle: { head: headOf } satisfies Handle,
      loader: (args) => loadIndex(args).catch(withListError),
      Component: Index,
      errorElement: <ListFailed unknown={unknown} />,
      action,
    },
    {
      path: 'create',
      ...shared(unknown),
      middleware: guard('create'),
      handle: { crumb: recordMessages.createShort } satisfies Handle,
      loader: async (args) => (await fetchCreate()).loadCreate(definitionOf(args), args.request),
      lazy: {
        Component: async () => (await fetchCreate()).Create,
      },
      action,
    },
    {
      path: ':id',
      id: 'model-record',
      ...shared(unknown),
      middleware: guardReading('get'),
      handle: { crumb: recordCrumb, head: headOf } satisfies Handle,
      loader: (args) => loadRecordPage(args),
      Component: Record,
      action,
    },
    {
      // Internal: has no page.
      path: ':id/neighbours',
      handle: { crumb: unknown.crumb, head: unknown.head } satisfies Handle,
      loader: async (args) =>
        (await importPage(() => import('#records/detail/neighbours.tsx'))).loadNeighbours(
          definitionOf(args),
          idOf(args),
          args.request,
        ),
      Component: unknown.Component,
    },
    {
      path: ':id/history',
      ...shared(unknown),
      middleware: guard('get'),
      handle: { crumb: recordMessages.history, above } satisfies Handle,
      loader: async (args) =>
        (await fetchHistory()).loadHistory(definitionOf(args), idOf(args), args.request),
      lazy: {
        Component: async () => (await fetchHistory()).History,
      },
    },
    {
      path: 'edit/:id',
      ...shared(unknown),
      middleware: guard('update'),
      handle: { crumb: recordMessages.edit, above } satisfies Handle,
      loader: async (args) =>
        (await fetchEdit()).loadEdit(definitionOf(args), idOf(args), args.request),
      lazy: {
        Component: async () => (await fetchEdit()).Edit,
      },
      action,
    },
    {
      path: 'delete/:id',
      ...shared(unknown),
      middleware: guard('delete'),
      handle: { crumb: specifiedPageMessages.delete, above } satisfies Handle,
      loader: async (args) =>
        (await fetchDetail()).loadDelete(definitionOf(args), idOf(args), args.request),
      lazy: {
        Component: async () =>
          (await importPage(() => import('#records/detail/delete.tsx'))).Delete,
      },
      action,
    },
  ],
})

const shared = (unknown: Unknown) => ({
  errorElement: <RecordError unknown={unknown} />,
  HydrateFallback: LoadingRoute,
})

const LoadingRoute = () => <Busy text={specifiedMessages.loadingRoute} />

function Index() {
  const Page = isReadingData(useLoaderData()) ? drawn.Reading : drawn.List
  return Page && <Page />
}

function Record() {
  const Page = isReadingData(useLoaderData()) ? drawn.Reading : drawn.Detail
  return Page && <Page />
}

/** Reading pages have no sidebar and no counts. */
function Frame() {
  const isReading = useMatches().some(({ loaderData }) => isReadingData(loaderData))
  return isReading ? <Outlet /> : <RecordsFrame />
}

function RecordsFrame() {
  return <ModelFrame title={definitionAt(useParams()['model'] ?? '')?.viewData.title ?? ''} />
}

/** Lazy-loaded: most lists load. */
const listError = lazyModule(siteMessages.parts.page, () => import('#records/list/list-error.tsx'))

/** Loads the list's error screen, then rejects: otherwise it would first appear without its heading. */
async function withListError(reason: unknown): Promise<never> {
  if (!(reason instanceof Response)) await listError.prepare()
  throw reason
}

function ListFailed({ unknown }: { unknown: Unknown }) {
  const loaded = useLazyModule(listError)
  const { failures } = listError.use()
  if (loaded) return <loaded.ListError />
  return failures > 0 && <RecordError unknown={unknown} />
}

function RecordError({ unknown }: { unknown: Unknown }) {
  const definition = publicDefinitionAt(useParams()['model'] ?? '')
  const error = useRouteError()
  // The definition may have loaded since, but this navigation found none.
  const isUnknown = isRouteErrorResponse(error) && error.data === UNKNOWN_MODEL
  if (!definition || isUnknown) return <unknown.Component />
  return (
    <ErrorScreen
      backTo={`/${definition.path.toLowerCase()}`}
      backLabel={recordMessages.backToList(definition.viewData.title)}
    />
  )
}
