import {
  isRouteErrorResponse,
  Link,
  useRevalidator,
  useRouteError,
  type ErrorResponse,
} from 'react-router'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { ReadableError } from '#base/readable-error.ts'
import { BrokenWall } from '#ui/illustration.tsx'
import { StatusScreen } from '#ui/status-screen.tsx'

export function ErrorScreen({ backTo, backLabel }: { backTo: string; backLabel: string }) {
  const error = useRouteError()
  const isResponse = isRouteErrorResponse(error)
  const isReadable = error instanceof ReadableError
  const problem = isResponse ? readError(error) : null
  const title = isResponse
    ? specifiedMessages.oops(error.status, error.statusText)
    : specifiedMessages.unexpectedError
  return (
    <>
      <title>{title}</title>
      <StatusScreen
        title={title}
        detail={problem?.message ?? (isReadable ? error.message : undefined)}
        note={problem?.detail}
        illustration={<BrokenWall />}
      >
        {isReadable ? (
          <RetryInPlace />
        ) : (
          <Link className="btn btn-primary" to="" reloadDocument>
            {siteMessages.tryAgain}
          </Link>
        )}
        <Link className="btn btn-secondary" to={backTo}>
          {backLabel}
        </Link>
      </StatusScreen>
    </>
  )
}

function readError({ status, data }: ErrorResponse) {
  const { message = data, detail = helpFor(status) } = Object(data) as Partial<Loaded>
  return { message: String(message), detail: String(detail) }
}

type Loaded = { message: unknown; detail: unknown }

const helpFor = (status: number) =>
  (siteMessages.errorHelp as Record<string, string>)[status] ?? siteMessages.errorHelp.other

/** Revalidates in place: a reload would lose the page when offline. A new release needs a reload. */
function RetryInPlace() {
  const { state, revalidate } = useRevalidator()
  return (
    <>
      <button
        type="button"
        className="btn btn-primary"
        aria-disabled={state === 'loading'}
        onClick={() => void revalidate()}
      >
        {siteMessages.tryAgain}
      </button>
      <button type="button" className="btn btn-secondary" onClick={() => window.location.reload()}>
        {siteMessages.reloadPage}
      </button>
    </>
  )
}
