import type { RefObject } from 'react'
import { listMessages } from '#messages/list.ts'
import { lazyModule, LazyModulePending, useLazyModule } from '#ui/lazy-module.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import type { Definition } from '#data/definitions.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'
import type { RowActionsProps, StartAction } from './row-actions.tsx'

/** Lazy-loaded: most lists are only read. Fetched when a row is hovered or focused. */
const rowActions = lazyModule(listMessages.parts.rowActions, () => import('./row-actions.tsx'))
const prepare = () => void rowActions.prepare()
export const ON_ROW = { onPointerEnter: prepare, onFocus: prepare }

type Props = Omit<RowActionsProps, 'close'>

/** A row's menu. The panel opens immediately, even while its content loads, so no click is lost. */
export const RowMenu = (props: Props) => (
  <Popover
    button={<RecordIcon name="three-dots" />}
    name={listMessages.rowActions(props.name)}
    buttonClass="btn btn-quiet btn-icon btn-sm"
    label={listMessages.rowActions(props.name)}
  >
    {(close) => <Content {...props} close={close} />}
  </Popover>
)

function Content(props: RowActionsProps) {
  const loaded = useLazyModule(rowActions)
  return loaded ? <loaded.RowActions {...props} /> : <LazyModulePending part={rowActions} />
}

/** Outlives the row's menu: the running action and its form. */
export function StartedActions(props: {
  definition: Definition
  items: RecordData[]
  start: RefObject<StartAction | null>
}) {
  const { code } = rowActions.use()
  return code && <code.RunningActions {...props} />
}
