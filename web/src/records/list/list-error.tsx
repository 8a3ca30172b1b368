import {
  isRouteErrorResponse,
  Link,
  useLocation,
  useRevalidator,
  useRouteError,
} from 'react-router'
import { signIn } from '#auth/auth.ts'
import { listMessages } from '#messages/list.ts'
import { recordMessages } from '#messages/record.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { definitionAt, firstSegment } from '#data/definitions.ts'
import { isHtml } from '#data/failure.ts'
import { ReadableError } from '#base/readable-error.ts'
import { Icon } from '#ui/icon.tsx'
import '#styles/records.scss'

export function ListError() {
  const error = useRouteError()
  const { pathname, search } = useLocation()
  const { state, revalidate } = useRevalidator()
  const isResponse = isRouteErrorResponse(error)
  const status = isResponse ? error.status : 0
  const title = isResponse
    ? specifiedMessages.oops(status, error.statusText)
    : specifiedMessages.unexpectedError
  const list = definitionAt(firstSegment(pathname))?.viewData.title ?? siteMessages.records
  return (
    <div className="list-error">
      <title>{title}</title>
      <h1 tabIndex={-1}>{title}</h1>
      <div className="note danger" role="alert">
        <Icon name="exclamation-triangle-fill" />
        <div>
          <strong>{messageOf(error)}</strong>
          <p>{reasonOf(error)}</p>
        </div>
      </div>
      <div className="list-ways">
        {status === 401 ? (
          <button
            type="button"
            className="btn btn-primary btn-sm"
            onClick={() => void signIn({ returnUrl: pathname + search })}
          >
            {specifiedMessages.signIn}
          </button>
        ) : (
          <button
            type="button"
            className="btn btn-primary btn-sm"
            disabled={state === 'loading'}
            onClick={() => void revalidate()}
          >
            {siteMessages.tryAgain}
          </button>
        )}
        {error instanceof ReadableError && (
          <button
            type="button"
            className="btn btn-secondary btn-sm"
            onClick={() => window.location.reload()}
          >
            {siteMessages.reloadPage}
          </button>
        )}
        <Link className="btn btn-secondary btn-sm" to={search ? pathname : '/'}>
          {search ? recordMessages.backToList(list) : siteMessages.backHome}
        </Link>
      </div>
    </div>
  )
}

function messageOf(error: unknown) {
  if (error instanceof ReadableError) return error.message
  if (!isRouteErrorResponse(error)) return specifiedMessages.unknownError
  const message: unknown = Reflect.get(Object(error.data), 'message')
  return typeof message === 'string' ? message : String(error.data)
}

/** The reason: our text if known, otherwise the server's, but never a proxy's HTML. */
function reasonOf(error: unknown) {
  if (error instanceof ReadableError) return null
  if (!isRouteErrorResponse(error)) return listMessages.noAnswer
  if (error.status === 401) return listMessages.notSignedIn
  if (error.status === 403) return listMessages.noRight
  const detail: unknown = Reflect.get(Object(error.data), 'detail')
  const hasMessage = typeof detail === 'string' && detail !== error.statusText && !isHtml(detail)
  if (hasMessage) return detail
  if (error.status < 500) return null
  return error.status === 500 ? siteMessages.errorHelp.other : listMessages.noAnswer
}
