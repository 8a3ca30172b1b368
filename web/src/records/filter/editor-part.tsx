import type { ComponentProps } from 'react'
import { listMessages } from '#messages/list.ts'
import { buildPart, PartPending, usePart } from '#ui/part.tsx'
import type * as Editor from './editor.tsx'

const editor = buildPart(listMessages.parts.filterEditor, () => import('./editor.tsx'))

/** Lazy-loaded: most lists are only read. */
export function FilterEditor(props: ComponentProps<typeof Editor.FilterEditor>) {
  const loaded = usePart(editor)
  return loaded ? <loaded.FilterEditor {...props} /> : <PartPending part={editor} />
}
