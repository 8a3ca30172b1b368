import type { ComponentProps } from 'react'
import { useAuth } from 'react-oidc-context'
import { data, Link, redirect, replace, useLoaderData } from 'react-router'
import { callApi } from '#data/client.ts'
import { readFailure, statusPhrase } from '#data/failure.ts'
import { toVisitor } from '#auth/auth.ts'
import { listMessages } from '#messages/list.ts'
import { recordMessages } from '#messages/record.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { canDo, nameOf, type Definition } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { lazyModule, LazyModulePending, useLazyModule } from '#ui/lazy-module.tsx'
import { FilterBar, prepareChips, readNames } from './toolbar.tsx'
import { useCounts } from '#records/shared/counts.ts'
import { columnsOf, dropInvalidSort } from '#records/query/columns.ts'
import { readFilter, toChips } from '#records/query/filter.ts'
import { toPage, type Page } from '#records/query/page.ts'
import { useListQuery, type ListQuery } from '#records/query/list-url.ts'
import type { ListEmpty } from './empty-list.tsx'
import { ListTable } from './table.tsx'
import { withRemembered } from '#records/query/preferences.ts'
import { withLabels } from '#records/shared/labels.ts'
import { withLoaderErrors, readBody } from '#records/shared/loader-errors.ts'
import { ViewPageLink } from '#records/shared/view-page-link.tsx'
import { Pager } from './pager.tsx'
import '#styles/records.scss'

const PAGE_ONLY_PARAMS = ['toast', 'modal']

/** Lazy-loaded: most lists are not empty. */
const empty = lazyModule(siteMessages.parts.page, () => import('./empty-list.tsx'))

export const loadList = (definition: Definition, request: Request) =>
  withLoaderErrors(async () => {
    const { pathname, searchParams: query } = new URL(request.url)
    // `?index` is the router's marker of an index route.
    query.delete('index', '')
    const mended = dropInvalidSort(definition, query) ?? (await withRemembered(definition, query))
    if (mended) throw redirectTo(mended, { pathname, query })
    for (const name of PAGE_ONLY_PARAMS) query.delete(name)
    const search = query.size > 0 ? `?${query}` : ''
    const [response] = await Promise.all([
      callApi(`${definition.routeName}${search}`, { signal: request.signal }),
      (query.has('q') || query.has('filter')) && prepareChips(),
    ])
    if (!response.ok) throw await listFailure(response)
    const found = await readPage(response)
    const items = await withLabels(definition.viewData.fields, found.items, request.signal)
    const page = { ...found, items }
    if (page.items.length === 0) await empty.prepare()
    const chips = toChips(readFilter(query.get('filter')))
    const { fields } = definition.viewData
    const names =
      chips.length > 0 && (await readNames({ fields, chips, items: page.items }, request.signal))
    return { definition, page, names: names || {} }
  })

/** While a link is followed, the history entry to replace would still be that of the page with the link. */
function redirectTo(mended: URLSearchParams, { pathname, query }: ListAddress) {
  const now = new URLSearchParams(window.location.search)
  const isThere = (given: URLSearchParams) =>
    window.location.pathname === pathname && String(given) === String(now)
  const address = mended.size > 0 ? `${pathname}?${mended}` : pathname
  return isThere(query) || isThere(mended) ? replace(address) : redirect(address)
}
type ListAddress = { pathname: string; query: URLSearchParams }

async function readPage(response: Response): Promise<Page> {
  const body = await readBody(response).catch((error: unknown) => {
    throw error instanceof SyntaxError ? unreadable(error.message, listMessages.notAList) : error
  })
  const page = toPage(body)
  if (!page) throw unreadable(listMessages.notAList, '')
  return page
}

/** The server responded, but not with a list: a loader failure. */
const unreadable = (message: string, detail: string) =>
  data(
    { message, detail },
    { status: 500, statusText: statusPhrase({ status: 500, statusText: '' }) },
  )

/** For the error screen: the specified text, and the server's message. */
async function listFailure(response: Response) {
  const { text } = await readFailure(response)
  return data(
    { message: specifiedPageMessages.listError(response.status), detail: text },
    { status: response.status, statusText: statusPhrase(response) },
  )
}

export function List() {
  const { definition, page, names } = useLoaderData<Awaited<ReturnType<typeof loadList>>>()
  const query = useListQuery(definition)
  const { title } = definition.viewData
  const chips = toChips(readFilter(query.filter))
  const isFiltered = query.q !== '' || chips.length > 0
  const columns = columnsOf({ definition, items: page.items, chosen: query.columns })
  const all = useTotalOfAll(definition, query)
  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
        <Count page={page} all={isFiltered ? all : null} />
        <Actions definition={definition} query={query} />
      </div>
      {query.isTrash && (
        <p className="note info trash-note">
          <Icon name="info-circle-fill" /> {listMessages.trashNote}
        </p>
      )}
      <div className="panel grid-panel" aria-busy={query.isPending}>
        <FilterBar
          definition={definition}
          query={query}
          chips={chips}
          names={names}
          columns={columns}
        />
        {page.items.length === 0 ? (
          <Empty definition={definition} query={query} chips={chips} all={all} />
        ) : (
          <ListTable definition={definition} items={page.items} columns={columns} query={query} />
        )}
        <Pager page={page} query={query} />
      </div>
    </>
  )
}

function Empty(props: ComponentProps<typeof ListEmpty>) {
  const loaded = useLazyModule(empty)
  return loaded ? <loaded.ListEmpty {...props} /> : <LazyModulePending part={empty} />
}

/** The unfiltered total, if the sidebar has counted it. */
function useTotalOfAll({ path }: Definition, { isTrash }: ListQuery) {
  const total = useCounts()?.get(path)
  return total && !isTrash ? listMessages.upTo(total.count, total.exact) : null
}

function Count({ page: { total }, all }: { page: Page; all: string | null }) {
  if (!total) return null
  const count = listMessages.upTo(total.count, total.exact)
  return <span className="cnt num">{all === null ? count : listMessages.of(count, all)}</span>
}

function Actions({ definition, query }: { definition: Definition; query: ListQuery }) {
  const visitor = toVisitor(useAuth().user)
  if (query.isTrash) return null
  return (
    <div className="acts">
      <ViewPageLink definition={definition} visitor={visitor} />
      {canDo(definition, 'create', visitor) && (
        <Link
          className="btn btn-primary btn-sm"
          to={`/${definition.path.toLowerCase()}/create`}
          aria-label={siteMessages.create(nameOf(definition))}
        >
          <RecordIcon name="plus-lg" /> {recordMessages.createShort}
        </Link>
      )}
    </div>
  )
}
