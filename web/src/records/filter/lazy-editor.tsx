import type { ComponentProps } from 'react'
import { listMessages } from '#messages/list.ts'
import { lazyModule, LazyModulePending, useLazyModule } from '#ui/lazy-module.tsx'
import type * as Editor from './editor.tsx'

const editor = lazyModule(listMessages.parts.filterEditor, () => import('./editor.tsx'))

/** Lazy-loaded: most lists are only read. */
export function FilterEditor(props: ComponentProps<typeof Editor.FilterEditor>) {
  const loaded = useLazyModule(editor)
  return loaded ? <loaded.FilterEditor {...props} /> : <LazyModulePending part={editor} />
}
