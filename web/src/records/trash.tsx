import { canAccess } from '@gatehouse/model'
import { useAuth } from 'react-oidc-context'
import { useRevalidator } from 'react-router'
import { callApi } from '#api.ts'
import { toVisitor } from '#auth.ts'
import { listTexts } from '#content/list.ts'
import { showModal } from '#feedback/modals.tsx'
import { showToast } from '#feedback/toasts.tsx'
import type { Definition } from '#models.ts'
import { Icon } from '#ui/icon.tsx'
import { loadCounts } from './counts.ts'

export const TrashNote = () => (
  <p className="note info trash-note">
    <Icon name="info-circle-fill" /> {listTexts.trashNote}
  </p>
)

type Props = { definition: Definition; id: string; name: string; close: () => void }

/** What can be done with a record in the trash. */
export function TrashActions({ definition, id, name, close }: Props) {
  const visitor = toVisitor(useAuth().user)
  const { revalidate } = useRevalidator()
  const { title } = definition.viewData

  async function restore() {
    close()
    const isDone = await isAccepted(`${definition.routeName}/${id}/restore`)
    const say = isDone ? listTexts.restored : listTexts.restoreFailed
    showToast({ message: say(title, name), type: isDone ? 'success' : 'danger' })
    await Promise.all([revalidate(), loadCounts({ isStale: true })])
  }

  async function askToPurge() {
    close()
    const { PurgeQuestion } = await import('./purge-question.tsx')
    showModal({
      title: listTexts.purgeQuestion(name),
      body: (
        <PurgeQuestion
          name={name}
          purge={async () => {
            const isDone = await isAccepted(`${definition.routeName}/${id}/purge`)
            const say = isDone ? listTexts.purged : listTexts.purgeFailed
            showToast({ message: say(title, name), type: isDone ? 'success' : 'danger' })
            await revalidate()
          }}
        />
      ),
    })
  }

  return (
    <>
      <li>
        <button type="button" onClick={() => void restore()}>
          <Icon name="arrow-counterclockwise" /> {listTexts.restore}
        </button>
      </li>
      {canPurge(definition, visitor) && (
        <li>
          <button type="button" className="danger" onClick={() => void askToPurge()}>
            <Icon name="trash3" /> {listTexts.purge}
          </button>
        </li>
      )}
    </>
  )
}

/** Written as the rights of other actions are; where it is missing nobody has it. */
function canPurge({ authorise }: Definition, visitor: ReturnType<typeof toVisitor>) {
  const flag: unknown = Reflect.get(Object(authorise), 'purge')
  return flag !== undefined && canAccess(flag === true ? 'admin' : 'user', visitor)
}

const isAccepted = (path: string) =>
  callApi(path, { method: 'POST', body: {} }).then(
    (response) => response.ok,
    () => false,
  )
