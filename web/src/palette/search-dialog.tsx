import { useRef, useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { toVisitor } from '#auth/auth.ts'
import { paletteMessages } from '#messages/palette.ts'
import { lazyModule, useLazyModule } from '#ui/lazy-module.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import type { ModelAction } from '#records/actions/model-actions.ts'
import { useOpenRecord } from './open-record.ts'
import { PaletteSearch } from './palette-search.tsx'

const TITLE_ID = 'palette-title'

/** Lazy-loaded: only a record's page needs them. */
const actions = lazyModule(paletteMessages.recordActions, () => import('./record-actions.tsx'))

/** Stays mounted after closing: an action of the record may show its form then. */
export function SearchDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const round = useRound(isOpen)
  const visitor = toVisitor(useAuth().user)
  const opened = useOpenRecord()
  const loaded = useLazyModule(actions, isOpen && opened !== null, isOpen)
  const start = useRef<(action: ModelAction) => void>(null)
  return (
    <>
      <Dialog className="palette" titleId={TITLE_ID} isOpen={isOpen} onClose={onClose}>
        <div className="palette-panel">
          <h2 className="visually-hidden" id={TITLE_ID}>
            {paletteMessages.title}
          </h2>
          <PaletteSearch
            key={round}
            visitor={visitor}
            recordActions={loaded && opened ? loaded.recordActions(opened, visitor) : []}
            onAction={(action) => start.current?.(action)}
            onClose={onClose}
          />
        </div>
      </Dialog>
      {loaded && opened && (
        <loaded.RunningActions key={String(opened.record['id'])} {...opened} start={start} />
      )}
    </>
  )
}

/** Counts openings: each starts empty. */
function useRound(isOpen: boolean) {
  const [state, setState] = useState({ isOpen, round: 0 })
  if (state.isOpen !== isOpen) setState({ isOpen, round: state.round + (isOpen ? 1 : 0) })
  return state.round
}
