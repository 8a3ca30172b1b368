import type { paletteState } from '#layout/palette-state.ts'
import { SearchDialog } from './search-dialog.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'
import '#styles/palette.scss'

type Props = { open: ReturnType<typeof paletteState.get>; onClose: () => void }

export const Overlays = ({ open, onClose }: Props) => (
  <>
    <SearchDialog isOpen={open === 'search'} onClose={onClose} />
    <ShortcutSheet isOpen={open === 'shortcuts'} onClose={onClose} />
  </>
)
