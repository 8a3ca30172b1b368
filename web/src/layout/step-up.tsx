import { usePending } from '#auth/step-up.ts'
import { siteMessages } from '#messages/site.ts'
import { buildPart, PartFailed, usePart } from '#ui/part.tsx'

const dialog = buildPart(siteMessages.parts.signIn, () => import('./step-up-dialog.tsx'))

/** Asks who presses something that needs a better sign-in to confirm that it's them. */
export function StepUp() {
  const pending = usePending()
  const loaded = usePart(dialog, pending !== null, pending)
  if (loaded) return <loaded.StepUpDialog pending={pending} />
  return pending && <PartFailed part={dialog} onClose={() => pending.settle(false)} />
}
