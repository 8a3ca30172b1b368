import { useImperativeHandle, type RefObject } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { listMessages } from '#messages/list.ts'
import { recordMessages } from '#messages/record.ts'
import { canDo, type Definition } from '#data/definitions.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { ActionIcon } from '#records/shared/action-icon.tsx'
import { actionsFor, type ModelAction } from '#records/actions/model-actions.ts'
import { useActions } from '#records/actions/use-actions.tsx'
import type { ListQuery } from '#records/query/list-url.ts'
import { copyToClipboard } from '#records/shared/copy-to-clipboard.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'
import { confirmDelete } from '#records/trash/quick-delete.tsx'
import { TrashActions } from '#records/trash/trash.tsx'

export type StartAction = (action: ModelAction, record: RecordData) => void

export type RowActionsProps = {
  definition: Definition
  query: ListQuery
  record: RecordData
  path: string
  /** The record's id in paths. */
  id: string
  name: string
  start: RefObject<StartAction | null>
  close: () => void
}

export const RowActions = (props: RowActionsProps) => (
  <ul className="menu-list">
    {props.query.isTrash ? <TrashActions {...props} /> : <LiveActions {...props} />}
  </ul>
)

export function RunningActions({
  definition,
  items,
  start,
}: Pick<RowActionsProps, 'definition' | 'start'> & { items: RecordData[] }) {
  const actions = useActions(definition, items, true)
  useImperativeHandle(start, () => (action, record) => actions.start(action, record))
  return actions.form
}

function LiveActions({ definition, query, record, path, id, name, start, close }: RowActionsProps) {
  const visitor = toVisitor(useAuth().user)
  const address = `${path}/${id}`
  const state = { list: query.search }
  return (
    <>
      <li>
        <Link to={address} state={state} aria-label={`${listMessages.open} ${name}`}>
          <RecordIcon name="arrow-right" /> {listMessages.open}
        </Link>
      </li>
      {canDo(definition, 'update', visitor) && (
        <li>
          <Link
            to={`${path}/edit/${id}`}
            state={state}
            aria-label={`${recordMessages.edit} ${name}`}
          >
            <ActionIcon name="pencil" /> {recordMessages.edit}
          </Link>
        </li>
      )}
      {actionsFor(definition, record, visitor?.sub ?? null).map((action) => (
        <li key={action.name}>
          <button
            type="button"
            onClick={() => {
              close()
              start.current?.(action, record)
            }}
          >
            <RecordIcon name="chevron-right" /> {action.label}
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          onClick={() => {
            void copyToClipboard(new URL(address, window.location.origin).href)
            close()
          }}
        >
          <ActionIcon name="link-45deg" /> {listMessages.copyLink}
        </button>
      </li>
      {canDo(definition, 'delete', visitor) && (
        <li>
          <button
            type="button"
            className="danger"
            onClick={() => {
              close()
              confirmDelete({ definition, record, search: query.search })
            }}
          >
            <ActionIcon name="trash3" />{' '}
            {definition.trash
              ? recordMessages.deleteNow.withTrash
              : recordMessages.deleteNow.withoutTrash}
          </button>
        </li>
      )}
    </>
  )
}
