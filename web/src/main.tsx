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
import { RouterProvider } from 'react-router/dom'
import { hasStoredSignIn, hasStoredUser, offerSignIn, signInClient } from '#auth/auth.ts'
import { siteMessages } from '#messages/site.ts'
import { watchStyles } from '#ui/fetch-part.ts'
import { watchInstructions } from '#feedback/instructions.ts'
import { showToast } from '#feedback/toasts.tsx'
import { loadDefinitions, refreshDefinitions } from '#data/definitions.ts'
import { readPageData } from '#data/page-data.ts'
import { offerRevalidation } from '#data/revalidate.ts'
import { buildRouter, resolvePages } from './router.tsx'
import { FIXED_PATHS } from './site-map.tsx'
import { allCarried } from '#base/carried.ts'
import { ReadableError } from '#base/readable-error.ts'
import { loadSignIn, SignIn } from '#auth/sign-in.tsx'
import { watchSystemTheme } from '#layout/theme.ts'
import '#styles/site.scss'

/** Prerendered pages that need the sign-in client. */
const SIGN_IN_PAGES = ['/login', '/unauthorised']

const root = requireRoot()

const { pathname } = window.location
const page = readPageData()
offerSignIn({
  load: () =>
    loadSignIn({
      openedAt: pathname,
      onPerson: () => void loadAnew(),
      onDraft: (returnUrl) =>
        showToast({
          message: siteMessages.draftWaits,
          type: 'info',
          action: { label: siteMessages.openDraft, run: () => void router.navigate(returnUrl) },
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
    void router.navigate(`/login?returnUrl=${encodeURIComponent(returnUrl)}`, {
      state: { signInFailure: { source, message, isReadable: error instanceof ReadableError } },
    })
  },
})
if (!page || SIGN_IN_PAGES.includes(pathname) || hasStoredSignIn()) void startSignIn()

watchSystemTheme()
allCarried()
offerRevalidation(() => router.revalidate())
void loadDefinitions(FIXED_PATHS)
watchStyles()
// A page whose chunk fails is not hydrated: the router shows why, with a retry.
const isResolved =
  page !== null &&
  (await resolvePages(pathname).then(
    () => true,
    () => false,
  ))
const router = buildRouter(page ? { loaderData: page.loaderData } : undefined)
watchInstructions(router)

/** Phases of the first commit, to replay presses and text from before it. */
type Moments = {
  /** Form fields as the user left them. */
  onCommit: () => void
  /** Refs are attached: React Hook Form has set its defaults. */
  onMounted: () => void
  /** Effects have run: drafts and suggestions are in the fields. */
  onSettled: () => void
}

export function start(moments: Moments) {
  const app = (
    <StrictMode>
      <FirstCommit {...moments}>
        <SignIn>
          <RouterProvider router={router} />
        </SignIn>
      </FirstCommit>
    </StrictMode>
  )
  // As a transition: time-sliced, so that slow phones stay responsive.
  if (page?.isAsRendered && isResolved) startTransition(() => void hydrateRoot(root, app))
  else createRoot(root).render(app)
}

function FirstCommit({
  onCommit,
  onMounted,
  onSettled,
  children,
}: Moments & { children: ReactNode }) {
  const [isSettled, settle] = useReducer(() => true, false)
  useInsertionEffect(onCommit, [onCommit])
  useLayoutEffect(onMounted, [onMounted])
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

/** Without the client, signed-in users see the public view and a toast; others notice when they sign in. */
async function startSignIn(): Promise<boolean> {
  try {
    await signInClient()
    return true
  } catch (error) {
    if (hasStoredUser())
      showToast({
        message:
          error instanceof ReadableError
            ? error.message
            : siteMessages.notLoaded(siteMessages.parts.signIn),
        type: 'danger',
        autohide: false,
        action: { label: siteMessages.tryAgain, run: () => void startSignInAgain() },
      })
    return false
  }
}

async function startSignInAgain() {
  if (await startSignIn()) await loadAnew()
}

/** Definitions and records depend on the account: nothing of the previous one may stay. */
async function loadAnew() {
  await Promise.all([refreshDefinitions(), router.revalidate()])
}
