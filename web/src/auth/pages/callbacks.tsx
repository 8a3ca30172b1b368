import { useEffect, useRef } from 'react'
import { useAuth } from 'react-oidc-context'
import { useNavigate, useSearchParams } from 'react-router'
import {
  isSilent,
  isRepeated,
  returnUrlOf,
  returnUrlOfArrival,
  safeReturnUrl,
  signIn,
} from '#auth/auth.ts'
import { hasStoredSignIn } from '#auth/session.ts'
import { isBelowMfa } from '#auth/config.ts'
import { signInSilently } from '#auth/silent-sign-in.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { ReadableError } from '#base/readable-error.ts'
import type { SignInFailure } from './login.tsx'

const WELCOME = { message: specifiedPageMessages.welcomeBack, type: 'success' }

export function SignInCallback() {
  const auth = useAuth()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { isAuthenticated, isLoading, error, user } = auth
  const hasRetried = useRef(false)
  useEffect(() => {
    if (isLoading || hasRetried.current) return
    if (isAuthenticated && isBelowMfa(user) && !isSilent(user) && !isRepeated(user)) {
      // The provider only sets up a factor in a second request, after the sign-in without one.
      hasRetried.current = true
      const returnUrl = returnUrlOf(user, query)
      void signIn({ returnUrl, isRepeated: true, isFactorDue: true })
      return
    }
    if (isAuthenticated) {
      const state = isSilent(user) ? null : { toast: WELCOME }
      void navigate(returnUrlOf(user, query), { replace: true, state })
      return
    }
    if (isSilent(error?.innerError)) {
      const returnUrl = returnUrlOf(error?.innerError, query)
      void navigate(`/login?returnUrl=${encodeURIComponent(returnUrl)}`, { replace: true })
      return
    }
    const inner = error?.innerError
    if (isExpired(inner) && !isRepeated(inner)) {
      hasRetried.current = true
      void signIn({ returnUrl: returnUrlOf(inner, query), isRepeated: true })
      return
    }
    const state = error ? { signInFailure: toFailure(error) } : null
    if (!isOfAnotherTab(inner)) {
      void navigate('/login', { replace: true, state })
      return
    }
    hasRetried.current = true
    const returnUrl = returnUrlOfArrival(query)
    void signInSilently(new Request(new URL(returnUrl, window.location.origin))).then((found) =>
      found
        ? navigate(returnUrl, { replace: true, state: { toast: WELCOME } })
        : navigate('/login', { replace: true, state }),
    )
  }, [isAuthenticated, isLoading, error, user, navigate, query])
  return <Completing text={specifiedMessages.completingSignIn} />
}

export function SignOutCallback() {
  const { isLoading, isAuthenticated, error } = useAuth()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  useEffect(() => {
    if (isLoading) return
    if (error) {
      void navigate('/login', { replace: true, state: { signInFailure: toFailure(error) } })
      return
    }
    // Any site may link here: a visitor still signed in was not signed out.
    const state = isAuthenticated
      ? null
      : { toast: { message: specifiedPageMessages.signedOut, type: 'info' } }
    void navigate(safeReturnUrl(query.get('returnUrl')), { replace: true, state })
  }, [isLoading, isAuthenticated, error, navigate, query])
  return <Completing text={specifiedMessages.completingSignOut} />
}

/** The provider's form expired because another tab confirmed the address. */
const isExpired = (error: unknown) =>
  Reflect.get(Object(error), 'error') === 'temporarily_unavailable' &&
  Reflect.get(Object(error), 'error_description') === 'authentication_expired'

/**
 * A mail's link completes, in its own tab, a sign-in that another tab started: this response can't be used. In a tab with a
 * pending sign-in, a mismatched response is rejected.
 */
const isOfAnotherTab = (error: unknown) =>
  error instanceof Error && error.message.startsWith('No matching state') && !hasStoredSignIn()

const Completing = ({ text }: { text: string }) => (
  <div className="busy" role="status">
    <span className="spin" aria-hidden="true" />
    <h1>{text}</h1>
  </div>
)

function toFailure(error: Error & { source?: string; innerError?: unknown }): SignInFailure {
  const part = (name: string): unknown => Reflect.get(Object(error.innerError), name)
  const detail = ['error', 'error_description', 'session_state'].flatMap((name) =>
    typeof part(name) === 'string' ? [`${name}: ${String(part(name))}`] : [],
  )
  return {
    source: error.source ?? 'signinCallback',
    message: error.message,
    isReadable: error.innerError instanceof ReadableError,
    ...(detail.length > 0 ? { detail: detail.join(' · ') } : {}),
  }
}
