import { useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { toVisitor } from '#auth/auth.ts'
import { writeMessages } from '#messages/write.ts'
import { confirmDialog } from '#feedback/confirm-dialog.tsx'
import type { Definition } from '#data/definitions.ts'
import { etagOf, type Intent } from '#data/mutate.ts'
import { useMutate, useWrite } from '#data/use-mutate.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import type { ActionDrawerProps } from './action-drawer.tsx'
import { displayOf, type RecordData } from '#records/shared/loader-errors.ts'
import { actionsFor, type ModelAction } from './model-actions.ts'

/** Actions of these records: which apply, how to start one, and its form. `isDetached`: the button unmounts while it runs. */
export function useActions(definition: Definition, records: RecordData[], isDetached = false) {
  const me = toVisitor(useAuth().user)?.sub ?? null
  const { send, pending } = useMutate()
  const write = useWrite()
  const [open, setOpen] = useState<{ action: ModelAction; record: RecordData } | null>(null)

  const toIntent = (action: ModelAction, record: RecordData): Intent => ({
    path: pathOf(definition, record, action),
    // If-Match: the user must see later changes first.
    etag: etagOf(record['version']),
    done: ({ isMailed }) => (isMailed === false && action.doneUnmailed) || action.done,
    undo: {},
  })
  const run = (action: ModelAction, record: RecordData) =>
    send({ ...toIntent(action, record), failed: ({ text }) => text, isDetached })

  return {
    of: (record: RecordData) => actionsFor(definition, record, me),
    isPending: (action: ModelAction, record: RecordData) =>
      pending.has(pathOf(definition, record, action)),
    start(action: ModelAction, record: RecordData) {
      if (action.fields.length > 0) setOpen({ action, record })
      else if (action.confirm)
        confirmDialog(
          { title: action.confirm, body: displayOf(definition, record), label: action.label },
          () => run(action, record),
        )
      else run(action, record)
    },
    form: open && (
      <Form
        action={open.action}
        address={`${definition.path}/${String(open.record['id'])}?action=${open.action.name}`}
        onClose={() => setOpen(null)}
        onSend={async (body) => {
          // The latest version: a rejection has revalidated the page.
          const record = records.find(({ id }) => id === open.record['id']) ?? open.record
          const outcome = await write({ ...toIntent(open.action, record), body })
          return outcome.kind === 'failed' ? outcome.failure : undefined
        }}
      />
    ),
  }
}

const pathOf = ({ path }: Definition, record: RecordData, { name }: ModelAction) =>
  `${path}/${encodeURIComponent(String(record['id']))}/${name}`

/** Lazy-loaded: most users never open one. */
const drawer = lazyModule(writeMessages.parts.form, () => import('./action-drawer.tsx'))

function Form(props: ActionDrawerProps) {
  const loaded = useLazyModule(drawer)
  if (loaded) return <loaded.ActionDrawer {...props} />
  return <LazyModuleFailed part={drawer} onClose={props.onClose} />
}
