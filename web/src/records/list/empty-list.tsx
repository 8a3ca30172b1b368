import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { listMessages } from '#messages/list.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { canDo, nameOf, type Definition } from '#data/definitions.ts'
import { presentationOf } from '#data/presentation.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import type { Chip } from '#records/query/filter.ts'
import type { ListQuery } from '#records/query/list-url.ts'

type Props = { definition: Definition; query: ListQuery; chips: Chip[]; all: string | null }

export function ListEmpty(props: Props) {
  const { q, isTrash } = props.query
  if (q !== '' || props.chips.length > 0) return <NoMatch {...props} />
  return isTrash ? <TrashEmpty /> : <NothingYet definition={props.definition} />
}

const NoMatch = ({ query, chips, all }: Props) => (
  <div className="empty">
    <h2>{query.q === '' ? listMessages.noMatch : listMessages.noMatchFor(query.q)}</h2>
    <p>
      {[
        `${specifiedPageMessages.noData}.`,
        query.q !== '' && chips.length > 0 && listMessages.filtersToo(chips.length),
        chips.length > 0 ? listMessages.clearToSee(all) : listMessages.clearSearch,
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
    <button
      type="button"
      className="btn btn-secondary btn-sm"
      onClick={() => query.change({ q: null, filter: null })}
    >
      {listMessages.clearFilters}
    </button>
  </div>
)

const TrashEmpty = () => (
  <div className="empty">
    <h2>{specifiedPageMessages.noData}</h2>
    <p>{listMessages.trashEmpty}</p>
  </div>
)

function NothingYet({ definition }: { definition: Definition }) {
  const name = nameOf(definition)
  const canCreate = canDo(definition, 'create', toVisitor(useAuth().user))
  return (
    <div className="empty">
      <EmptyState />
      <h2>{specifiedPageMessages.noData}</h2>
      <p>
        {canCreate
          ? (presentationOf(definition).list.empty ??
            listMessages.nothingYet(definition.viewData.title))
          : listMessages.nothingToRead}
      </p>
      {canCreate && (
        <Link className="btn btn-primary btn-sm" to={`/${definition.path.toLowerCase()}/create`}>
          <RecordIcon name="plus-lg" /> {siteMessages.create(name)}
        </Link>
      )}
    </div>
  )
}

const EmptyState = () => (
  <svg className="illustration" viewBox="0 0 148 96" aria-hidden="true">
    <path
      className="wall"
      fillRule="evenodd"
      d="M142 8H48a40 40 0 0 0 0 80H142ZM134 16H48a32 32 0 0 0 0 64H134Z"
    />
    <path className="floor" d="M134 16H48a32 32 0 0 0 0 64H134ZM132 38h12v22h-12z" />
    <path className="route-off" d="M148 49H96" />
  </svg>
)
