import { PAGE_SIZE } from '@gatehouse/model'
import { Link, useLocation } from 'react-router'
import { listMessages } from '#messages/list.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { renderMarked } from '#ui/render-marked.tsx'
import type { Page } from '#records/query/page.ts'
import { PAGE_SIZES, withCursor, type ListQuery } from '#records/query/list-url.ts'

type Props = { page: Page; query: ListQuery }

/** Hidden for servers that return a bare array. */
export function Pager({ page, query }: Props) {
  const isPaged = page.total !== null || page.next !== null || page.previous !== null
  if (!isPaged || (page.items.length === 0 && !page.next && !page.previous)) return null
  return (
    <div className="pager">
      <Rows query={query} />
      <Range page={page} query={query} />
      <PageLinks page={page} query={query} />
    </div>
  )
}

function Rows({ query }: { query: ListQuery }) {
  const sizes = PAGE_SIZES.includes(query.limit) ? PAGE_SIZES : [query.limit, ...PAGE_SIZES]
  return (
    <label className="rows">
      {listMessages.rows}
      <select
        className="form-select"
        value={query.limit}
        onChange={({ target }) =>
          query.change({ limit: Number(target.value) === PAGE_SIZE ? null : target.value })
        }
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The range shown. Cursors have no offset, so it is known only if derived from the navigation. */
function Range({ page, query }: Props) {
  const first = useFirst(page)
  const { items, total } = page
  if (items.length === 0) return null
  const all = total && listMessages.upTo(total.count, total.exact)
  return (
    <span className="range num" role="status">
      {first === null
        ? all
        : renderMarked(listMessages.range(first, first + items.length - 1, all), (text) => (
            <b>{text}</b>
          ))}
      {total && !total.exact && (
        <button
          type="button"
          className="btn btn-quiet btn-sm"
          onClick={() => query.change({ total: 'exact' }, { replace: true })}
        >
          {listMessages.countExactly}
        </button>
      )}
    </span>
  )
}

function useFirst({ previous }: Page): number | null {
  const { state } = useLocation()
  if (previous === null) return 1
  const first: unknown = Reflect.get(Object(state), 'first')
  return typeof first === 'number' && first > 0 ? first : null
}

function PageLinks({ page, query }: Props) {
  const first = useFirst(page)
  if (!page.next && !page.previous) return null
  const back = first === null || first <= query.limit ? null : first - query.limit
  const on = first === null ? null : first + page.items.length
  return (
    <nav className="sp" aria-label={listMessages.paging}>
      {page.previous ? (
        <Link
          className="btn btn-secondary btn-sm"
          to={withCursor(query.search, 'before', page.previous)}
          state={{ first: back }}
        >
          <RecordIcon name="chevron-left" /> {listMessages.previous}
        </Link>
      ) : (
        <button type="button" className="btn btn-secondary btn-sm" disabled>
          <RecordIcon name="chevron-left" /> {listMessages.previous}
        </button>
      )}
      {page.next ? (
        <Link
          className="btn btn-secondary btn-sm"
          to={withCursor(query.search, 'after', page.next)}
          state={{ first: on }}
        >
          {listMessages.next} <RecordIcon name="chevron-right" />
        </Link>
      ) : (
        <button type="button" className="btn btn-secondary btn-sm" disabled>
          {listMessages.next} <RecordIcon name="chevron-right" />
        </button>
      )}
    </nav>
  )
}
