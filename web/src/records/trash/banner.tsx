import { useAuth } from 'react-oidc-context'
import { useNavigate } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { formatDay } from '#base/dates.ts'
import { recordMessages } from '#messages/record.ts'
import { canPurge, type Definition } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { useMutate } from '#data/use-mutate.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import { ActionIcon } from '#records/shared/action-icon.tsx'
import { displayOf, type RecordData } from '#records/shared/loader-errors.ts'
import { confirmPurge } from './purge.tsx'
import { toRestore } from './restore.ts'

const TRASH_DAYS = 30

export function TrashBanner({
  definition,
  record,
}: {
  definition: Definition
  record: RecordData
}) {
  const navigate = useNavigate()
  const visitor = toVisitor(useAuth().user)
  const { send, pending } = useMutate()
  const path = `/${definition.path.toLowerCase()}`
  const trashed = { id: String(record['id']), name: displayOf(definition, record) }

  const restore = () =>
    send(
      toRestore(definition, trashed, () => navigate(path)),
      { onSaved: () => navigate(`${path}/${encodeURIComponent(trashed.id)}`) },
    )

  return (
    <div className="note warning trash-note">
      <Icon name="exclamation-triangle-fill" />
      <div>
        <p>{recordMessages.inTrash(goneOn(record['deletedAt']))}</p>
        <div className="acts">
          <BusyButton
            className="btn btn-secondary btn-sm"
            isBusy={pending.size > 0}
            onClick={restore}
          >
            <ActionIcon name="arrow-counterclockwise" /> {recordMessages.restore}
          </BusyButton>
          {canPurge(definition, visitor) && (
            <button
              type="button"
              className="btn btn-danger-quiet btn-sm"
              onClick={() =>
                confirmPurge(definition, trashed, () => navigate(`${path}?trash=true`))
              }
            >
              {recordMessages.purge}
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

function goneOn(deletedAt: unknown) {
  const since = new Date(String(deletedAt))
  since.setUTCDate(since.getUTCDate() + TRASH_DAYS)
  return Number.isNaN(since.getTime()) ? '–' : formatDay(since.toISOString().slice(0, 10))
}
