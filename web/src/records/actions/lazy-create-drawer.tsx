import type { ComponentProps } from 'react'
import { writeMessages } from '#messages/write.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import type * as Drawer from './create-drawer.tsx'

const drawer = lazyModule(writeMessages.parts.form, () => import('./create-drawer.tsx'))

export function CreateDrawer(props: ComponentProps<typeof Drawer.CreateDrawer>) {
  const loaded = useLazyModule(drawer)
  if (loaded) return <loaded.CreateDrawer {...props} />
  return <LazyModuleFailed part={drawer} onClose={props.onClose} />
}
