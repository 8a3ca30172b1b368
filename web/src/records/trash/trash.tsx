import { useAuth } from 'react-oidc-context'
import { useRevalidator } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { listMessages } from '#messages/list.ts'
import { recordMessages } from '#messages/record.ts'
import { fetchOrToast } from '#feedback/part-toast.ts'
import { canPurge, type Definition } from '#data/definitions.ts'
import { Icon } from '#ui/icon.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'

export const TrashNote = () => (
  <p className="note info trash-note">
    <Icon name="info-circle-fill" /> {listMessages.trashNote}
  </p>
)

type Props = { definition: Definition; id: string; name: string; close: () => void }

/** What can be done with a record of the trash. Few look into it: the doing comes when it is asked for. */
export function TrashActions({ definition, id, name, close }: Props) {
  const visitor = toVisitor(useAuth().user)
  const { revalidate } = useRevalidator()
  const again = () => void revalidate()

  async function restore() {
    close()
    const part = await fetchOrToast(() => import('./restore.ts'), restore)
    await part?.restoreRecord(definition, { id, name }, again)
    if (part) await revalidate()
  }

  async function purge() {
    close()
    const part = await fetchOrToast(() => import('./purge.tsx'), purge)
    part?.askPurge(definition, { id, name }, again)
  }

  return (
    <>
      <li>
        <button type="button" onClick={() => void restore()}>
          <RecordIcon name="arrow-counterclockwise" /> {recordMessages.restore}
        </button>
      </li>
      {canPurge(definition, visitor) && (
        <li>
          <button type="button" className="danger" onClick={() => void purge()}>
            <RecordIcon name="trash3" /> {recordMessages.purge}
          </button>
        </li>
      )}
    </>
  )
}
