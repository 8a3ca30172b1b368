import { useRef, useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link, useRevalidator } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { detailMessages } from '#messages/detail.ts'
import { recordMessages } from '#messages/record.ts'
import { canDo, nameOf, type Definition } from '#data/definitions.ts'
import type { DefinitionField } from '#data/field.ts'
import { presentationOf } from '#data/presentation.ts'
import { CreateDrawer } from '#records/actions/lazy-create-drawer.tsx'
import { isRight } from '#records/query/columns.ts'
import { Cell } from '#records/shared/cell.tsx'
import { useDeferred } from '#records/shared/deferred.ts'
import { displayOf, type RecordData } from '#records/shared/loader-errors.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import type { RelatedSection } from './page-parts.ts'

type Props = {
  section: RelatedSection
  /** The record it belongs to, and its name. */
  record: RecordData
  name: string
  count: { count: number; exact: boolean } | undefined
}

/** Records that refer to this one: the newest five, and a button to add another. */
export function RelatedTable({ section, record, name, count }: Props) {
  const { definition, by, id, query } = section
  const visitor = toVisitor(useAuth().user)
  const page = useDeferred(section.page)
  const { revalidate } = useRevalidator()
  const canAdd = canDo(definition, 'create', visitor)
  const path = `/${definition.path.toLowerCase()}`
  const { title } = definition.viewData
  if (page?.items.length === 0 && !canAdd) return null
  return (
    <section className="rsec" id={id} aria-labelledby={`${id}-title`}>
      <div className="h">
        <h2 id={`${id}-title`}>{titleOf(section)}</h2>
        {count && <span className="n num">{detailMessages.count(count.count, count.exact)}</span>}
        {canAdd && (
          <Add
            definition={definition}
            preset={{ field: by, id: String(record['id']), label: name }}
          />
        )}
      </div>
      {page === null && (
        <LoadFailed what={detailMessages.theseRecords} onRetry={() => void revalidate()} />
      )}
      {page?.items.length === 0 && (
        <p className="none">
          {presentationOf(definition).list.empty ?? detailMessages.noneYet(title)}
        </p>
      )}
      {page && page.items.length > 0 && (
        <Rows definition={definition} columns={section.columns} items={page.items} path={path} />
      )}
      {page && count && (count.count > page.items.length || !count.exact) && (
        <p className="all">
          <Link to={`${path}?${query}`}>
            {detailMessages.allOf(count.count, count.exact, title)}
          </Link>
        </p>
      )}
    </section>
  )
}

export const titleOf = ({ definition, byLabel }: RelatedSection) =>
  byLabel === undefined
    ? definition.viewData.title
    : detailMessages.relatedBy(definition.viewData.title, byLabel)

type RowsProps = {
  definition: Definition
  columns: DefinitionField[]
  items: RecordData[]
  path: string
}

function Rows({ definition, columns, items, path }: RowsProps) {
  const display = definition.viewData.displayField
  return (
    <table className="mt">
      <thead>
        <tr>
          {columns.map((field) => (
            <th key={field.name} scope="col" className={isRight(field) ? 'r' : undefined}>
              {field.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={String(item['id'])}>
            {columns.map((field, place) => (
              <td key={field.name} className={classOf(field, place)}>
                {field.name === display ? (
                  <Link to={`${path}/${encodeURIComponent(String(item['id']))}`}>
                    {displayOf(definition, item) || recordMessages.empty}
                  </Link>
                ) : (
                  <Cell field={field} record={item} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A phone shows the first three columns. */
const classOf = (field: DefinitionField, place: number) =>
  [isRight(field) && 'r', place > 2 && 'x'].filter(Boolean).join(' ') || undefined

type AddProps = { definition: Definition; preset: { field: string; id: string; label: string } }

function Add({ definition, preset }: AddProps) {
  // A counter: each opening retries a failed load.
  const [opened, setOpened] = useState(0)
  const button = useRef<HTMLButtonElement>(null)
  const { revalidate } = useRevalidator()
  const close = () => {
    setOpened(0)
    button.current?.focus()
  }
  return (
    <span className="end">
      <button
        type="button"
        className="btn btn-quiet btn-sm"
        ref={button}
        onClick={() => setOpened(opened + 1)}
      >
        <RecordIcon name="plus-lg" /> {detailMessages.add}{' '}
        <span className="visually-hidden">{nameOf(definition)}</span>
      </button>
      {opened > 0 && (
        <CreateDrawer
          key={opened}
          to={definition.path}
          preset={preset}
          onMade={() => {
            close()
            void revalidate()
          }}
          onClose={close}
        />
      )}
    </span>
  )
}
