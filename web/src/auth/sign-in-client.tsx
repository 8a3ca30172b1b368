import type { UserManager } from 'oidc-client-ts'
import { useEffect } from 'react'
import { AuthProvider, useAuth, type AuthContextProps } from 'react-oidc-context'

/** Publishes react-oidc-context's state to the page, which rendered before it loaded. */
export function SignInClient({
  manager,
  openedAt,
  onState,
}: {
  manager: UserManager
  /** The path the page was loaded with. */
  openedAt: string
  onState: (state: AuthContextProps) => void
}) {
  return (
    <AuthProvider
      userManager={manager}
      // On other pages, a URL that looks like a provider's response is an attack.
      skipSigninCallback={openedAt !== '/signin-callback'}
      matchSignoutCallback={() => openedAt === '/logout-callback'}
    >
      <StatePublisher onState={onState} />
    </AuthProvider>
  )
}

function StatePublisher({ onState }: { onState: (state: AuthContextProps) => void }) {
  const state = useAuth()
  useEffect(() => onState(state), [state, onState])
  return null
}
