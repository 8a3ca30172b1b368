import {
  startTransition,
  StrictMode,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useReducer,
  type ReactNode,
} from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { DataRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import {
  currentUser,
  dropManager,
  hasStoredSignIn,
  offerSignIn,
  signInClient,
} from '#auth/session.ts'
import { siteMessages } from '#messages/site.ts'
import { watchInstructions } from '#feedback/instructions.ts'
import { showToast } from '#feedback/toasts.tsx'
import {
  definitionsSettled,
  definitionsState,
  loadDefinitions,
  refreshDefinitions,
} from '#data/definitions.ts'
import {
  isAboutSignIn,
  isDrawnOtherwise,
  isReadingPage,
  readPageData,
  type PageData,
} from '#boot/page-data.ts'
import type { Overlay } from '#boot/palette-keys.ts'
import { importPage } from '#ui/import-chunk.ts'
import { offerRevalidation } from '#data/revalidate.ts'
import { prepareStaffShell } from '#layout/use-staff-shell.ts'
import { buildRouter, routesOf } from './router.tsx'
import { FIXED_PATHS, PRODUCT_PATHS } from './site-map.tsx'
import { ReadableError } from '#base/readable-error.ts'
import { loadSignIn, SignIn } from '#auth/sign-in.tsx'
import { paletteState } from '#layout/palette-state.ts'
import { handConsentOver } from '#boot/consent.ts'
import { acceptedMessages } from '#messages/specified-cookies.ts'
import '#styles/app.scss'
import '#styles/forms.scss'

const root = requireRoot()

const { pathname } = window.location
const page = readPageData()
let router: DataRouter | undefined

dropManager()
offerSignIn({
  load: () =>
    loadSignIn({
      openedAt: pathname,
      onPerson: () => void reloadForAccount(),
      onDraft: (returnUrl) =>
        showToast({
          message: siteMessages.draftWaits,
          type: 'info',
          action: { label: siteMessages.openDraft, run: () => void router?.navigate(returnUrl) },
        }),
      onSessionEnd: (how) => showToast({ message: siteMessages.sessionEnd[how], type: 'info' }),
      // The page keeps its state and input; the next use of the sign-in retries.
      onRenewFailed: ({ message }) =>
        showToast({
          message: message.includes('login_required')
            ? siteMessages.renewEnded
            : siteMessages.renewFailed,
          note: message,
          type: 'warning',
          autohide: false,
        }),
    }),
  onTrouble: ({ returnUrl, source, error }) => {
    const message = error instanceof Error ? error.message : String(error)
    void router?.navigate(`/login?returnUrl=${encodeURIComponent(returnUrl)}`, {
      state: { signInFailure: { source, message, isReadable: error instanceof ReadableError } },
    })
  },
})
// Errors are ignored here: if a user is stored, loading the definitions reports them.
if (!page || isAboutSignIn(page) || hasStoredSignIn()) signInClient().catch(() => {})
offerRevalidation(async () => router?.revalidate())
handConsentOver({
  announce: (choice) =>
    showToast({
      message: acceptedMessages[choice],
      type: choice === 'all' ? 'success' : 'info',
    }),
  follow: (href) => void router?.navigate(href),
})

/** Opens the palette or the shortcut sheet, for a key pressed before the app ran. */
export const openOverlay = (overlay: Overlay) => paletteState.set(overlay)

/** Hydrates the page. Rejects if one of its scripts can't be loaded; the document is then unchanged. */
export async function start({
  hasDefinitions,
  onHydrate,
  onSettled,
}: {
  /** Already loaded or loading. */
  hasDefinitions: boolean
  /** React owns the document from now on. */
  onHydrate: () => void
  /** Effects have run: fields are filled, and clicks can be replayed. */
  onSettled: () => void
}) {
  if (!hasDefinitions) void loadDefinitions(FIXED_PATHS, PRODUCT_PATHS)
  // A reading page that the definitions don't have is not hydrated: its routes are not the document's.
  const shown = page && !isDrawnOtherwise(page) ? page : null
  // Only a document may have been typed into before.
  const [typed, routes] = shown
    ? await Promise.all([importPage(() => import('#boot/preserve-input.ts')), routesOf(pathname)])
    : [null, undefined]
  // Must follow routesOf: the router copies the routes.
  router = buildRouter(shown ? { loaderData: shown.loaderData } : undefined, routes)
  watchInstructions(router)
  await prepareStaffShell(pathname)
  const app = (
    <StrictMode>
      <FirstCommit typed={typed} onSettled={onSettled}>
        <SignIn>
          <RouterProvider router={router} />
        </SignIn>
      </FirstCommit>
    </StrictMode>
  )
  onHydrate()
  typed?.collectFields()
  // As a transition: time-sliced, so slow phones remain responsive.
  if (shown?.isAsRendered) startTransition(() => void hydrateRoot(root, app))
  else createRoot(root).render(app)
  if (shown && isReadingPage(shown)) void redrawForAccount(shown)
}

type FirstCommitProps = {
  typed: typeof import('#boot/preserve-input.ts') | null
  onSettled: () => void
  children: ReactNode
}

/** Restores input typed before hydration: read in the commit itself, written once React Hook Form has set its defaults. */
function FirstCommit({ typed, onSettled, children }: FirstCommitProps) {
  const [isSettled, settle] = useReducer(() => true, false)
  useInsertionEffect(() => typed?.readFields(), [typed])
  useLayoutEffect(() => typed?.restoreFields(), [typed])
  useEffect(() => {
    if (isSettled) onSettled()
    else settle()
  }, [isSettled, onSettled])
  return children
}

function requireRoot() {
  const element = document.getElementById('root')
  if (!element) throw new Error('The page has no root element')
  return element
}

/** A document with a reading page is an anonymous visitor's: staff get list or record, another server's definition may have no such page. */
async function redrawForAccount(shown: PageData) {
  await definitionsSettled()
  // Without the API the page stays readable.
  if (definitionsState.get().hasFailed) return
  if (isDrawnOtherwise(shown) || (await currentUser())) await router?.revalidate()
}

/** Definitions and records depend on the account: reloads everything after a change. */
async function reloadForAccount() {
  await Promise.all([refreshDefinitions(), router?.revalidate()])
}
