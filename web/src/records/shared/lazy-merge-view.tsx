import type { ComponentProps } from 'react'
import { formMessages } from '#messages/form.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import type * as Merge from './merge-view.tsx'

const mergeView = lazyModule(formMessages.parts.comparison, () => import('./merge-view.tsx'))

/** Lazy-loaded: most saves don't clash. */
export function MergeView(props: ComponentProps<typeof Merge.MergeView>) {
  const loaded = useLazyModule(mergeView)
  if (loaded) return <loaded.MergeView {...props} />
  return <LazyModuleFailed part={mergeView} onClose={props.onBack} isInline />
}
