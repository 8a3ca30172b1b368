import { useAuth } from 'react-oidc-context'
import { Navigate, useLocation, useSearchParams } from 'react-router'
import { safeReturnUrl, signIn } from '#auth/auth.ts'
import { isBelowMfa } from '#auth/config.ts'
import { loginMessages } from '#messages/login.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { Icon } from '#ui/icon.tsx'
import { OpenGate } from './gate-illustration.tsx'

/** Passed in navigation state. */
export type SignInFailure = {
  source: string
  message: string
  detail?: string
  /** Whether the message is user-facing. */
  isReadable?: boolean
}

/** Target of guards and failed sign-ins. Never starts a sign-in by itself, so it can't loop. */
export function Login() {
  const auth = useAuth()
  const [query] = useSearchParams()
  const { key } = useLocation()
  const failure = useFailure()
  const returnUrl = safeReturnUrl(query.get('returnUrl'))
  // Keyed: must restart if reopened while a redirect is pending.
  const needsFactor = isBelowMfa(auth.user)
  if (auth.isAuthenticated && !needsFactor) return <Navigate key={key} to={returnUrl} replace />
  return (
    <div className="wrap">
      <div className="status login">
        <div>
          <h1>{siteMessages.signInTitle}</h1>
          <p className="lead">{needsFactor ? loginMessages.factor : loginMessages.lead}</p>
          {failure && (
            <div className="note danger" role="alert">
              <Icon name="exclamation-triangle-fill" />
              <div>
                <strong>
                  {specifiedPageMessages.signInErrors[failure.source] ??
                    specifiedPageMessages.signInErrors['signinCallback']}
                </strong>
                <p>{failure.isReadable ? failure.message : loginMessages.tryAgain}</p>
                {!failure.isReadable && (
                  <details>
                    <summary>{loginMessages.original}</summary>
                    <p>{failure.message}</p>
                    {failure.detail && <p>{failure.detail}</p>}
                  </details>
                )}
              </div>
            </div>
          )}
          <p className="needs-scripts">{loginMessages.needsScripts}</p>
          <div className="acts">
            <button
              type="button"
              className="btn btn-primary"
              onClick={() => void signIn({ returnUrl })}
            >
              {specifiedMessages.signIn}
            </button>
            {!needsFactor && (
              <button
                type="button"
                className="btn btn-secondary"
                onClick={() => void signIn({ returnUrl, isRegistration: true })}
              >
                {specifiedMessages.register}
              </button>
            )}
          </div>
        </div>
        <div className="art">
          <OpenGate />
        </div>
      </div>
    </div>
  )
}

function useFailure(): SignInFailure | null {
  const state: unknown = useLocation().state
  const failure: unknown = Reflect.get(Object(state), 'signInFailure')
  return typeof failure === 'object' && failure !== null ? (failure as SignInFailure) : null
}
