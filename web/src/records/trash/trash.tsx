import { useAuth } from 'react-oidc-context'
import { toVisitor } from '#auth/auth.ts'
import { recordMessages } from '#messages/record.ts'
import { importOrToast } from '#feedback/import-or-toast.ts'
import { useMutate } from '#data/use-mutate.ts'
import { canPurge, type Definition } from '#data/definitions.ts'
import { ActionIcon } from '#records/shared/action-icon.tsx'
import { toRestore } from './restore.ts'

type Props = { definition: Definition; id: string; name: string; close: () => void }

export function TrashActions({ definition, id, name, close }: Props) {
  const visitor = toVisitor(useAuth().user)
  const { send } = useMutate()

  function restore() {
    close()
    send({ ...toRestore(definition, { id, name }), isDetached: true })
  }

  async function purge() {
    close()
    const part = await importOrToast(() => import('./purge.tsx'), purge)
    part?.confirmPurge(definition, { id, name })
  }

  return (
    <>
      <li>
        <button type="button" onClick={restore}>
          <ActionIcon name="arrow-counterclockwise" /> {recordMessages.restore}
        </button>
      </li>
      {canPurge(definition, visitor) && (
        <li>
          <button type="button" className="danger" onClick={() => void purge()}>
            <ActionIcon name="trash3" /> {recordMessages.purge}
          </button>
        </li>
      )}
    </>
  )
}
