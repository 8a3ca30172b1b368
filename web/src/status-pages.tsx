import { isRouteErrorResponse, Link, useLocation, useRouteError } from 'react-router'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { isOfUnknownModel, isRecordAddress } from '#data/definitions.ts'
import { useDefinitions } from '#layout/use-definitions.ts'
import { NotFound } from '#public/status.tsx'
import { ErrorScreen } from '#records/frame/error-screen.tsx'
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

/** While the models are not loaded it may be a record address: the layout's banner offers a retry. */
export function UnknownPage() {
  useDefinitions()
  if (!isOfUnknownModel()) return <NotFound />
  return (
    <StatusScreen
      title={specifiedMessages.unexpectedError}
      detail={siteMessages.notLoaded(siteMessages.parts.page)}
      illustration={<BrokenWall />}
    >
      <Link className="btn btn-primary" to="/">
        {siteMessages.backHome}
      </Link>
    </StatusScreen>
  )
}

export function PageError() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <UnknownPage />
  return <ErrorScreen backTo="/" backLabel={siteMessages.backHome} />
}
