import { usePending } from '#auth/step-up.ts'
import { siteMessages } from '#messages/site.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'

const dialog = lazyModule(siteMessages.parts.signIn, () => import('./step-up-dialog.tsx'))

export function StepUp() {
  const pending = usePending()
  const loaded = useLazyModule(dialog, pending !== null, pending)
  if (loaded) return <loaded.StepUpDialog pending={pending} />
  return pending && <LazyModuleFailed part={dialog} onClose={() => pending.settle(false)} />
}
