import { useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { listMessages } from '#messages/list.ts'
import type { DefinitionField } from '#data/field.ts'
import { canDo, type Definition } from '#data/definitions.ts'
import { lazyModule, LazyModuleFailed, LazyModulePending, useLazyModule } from '#ui/lazy-module.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { FilterEditor } from '#records/filter/lazy-editor.tsx'
import { supportsQueries } from '#records/query/columns.ts'
import { toFilter, writeFilter, type Chip } from '#records/query/filter.ts'
import { withChange, type ListQuery } from '#records/query/list-url.ts'
import type { Names } from '#records/query/filter-labels.ts'
import type * as Chips from '#records/filter/chips.tsx'
import { SearchBox } from './search-box.tsx'

/** Lazy-loaded: most lists are only read. */
const viewMenu = lazyModule(listMessages.parts.viewOptions, () => import('./view-menu.tsx'))

/** Lazy-loaded: only a filtered list needs the chips. */
const importChips = () => import('#records/filter/chips.tsx')
const filterChips = lazyModule(listMessages.parts.filters, importChips)
export const prepareChips = filterChips.prepare

/** Display names of the filter's records, once the chips are loaded. */
export const readNames = async (...asked: Parameters<typeof Chips.readFilterNames>) =>
  (await importChips().catch(() => null))?.readFilterNames(...asked)

type Props = {
  definition: Definition
  query: ListQuery
  chips: Chip[]
  names: Names
  columns: DefinitionField[]
}

export function FilterBar({ definition, query, chips, names, columns }: Props) {
  const { fields, title } = definition.viewData
  const isNarrowed = query.q !== '' || chips.length > 0
  // Names of chosen records, until the reloaded list has them.
  const [chosen, setChosen] = useState<Names>({})
  const parts = useLazyModule(filterChips, isNarrowed)
  if (!supportsQueries(definition) && chips.length === 0) return null
  const show = (next: Chip[], named?: Names) => {
    setChosen({ ...chosen, ...named })
    query.change({ filter: writeFilter(toFilter(next)) })
  }

  return (
    <div className="filterbar" role="search" aria-label={listMessages.search(title)}>
      {fields.some(({ searchable }) => searchable) && (
        <SearchBox key={definition.path} title={title} query={query} />
      )}
      {parts && (
        <parts.FilterChips
          fields={fields}
          title={title}
          query={query}
          chips={chips}
          names={{ ...chosen, ...names }}
          show={show}
        />
      )}
      {isNarrowed && !parts && <LazyModuleFailed part={filterChips} />}
      <Popover
        button={
          <>
            <RecordIcon name="plus" /> {listMessages.filter}
          </>
        }
        buttonClass="chip add"
        label={listMessages.addFilter}
      >
        {(close) => (
          <FilterEditor
            context={{ fields, names: {} }}
            chip={null}
            onApply={(chip, named) => {
              close()
              show([...chips, chip], named)
            }}
          />
        )}
      </Popover>
      <span className="bar-end">
        <TrashSwitch definition={definition} query={query} />
        <Popover
          button={<RecordIcon name="layout-three-columns" />}
          name={listMessages.view}
          title={listMessages.view}
          buttonClass="btn btn-quiet btn-icon btn-sm"
          label={listMessages.view}
        >
          {() => <ViewMenu definition={definition} columns={columns} query={query} />}
        </Popover>
      </span>
    </div>
  )
}

function TrashSwitch({ definition, query }: Pick<Props, 'definition' | 'query'>) {
  const canDelete = canDo(definition, 'delete', toVisitor(useAuth().user))
  if (!definition.trash || !canDelete) return null
  return (
    <Link
      className="btn btn-quiet btn-sm trash-switch"
      to={{ search: withChange(query.search, { trash: query.isTrash ? null : 'true' }) }}
      aria-current={query.isTrash || undefined}
    >
      <RecordIcon name="trash3" />{' '}
      {query.isTrash ? listMessages.leaveTrash(definition.viewData.title) : listMessages.trash}
    </Link>
  )
}

function ViewMenu(props: Pick<Props, 'definition' | 'columns' | 'query'>) {
  const loaded = useLazyModule(viewMenu)
  return loaded ? <loaded.ViewMenu {...props} /> : <LazyModulePending part={viewMenu} />
}
