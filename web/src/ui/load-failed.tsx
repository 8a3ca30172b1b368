import { siteMessages } from '#messages/site.ts'

export const LoadFailed = (
  props: ({ what: string } | { message: string }) & { onRetry: () => void },
) => (
  <div className="load-failed" role="alert">
    <span>{'what' in props ? siteMessages.notLoaded(props.what) : props.message}</span>
    <button type="button" className="btn btn-secondary btn-sm" onClick={props.onRetry}>
      {siteMessages.tryAgain}
    </button>
  </div>
)
