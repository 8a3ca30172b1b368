import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isRouteErrorResponse, Link, useLocation, useNavigate, useRouteError } from 'react-router'
import { SignInUnavailableError } from '#auth/session.ts'
import { site } from '#base/site.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { isOfUnknownModel, isRecordAddress } from '#data/definitions.ts'
import { useDefinitions } from '#layout/use-definitions.ts'
import { NotFound } from '#public/status.tsx'
import { ErrorScreen } from '#records/shell/error-screen.tsx'
import { BrokenWall } from '#ui/illustration.tsx'
import { Busy, StatusScreen } from '#ui/status-screen.tsx'

export function Starting() {
  const { pathname } = useLocation()
  return (
    <Busy
      text={
        isRecordAddress(pathname) ? specifiedMessages.loadingRoute : specifiedMessages.loadingView
      }
    />
  )
}

/** Remounts on each visit: the models may have loaded since the last one. */
export function UnknownPage() {
  return <Unknown key={useLocation().key} />
}

function Unknown() {
  useDefinitions()
  const [wasUnknown] = useState(isOfUnknownModel)
  return wasUnknown || isOfUnknownModel() ? <AwaitRoutes /> : <NotFound />
}

/** Placeholder of a page that needs the models; opens it once they load. The layout reports failures. */
function AwaitRoutes() {
  const { hasFailed, isLoaded } = useDefinitions()
  const isReady = isLoaded && !hasFailed
  const wasReady = useRef(isReady)
  const navigate = useNavigate()
  const location = useLocation()
  // A navigation: an error boundary keeps its error through a revalidation.
  const open = useEffectEvent(
    () =>
      void navigate(location, { replace: true, state: location.state, preventScrollReset: true }),
  )
  useEffect(() => {
    if (isReady && !wasReady.current) open()
    wasReady.current = isReady
  }, [isReady])
  if (!hasFailed) return <Busy text={specifiedMessages.loadingRoute} />
  return (
    <StatusScreen title={site.name} isTitleHidden illustration={<BrokenWall />}>
      <Link className="btn btn-primary" to="/">
        {siteMessages.backHome}
      </Link>
    </StatusScreen>
  )
}

export function PageError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <UnknownPage />
  if (error instanceof SignInUnavailableError) return <AwaitRoutes />
  return <ErrorScreen backTo="/" backLabel={siteMessages.backHome} />
}
