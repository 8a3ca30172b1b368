import { useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { useRevalidator } from 'react-router'
import { act } from '#data/act.ts'
import { toVisitor } from '#auth/auth.ts'
import { formMessages } from '#messages/form.ts'
import { closeModal, showModal } from '#feedback/modals.tsx'
import { showToast } from '#feedback/toasts.tsx'
import { offerUndo } from '#data/undo.ts'
import { useAttempt } from '#forms/attempt.ts'
import { useOnce } from '#forms/once.ts'
import type { Definition } from '#data/definitions.ts'
import { revalidatePage } from '#data/revalidate.ts'
import { buildPart, PartFailed, usePart } from '#ui/part.tsx'
import type { ActionDrawerProps } from './action-drawer.tsx'
import { displayOf, type RecordData } from '#records/record/loading.ts'
import { actionsFor, type ModelAction } from './model-actions.ts'

/** Someone was faster, or the record changed since it was shown: what happened belongs on the page. */
const OUTDATED = [409, 412]

/** What can be done to these records beside changing them: those possible now, how to begin one, and its form. */
export function useActions(definition: Definition, records: RecordData[]) {
  const me = toVisitor(useAuth().user)?.sub ?? null
  const attempt = useAttempt()
  const { revalidate } = useRevalidator()
  const [open, setOpen] = useState<{ action: ModelAction; record: RecordData } | null>(null)

  async function send(
    action: ModelAction,
    sent: { record: RecordData; key: string; body?: object },
  ) {
    const { record, ...rest } = sent
    const outcome = await act({
      path: pathOf(definition, record, action),
      version: record['version'],
      ...rest,
    })
    if (outcome.kind === 'failed') {
      if (OUTDATED.includes(outcome.status)) void revalidate()
      return outcome.failure
    }
    // The toast outlives this page.
    const undoable = offerUndo(outcome.operationId, () => void revalidatePage())
    showToast({ message: action.done, type: 'success', ...undoable })
    void revalidate()
    return undefined
  }

  const runAtOnce = useOnce(
    async (action: ModelAction, record: RecordData) => {
      const path = pathOf(definition, record, action)
      const key = attempt.keyOf({ path, version: record['version'] })
      const failure = await send(action, { record, key })
      if (failure) showToast({ message: failure.text, type: 'danger' })
      else attempt.hasArrived()
    },
    (action, record) => pathOf(definition, record, action),
  )

  return {
    of: (record: RecordData) => actionsFor(definition, record, me),
    start(action: ModelAction, record: RecordData) {
      if (action.fields.length > 0) setOpen({ action, record })
      else if (action.confirm)
        ask(action, displayOf(definition, record), () => void runAtOnce(action, record))
      else void runAtOnce(action, record)
    },
    form: open && (
      <Form
        action={open.action}
        onClose={() => setOpen(null)}
        onSend={(body, key) => {
          // As the page shows it by now: a refusal has loaded it again.
          const record = records.find(({ id }) => id === open.record['id']) ?? open.record
          return send(open.action, { record, body, key })
        }}
      />
    ),
  }
}

const pathOf = ({ path }: Definition, record: RecordData, { name }: ModelAction) =>
  `${path}/${encodeURIComponent(String(record['id']))}/${name}`

const ask = (action: ModelAction, name: string, run: () => void) =>
  showModal({
    title: action.confirm ?? '',
    body: name,
    footer: (
      <>
        <button type="button" className="btn btn-secondary" onClick={closeModal}>
          {formMessages.cancel}
        </button>
        <button
          type="button"
          className="btn btn-primary"
          onClick={() => {
            closeModal()
            run()
          }}
        >
          {action.label}
        </button>
      </>
    ),
  })

/** Few open one: it comes when it is asked for. */
const drawer = buildPart(formMessages.parts.form, () => import('./action-drawer.tsx'))

function Form(props: ActionDrawerProps) {
  const loaded = usePart(drawer)
  if (loaded) return <loaded.ActionDrawer {...props} />
  return <PartFailed part={drawer} onClose={props.onClose} />
}
