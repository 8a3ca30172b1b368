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
import { dropManager, hasStoredSignIn, offerSignIn, signInClient } from '#auth/session.ts'
import { siteMessages } from '#messages/site.ts'
import { watchInstructions } from '#feedback/instructions.ts'
import { showToast } from '#feedback/toasts.tsx'
import { loadDefinitions, refreshDefinitions } from '#data/definitions.ts'
import { isAboutSignIn, readPageData } from '#boot/page-data.ts'
import { collectFields, readFields, restoreFields } from '#boot/preserve-input.ts'
import { offerRevalidation } from '#data/revalidate.ts'
import { buildRouter, resolvePages } from './router.tsx'
import { FIXED_PATHS, PRODUCT_PATHS } from './site-map.tsx'
import { ReadableError } from '#base/readable-error.ts'
import { loadSignIn, SignIn } from '#auth/sign-in.tsx'
import { handConsentOver } from '#boot/consent.ts'
import { specifiedCookieMessages } from '#messages/specified-cookies.ts'
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
      // The page stays, with everything typed; the next use of the sign-in retries.
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
// Without it nobody can sign in, which the definitions report for those who are.
if (!page || isAboutSignIn(page) || hasStoredSignIn()) signInClient().catch(() => {})
offerRevalidation(async () => router?.revalidate())
handConsentOver({
  announce: (choice) =>
    showToast({
      message: specifiedCookieMessages.accepted[choice],
      type: choice === 'all' ? 'success' : 'info',
    }),
  follow: (href) => void router?.navigate(href),
})

/** Rejects where a script of the page can't be loaded: the document stays as it is. */
export async function start({
  hasDefinitions,
  onHydrate,
  onSettled,
}: {
  /** Loaded already, or being loaded. */
  hasDefinitions: boolean
  /** From here on the document is React's. */
  onHydrate: () => void
  /** Effects have run: drafts and suggestions are in the fields, and presses can be repeated. */
  onSettled: () => void
}) {
  if (!hasDefinitions) void loadDefinitions(FIXED_PATHS, PRODUCT_PATHS)
  if (page) await resolvePages(pathname)
  // After that: it copies the routes.
  router = buildRouter(page ? { loaderData: page.loaderData } : undefined)
  watchInstructions(router)
  const app = (
    <StrictMode>
      <FirstCommit onSettled={onSettled}>
        <SignIn>
          <RouterProvider router={router} />
        </SignIn>
      </FirstCommit>
    </StrictMode>
  )
  onHydrate()
  collectFields()
  // As a transition: time-sliced, so that slow phones stay responsive.
  if (page?.isAsRendered) startTransition(() => void hydrateRoot(root, app))
  else createRoot(root).render(app)
}

/** Restores what was typed before it: read in the commit itself, written once React Hook Form has set its defaults. */
function FirstCommit({ onSettled, children }: { onSettled: () => void; children: ReactNode }) {
  const [isSettled, settle] = useReducer(() => true, false)
  useInsertionEffect(readFields, [])
  useLayoutEffect(restoreFields, [])
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

/** Definitions and records depend on the account: nothing of the previous one may stay. */
async function reloadForAccount() {
  await Promise.all([refreshDefinitions(), router?.revalidate()])
}
