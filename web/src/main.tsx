import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { hasStoredSignIn, offerSignIn, signInClient } from './auth.ts'
import { texts } from './content/texts.ts'
import { watchInstructions } from './feedback/instructions.ts'
import { showToast } from './feedback/toasts.tsx'
import { loadDefinitions, refreshDefinitions } from './models.ts'
import { readPageData } from './page-data.ts'
import { buildRouter, FIXED_PATHS, resolvePages } from './router.tsx'
import { loadSignIn, SignIn } from './sign-in.tsx'
import { watchSystemTheme } from './theme.ts'
import './styles/site.scss'

/** Prerendered, yet about signing in. */
const SIGN_IN_PAGES = ['/login', '/unauthorised']

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')

const { pathname } = window.location
const page = readPageData()
offerSignIn({
  // Definitions are made for whoever asks: a person who comes or goes needs new ones.
  load: () =>
    loadSignIn({
      openedAt: pathname,
      onPerson: () => void refreshDefinitions(),
      onSignedOutElsewhere: () => showToast({ message: texts.signedOutElsewhere, type: 'info' }),
      // The page stays as it is, with all that was typed: the next thing that needs the sign-in tries once more.
      onRenewFailed: ({ message }) =>
        showToast({
          message: texts.renewFailed,
          note: message,
          type: 'warning',
          autohide: false,
        }),
    }),
  onTrouble: ({ returnUrl, source, error }) => {
    const message = error instanceof Error ? error.message : String(error)
    void router.navigate(`/login?returnUrl=${encodeURIComponent(returnUrl)}`, {
      state: { signInFailure: { source, message } },
    })
  },
})
// What fails here is shown where the client is asked for next.
if (!page || SIGN_IN_PAGES.includes(pathname) || hasStoredSignIn()) signInClient().catch(() => {})

watchSystemTheme()
void loadDefinitions(FIXED_PATHS)
if (page) await resolvePages(pathname)
const router = buildRouter(page ? { loaderData: page.loaderData } : undefined)
watchInstructions(router)

const app = (
  <StrictMode>
    <SignIn>
      <RouterProvider router={router} />
    </SignIn>
  </StrictMode>
)
// As a transition: in slices, so that a slow phone stays responsive meanwhile.
if (page?.isAsRendered) startTransition(() => void hydrateRoot(root, app))
else createRoot(root).render(app)
