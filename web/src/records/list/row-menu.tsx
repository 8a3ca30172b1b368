import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { listMessages } from '#messages/list.ts'
import { recordMessages } from '#messages/record.ts'
import { canDo, type Definition } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { copy } from '#records/record/copy.ts'
import type { ListQuery } from '#records/query/list-address.ts'
import type { ModelAction } from '#records/actions/model-actions.ts'
import { TrashActions } from '#records/trash/trash.tsx'

type Props = {
  definition: Definition
  query: ListQuery
  /** The list's path. */
  path: string
  /** The record's path. */
  address: string
  id: string
  name: string
  actions: ModelAction[]
  onAct: (action: ModelAction) => void
  onDelete: () => void
}

export const RowMenu = (props: Props) => (
  <Popover
    button={<RecordIcon name="three-dots" />}
    name={listMessages.rowActions(props.name)}
    buttonClass="btn btn-quiet btn-icon btn-sm"
    label={listMessages.rowActions(props.name)}
  >
    {(close) => (
      <ul className="menu-list">
        {props.query.isTrash ? (
          <TrashActions
            definition={props.definition}
            id={props.id}
            name={props.name}
            close={close}
          />
        ) : (
          <LiveActions {...props} close={close} />
        )}
      </ul>
    )}
  </Popover>
)

function LiveActions({
  definition,
  query,
  path,
  address,
  id,
  name,
  actions,
  onAct,
  onDelete,
  close,
}: Props & { close: () => void }) {
  const visitor = toVisitor(useAuth().user)
  const state = { list: query.search }
  return (
    <>
      <li>
        <Link to={address} state={state} aria-label={`${listMessages.open} ${name}`}>
          <Icon name="arrow-right" /> {listMessages.open}
        </Link>
      </li>
      {canDo(definition, 'update', visitor) && (
        <li>
          <Link
            to={`${path}/edit/${id}`}
            state={state}
            aria-label={`${recordMessages.edit} ${name}`}
          >
            <RecordIcon name="pencil" /> {recordMessages.edit}
          </Link>
        </li>
      )}
      {actions.map((action) => (
        <li key={action.name}>
          <button
            type="button"
            onClick={() => {
              close()
              onAct(action)
            }}
          >
            <Icon name="chevron-right" /> {action.label}
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          onClick={() => {
            void copy(new URL(address, window.location.origin).href)
            close()
          }}
        >
          <RecordIcon name="link-45deg" /> {listMessages.copyLink}
        </button>
      </li>
      {canDo(definition, 'delete', visitor) && (
        <li>
          <button
            type="button"
            className="danger"
            onClick={() => {
              close()
              onDelete()
            }}
          >
            <RecordIcon name="trash3" />{' '}
            {definition.trash
              ? recordMessages.deleteNow.withTrash
              : recordMessages.deleteNow.withoutTrash}
          </button>
        </li>
      )}
    </>
  )
}
