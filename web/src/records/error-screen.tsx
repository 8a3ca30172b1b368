import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { texts } from '#content/texts.ts'
import { StatusScreen } from '#ui/status-screen.tsx'

/** What went wrong with a record page, inside the layout, with a way back. */
export function ErrorScreen({ backTo, backLabel }: { backTo: string; backLabel: string }) {
  const error = useRouteError()
  const isResponse = isRouteErrorResponse(error)
  const title = isResponse ? texts.oops(error.status, error.statusText) : texts.unexpectedError
  return (
    <>
      <title>{title}</title>
      <StatusScreen
        title={title}
        detail={isResponse ? String(error.data) : undefined}
        plan="broken"
      >
        <Link className="btn btn-primary" to="" reloadDocument>
          {texts.tryAgain}
        </Link>
        <Link className="btn btn-secondary" to={backTo}>
          {backLabel}
        </Link>
      </StatusScreen>
    </>
  )
}
