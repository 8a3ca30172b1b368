import { levelOf, type Access } from '@gatehouse/model'
import { useAuth } from 'react-oidc-context'
import { Link } from 'react-router'
import { nameOf, signOut, toVisitor } from '#auth/auth.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { StatusScreen } from '#ui/status-screen.tsx'
import { ShutGate } from './gate-illustration.tsx'

/** Admins may open everything except pages for owners. */
function noteFor(level: Access, name: string) {
  if (level === 'admin') return siteMessages.ownersOnly(name)
  return level === 'user' ? siteMessages.signedInAs(name) : undefined
}

export function Unauthorised() {
  const { user } = useAuth()
  const visitor = toVisitor(user)
  return (
    <StatusScreen
      {...specifiedMessages.unauthorised}
      illustration={<ShutGate />}
      note={user && noteFor(levelOf(visitor), nameOf(user))}
    >
      <Link className="btn btn-primary" to="/">
        {siteMessages.backHome}
      </Link>
      {visitor && (
        <button type="button" className="btn btn-secondary" onClick={() => void signOut('/login')}>
          {siteMessages.switchAccount}
        </button>
      )}
    </StatusScreen>
  )
}
