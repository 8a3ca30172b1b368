import { useAuth } from 'react-oidc-context'
import { Link, useLoaderData, useLocation } from 'react-router'
import { callApi } from '#api.ts'
import { toVisitor } from '#auth.ts'
import { texts } from '#content/texts.ts'
import { typeOf } from '#forms/values.ts'
import { canDo, nameOf, type Definition } from '#models.ts'
import { Icon } from '#ui/icon.tsx'
import { Cell } from './cell.tsx'
import { displayOf, failure, guarded, readBody, type RecordData } from './loading.ts'
import '#styles/records.scss'

type Page = {
  items: RecordData[]
  next: string | null
  previous: string | null
  total: { count: number; exact: boolean } | null
}

/** Parameters that are meant for the page, not for the API. */
const OURS = ['toast', 'modal']

export const loadList = (definition: Definition, request: Request) =>
  guarded(async () => {
    const query = new URL(request.url).searchParams
    for (const name of OURS) query.delete(name)
    // The router's mark of an index route.
    query.delete('index', '')
    const search = query.size > 0 ? `?${query}` : ''
    const response = await callApi(`${definition.routeName}${search}`, { signal: request.signal })
    if (!response.ok) throw failure(texts.listError(response.status), response)
    return { definition, page: toPage(await readBody(response)) }
  })

/** Our own answer, or the bare list of another server. */
function toPage(body: unknown): Page {
  const read = (name: string): unknown => Reflect.get(Object(body), name)
  const items = Array.isArray(body) ? body : read('items')
  const total = read('total')
  return {
    items: Array.isArray(items)
      ? items.filter((item) => typeof item === 'object' && item !== null)
      : [],
    next: typeof read('next') === 'string' ? String(read('next')) : null,
    previous: typeof read('previous') === 'string' ? String(read('previous')) : null,
    total: typeof total === 'object' && total !== null ? (total as Page['total']) : null,
  }
}

export function List() {
  const { definition, page } = useLoaderData<Awaited<ReturnType<typeof loadList>>>()
  const visitor = toVisitor(useAuth().user)
  const path = `/${definition.path.toLowerCase()}`
  const { title } = definition.viewData
  return (
    <>
      <title>{title}</title>
      <div className="work-h">
        <h1>{title}</h1>
        {page.total && (
          <span className="cnt num">{texts.total(page.total.count, page.total.exact)}</span>
        )}
        <div className="acts">
          {canDo(definition, 'create', visitor) && (
            <Link
              className="btn btn-primary btn-sm"
              to={`${path}/create`}
              aria-label={texts.create(nameOf(definition))}
            >
              <Icon name="plus-lg" /> {texts.createShort}
            </Link>
          )}
        </div>
      </div>
      <div className="panel grid-panel">
        {page.items.length === 0 ? (
          <div className="empty">
            <p>{texts.noData}</p>
          </div>
        ) : (
          <Table definition={definition} items={page.items} path={path} />
        )}
        <Pager page={page} />
      </div>
    </>
  )
}

type TableProps = { definition: Definition; items: RecordData[]; path: string }

function Table({ definition, items, path }: TableProps) {
  const visitor = toVisitor(useAuth().user)
  const columns = columnsOf(definition, items)
  const canUpdate = canDo(definition, 'update', visitor)
  const canDelete = canDo(definition, 'delete', visitor)
  return (
    // A wide table scrolls inside its own region, which the keyboard must be able to reach.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="tbl-wrap" tabIndex={0} aria-label={definition.viewData.title}>
      <table className="tbl">
        <thead>
          <tr>
            {columns.map((field) => (
              <th key={field.name} scope="col" className={isRight(field.type) ? 'r' : undefined}>
                {field.label}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{texts.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((record) => {
            const id = encodeURIComponent(String(record['id']))
            const name = displayOf(definition, record)
            return (
              <tr key={id}>
                {columns.map((field, place) => (
                  <td
                    key={field.name}
                    className={isRight(field.type) ? 'r' : place === 0 ? 'c-main' : undefined}
                  >
                    {place === 0 ? (
                      <Link to={`${path}/${id}`}>{name || texts.empty}</Link>
                    ) : (
                      <Cell field={field} record={record} />
                    )}
                  </td>
                ))}
                <td className="c-act">
                  {canUpdate && (
                    <Link
                      className="btn btn-quiet btn-icon btn-sm"
                      to={`${path}/edit/${id}`}
                      aria-label={`${texts.edit} ${name}`}
                    >
                      <Icon name="pencil" />
                    </Link>
                  )}
                  {canDelete && (
                    <Link
                      className="btn btn-quiet btn-icon btn-sm"
                      to={`${path}/delete/${id}`}
                      aria-label={`${texts.delete} ${name}`}
                    >
                      <Icon name="trash3" />
                    </Link>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )

  function isRight(type: string) {
    const known = typeOf({ name: '', label: '', type })
    return ['integer', 'decimal', 'date', 'datetime'].includes(known)
  }
}

/** The display field first, then what the list really holds. */
function columnsOf({ viewData }: Definition, items: RecordData[]) {
  const display = viewData.fields.find(({ name }) => name === viewData.displayField) ?? {
    name: viewData.displayField,
    label: viewData.displayField,
    type: 'text',
  }
  const rest = viewData.fields.filter(
    ({ name }) => name !== display.name && items.some((item) => name in item),
  )
  return [display, ...rest]
}

function Pager({ page }: { page: Page }) {
  const { search } = useLocation()
  if (!page.next && !page.previous) return null
  const link = (name: 'after' | 'before', cursor: string) => {
    const query = new URLSearchParams(search)
    query.delete('after')
    query.delete('before')
    query.set(name, cursor)
    return `?${query}`
  }
  return (
    <nav className="pager" aria-label={texts.paging}>
      <span className="sp">
        {page.previous ? (
          <Link className="btn btn-secondary btn-sm" to={link('before', page.previous)}>
            <Icon name="chevron-left" /> {texts.previous}
          </Link>
        ) : (
          <button type="button" className="btn btn-secondary btn-sm" disabled>
            <Icon name="chevron-left" /> {texts.previous}
          </button>
        )}
        {page.next ? (
          <Link className="btn btn-secondary btn-sm" to={link('after', page.next)}>
            {texts.next} <Icon name="chevron-right" />
          </Link>
        ) : (
          <button type="button" className="btn btn-secondary btn-sm" disabled>
            {texts.next} <Icon name="chevron-right" />
          </button>
        )}
      </span>
    </nav>
  )
}
