import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react'
import { User } from 'oidc-client-ts'
import { AuthProvider } from 'react-oidc-context'
import { createMemoryRouter, Outlet, useLocation, type RouteObject } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { vi } from 'vitest'
import { closeModal, ModalHost } from '#feedback/modals.tsx'
import { ToastHost } from '#feedback/toasts.tsx'
import { NO_HEAD } from '#layout/head.ts'
import { loadDefinitions, readDefinitions } from '#data/definitions.ts'
import { buildModelRoutes } from '#records/routes.tsx'
import { startAuth } from '#auth/start-auth.ts'

// Generous timeout: a busy machine must not fail tests.
configure({ asyncUtilTimeout: 5_000 })
vi.setConfig({ testTimeout: 30_000 })

export const SIGN_IN = {
  authority: 'https://id.test/realms/gatehouse',
  clientId: 'gatehouse-web',
  productPages: true,
}

export type Call = { method: string; url: string; body: unknown; headers: Headers }
type Answer = unknown

/**
 * Stubs the API: `'GET /api/Services': [...]` responds with JSON, a Response or function is used as it is, an Error is a network
 * failure, anything else is 404. Returns the calls.
 */
export function stubServer(answers: Record<string, Answer>): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET'
    const call = {
      method,
      url,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body,
      headers: new Headers(init.headers),
    }
    calls.push(call)
    const key = [`${method} ${url}`, `${method} ${url.split('?')[0]}`].find((one) => one in answers)
    const configured = key === undefined ? new Response(null, { status: 404 }) : answers[key]
    const response: Answer = typeof configured === 'function' ? await configured(call) : configured
    if (response instanceof Error) throw response
    return response instanceof Response ? response.clone() : Response.json(response ?? null)
  })
  return calls
}

export const requestsIn = (calls: Call[]) => calls.map(({ method, url }) => `${method} ${url}`)

export async function signInAs(role: 'user' | 'admin' | null, over: Record<string, unknown> = {}) {
  sessionStorage.clear()
  const manager = startAuth(SIGN_IN)
  if (role) await manager.storeUser(buildUser({ role, ...over }))
  return manager
}

export const buildUser = (claims: Record<string, unknown>, over: Record<string, unknown> = {}) =>
  new User({
    access_token: 'token-of-the-visitor',
    token_type: 'Bearer',
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    profile: {
      sub: 'sub-1',
      iss: SIGN_IN.authority,
      aud: SIGN_IN.clientId,
      exp: 0,
      iat: 0,
      ...claims,
    },
    ...over,
  })

/** Stores a pending sign-in with `state=state-1`. */
export const leaveToSignIn = (data?: unknown) =>
  sessionStorage.setItem(
    'oidc.state-1',
    JSON.stringify({
      id: 'state-1',
      data,
      created: Math.floor(Date.now() / 1000),
      request_type: 'si:r',
      code_verifier: 'verifier',
      authority: SIGN_IN.authority,
      client_id: SIGN_IN.clientId,
      redirect_uri: `${window.location.origin}/signin-callback`,
      scope: 'openid',
      extraTokenParams: {},
      response_mode: 'query',
    }),
  )

export function define(given: object) {
  const { definitions, mistakes } = readDefinitions(JSON.stringify([given]))
  if (!definitions[0]) throw new Error(mistakes.join())
  return definitions[0]
}

export async function renderSite(
  given: object | RouteObject[],
  address: string,
  role: 'user' | 'admin' | null = null,
  claims: Record<string, unknown> = {},
) {
  const userManager = await signInAs(role, claims)
  const pages = Array.isArray(given) ? given : [await modelRoutes(given)]
  const router = createMemoryRouter(
    [
      {
        path: '/',
        Component: Frame,
        HydrateFallback: () => null,
        children: [
          ...pages,
          ...['login', 'unauthorised', 'elsewhere'].map((path) => ({
            path,
            element: <h1>{path}</h1>,
          })),
        ],
      },
    ],
    { initialEntries: [address] },
  )
  render(
    <AuthProvider userManager={userManager} skipSigninCallback>
      <RouterProvider router={router} />
    </AuthProvider>,
  )
  return router
}

export async function modelRoutes(given: object) {
  sessionStorage.setItem('dynamicRoutes', JSON.stringify([given]))
  await loadDefinitions([])
  return buildModelRoutes({ crumb: () => 'Not found', head: () => NO_HEAD, Component: () => null })
}

function Frame() {
  const { pathname, search } = useLocation()
  return (
    <>
      <output data-testid="address">{pathname + search}</output>
      <Outlet />
      <ToastHost />
      <ModalHost />
    </>
  )
}

export const address = () => screen.getByTestId('address').textContent

/** Toasts and modals outlive a page: cleared between tests. */
export function clearFeedback() {
  vi.useRealTimers()
  cleanup()
  closeModal()
  render(<ToastHost />)
  for (let close; (close = screen.queryAllByRole('button', { name: 'Close' })[0]);)
    fireEvent.click(close)
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  sessionStorage.clear()
}
