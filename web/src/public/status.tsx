import { Link } from 'react-router'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { StatusScreen } from '#ui/status-screen.tsx'
import { WallWithoutGate } from '#ui/illustration.tsx'

export const NotFound = () => (
  <StatusScreen {...specifiedMessages.notFound} illustration={<WallWithoutGate />}>
    <Link className="btn btn-primary" to="/">
      {siteMessages.backHome}
    </Link>
    <Link className="btn btn-secondary" to="/contact">
      {specifiedMessages.contact}
    </Link>
  </StatusScreen>
)
