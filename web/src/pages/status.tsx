import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { nameOf, signOut } from '#auth.ts'
import { texts } from '#content/texts.ts'
import { StatusScreen } from '#ui/status-screen.tsx'

export const NotFound = () => (
  <StatusScreen {...texts.notFound} plan="missing">
    <Link className="btn btn-primary" to="/">
      {texts.backHome}
    </Link>
    <Link className="btn btn-secondary" to="/contact">
      {texts.contact}
    </Link>
  </StatusScreen>
)

/** Somebody is signed in, but not as an admin: a way home, and a way to be somebody else. */
export function Unauthorised() {
  const { user } = useAuth()
  return (
    <StatusScreen
      {...texts.unauthorised}
      plan="shut"
      note={user && !user.expired ? texts.signedInAs(nameOf(user)) : undefined}
    >
      <Link className="btn btn-primary" to="/">
        {texts.backHome}
      </Link>
      {user && !user.expired && (
        <button type="button" className="btn btn-secondary" onClick={() => void signOut('/login')}>
          {texts.switchAccount}
        </button>
      )}
    </StatusScreen>
  )
}
