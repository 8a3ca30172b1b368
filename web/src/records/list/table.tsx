import { useRef } from 'react'
import { Link } from 'react-router'
import { listMessages } from '#messages/list.ts'
import { recordMessages } from '#messages/record.ts'
import { fieldFacts } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import type { Definition } from '#data/definitions.ts'
import { presentationOf } from '#data/presentation.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { Cell } from '#records/shared/cell.tsx'
import { DELETED_AT, displayField, isRight } from '#records/query/columns.ts'
import type { ListQuery } from '#records/query/list-url.ts'
import { displayOf, type RecordData } from '#records/shared/loader-errors.ts'
import type { StartAction } from './row-actions.tsx'
import { ON_ROW, RowMenu, StartedActions } from './row-menu.tsx'

const FACTS_ON_A_PHONE = 2

type Props = {
  definition: Definition
  items: RecordData[]
  columns: DefinitionField[]
  query: ListQuery
}

export function ListTable({ definition, items, columns, query }: Props) {
  const shown = query.isTrash ? [...columns, DELETED_AT] : columns
  const display = displayField(definition).name
  const onPhone = factsOnPhone(definition, shown)
  const path = `/${definition.path.toLowerCase()}`
  const start = useRef<StartAction>(null)
  const classOf = (field: DefinitionField) =>
    [
      field.name === display && 'c-main',
      isRight(field) && 'r',
      field.name !== display && (onPhone.includes(field) ? 'm2' : 'hide-m'),
    ]
      .filter(Boolean)
      .join(' ')
  return (
    // A scrollable region must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="tbl-wrap" tabIndex={0} aria-label={definition.viewData.title}>
      <table className={`tbl stack${query.isCompact ? ' compact' : ''}`}>
        <thead>
          <tr>
            {shown.map((field) => (
              <Head key={field.name} field={field} query={query} />
            ))}
            <th scope="col">
              <span className="visually-hidden">{listMessages.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((record) => {
            const id = encodeURIComponent(String(record['id']))
            const name = displayOf(definition, record) || recordMessages.empty
            return (
              <tr key={id} {...ON_ROW}>
                {shown.map((field) => (
                  <td key={field.name} className={classOf(field)}>
                    {field.name === display ? (
                      <Link
                        to={`${path}/${id}${query.isTrash ? '?trash=true' : ''}`}
                        state={{ list: query.search }}
                      >
                        {name}
                      </Link>
                    ) : (
                      <Cell field={field} record={record} />
                    )}
                  </td>
                ))}
                <td className="c-act">
                  <RowMenu
                    definition={definition}
                    query={query}
                    record={record}
                    path={path}
                    id={id}
                    name={name}
                    start={start}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <StartedActions definition={definition} items={items} start={start} />
    </section>
  )
}

/** Cycles ascending, descending, default order. */
function Head({ field, query }: { field: DefinitionField; query: ListQuery }) {
  const { name, label, sortable } = field
  const direction =
    query.sort === name ? 'ascending' : query.sort === `-${name}` ? 'descending' : null
  const next = direction === null ? name : direction === 'ascending' ? `-${name}` : null
  return (
    <th
      scope="col"
      className={isRight(field) ? 'r' : undefined}
      aria-sort={sortable && direction ? direction : undefined}
    >
      {sortable ? (
        <button
          type="button"
          title={listMessages.sortBy(label)}
          onClick={() => query.change({ sort: next })}
        >
          {label}
          <RecordIcon name={direction === 'descending' ? 'arrow-down' : 'arrow-up'} />
        </button>
      ) : (
        label
      )}
    </th>
  )
}

/** Those the server named, otherwise selects first: short, and usually a status. */
function factsOnPhone(definition: Definition, columns: DefinitionField[]) {
  const { phone = [] } = presentationOf(definition).list
  const others = columns.filter(({ name }) => name !== displayField(definition).name)
  const named = phone.flatMap((name) => others.find((field) => field.name === name) ?? [])
  const choices = others.filter((field) => fieldFacts(field).options === 'one')
  return [...new Set([...named, ...choices, ...others])].slice(0, FACTS_ON_A_PHONE)
}
