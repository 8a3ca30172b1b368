import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider } from 'react-oidc-context'
import { RouterProvider } from 'react-router/dom'
import { currentUser, startAuth, type SignInConfig } from './auth.ts'
import { watchInstructions } from './feedback/instructions.ts'
import { loadDefinitions, refreshDefinitions } from './models.ts'
import { buildRouter, FIXED_PATHS } from './router.tsx'
import { watchSystemTheme } from './theme.ts'
import './styles/site.scss'

const response = await fetch('/config.json')
const config: SignInConfig = await response.json()
const userManager = startAuth(config)
const { pathname } = window.location
const isSignIn = pathname === '/signin-callback'

watchSystemTheme()
void loadDefinitions(FIXED_PATHS)
const router = buildRouter()
watchInstructions(router)

// Definitions are made for whoever asks: a person who comes or goes needs new ones. A renewed token does not.
let sub = (await currentUser())?.profile.sub
const onPerson = (next: string | undefined) => {
  if (next === sub) return
  sub = next
  void refreshDefinitions()
}
userManager.events.addUserLoaded((user) => onPerson(user.profile.sub))
userManager.events.addUserUnloaded(() => onPerson(undefined))

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(
  <StrictMode>
    <AuthProvider
      userManager={userManager}
      // Anywhere else, an address that looks like a provider's answer is somebody's trap.
      skipSigninCallback={!isSignIn}
      matchSignoutCallback={() => pathname === '/logout-callback'}
    >
      <RouterProvider router={router} />
    </AuthProvider>
  </StrictMode>,
)
