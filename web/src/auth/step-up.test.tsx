import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  requestsIn,
  buildUser,
  clearFeedback,
  SIGN_IN,
  signInAs,
  stubServer,
} from '../../test/kit.tsx'
import { mutate } from '#data/mutate.ts'
import { requireVisitor } from '#data/guard.ts'
import { StepUpDialog } from '#layout/step-up-dialog.tsx'
import { signIn, toVisitor } from './auth.ts'
import { isBelowMfa } from './config.ts'
import { setConfig } from './read-config.ts'
import { parseChallenge } from './challenge.ts'
import { usePending } from './step-up.ts'

const WITH_MFA = { ...SIGN_IN, adminMfa: 'on', ownerPath: 'owner' } as const

beforeEach(() => setConfig(WITH_MFA))
afterEach(() => {
  cleanup()
  clearFeedback()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const challenge = (asks: string) =>
  Response.json(
    { code: 'insufficient_user_authentication', detail: 'Confirm that it’s you to continue.' },
    {
      status: 401,
      headers: {
        'www-authenticate': `Bearer error="insufficient_user_authentication", ${asks}`,
      },
    },
  )

const Host = () => <StepUpDialog pending={usePending()} />

test.each([
  ['acr_values="fresh", max_age="600"', { acr: 'fresh', maxAge: 600 }],
  ['acr_values="mfa"', { acr: 'mfa', maxAge: null }],
  ['max_age="600"', { acr: null, maxAge: 600 }],
])('the step-up challenge %s is parsed', (asks, read) => {
  expect(parseChallenge(challenge(asks))).toEqual(read)
  expect(parseChallenge(new Response(null, { status: 401 }))).toBeNull()
})

describe('an action that needs step-up authentication', () => {
  async function startAction(signinPopup: () => Promise<unknown>) {
    const manager = await signInAs('admin', { acr: 'mfa' })
    setConfig(WITH_MFA)
    const popup = vi.spyOn(manager, 'signinPopup').mockImplementation(signinPopup as never)
    let isConfirmed = false
    const calls = stubServer({
      'POST /api/things/1/purge': () => {
        const isFirst = !isConfirmed
        isConfirmed = true
        return isFirst
          ? challenge('acr_values="fresh", max_age="600"')
          : new Response(null, { status: 204 })
      },
    })
    render(<Host />)
    const outcome = mutate({ path: 'things/1/purge', failed: ({ text }) => text })
    await screen.findByRole('dialog', { name: 'Confirm that it’s you' })
    return { calls, popup, outcome }
  }

  test('an action that needs step-up asks, signs in with the requested values, and is repeated with its key', async () => {
    const { calls, popup, outcome } = await startAction(async () => buildUser({ role: 'admin' }))
    fireEvent.click(screen.getByRole('button', { name: 'Sign in again' }))
    expect((await outcome).kind).toBe('saved')
    expect(popup.mock.calls[0]?.[0]).toMatchObject({ acr_values: 'fresh', max_age: 600 })
    expect(requestsIn(calls)).toEqual(['POST /api/things/1/purge', 'POST /api/things/1/purge'])
    const [first, second] = calls.map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toBeTruthy()
    expect(second).toBe(first)
    await waitFor(() => expect(screen.queryByText('Waiting for the other window…')).toBeNull())
  })

  test('an action that needs step-up is not repeated after Cancel or for another account', async () => {
    const { calls, outcome } = await startAction(async () =>
      buildUser({ role: 'admin', sub: 'someone-else' }),
    )
    fireEvent.click(screen.getByRole('button', { name: 'Sign in again' }))
    await screen.findByText('We couldn’t confirm that it’s you. Try again.')
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await outcome).toMatchObject({
      kind: 'failed',
      failure: { text: 'Confirm that it’s you to continue.' },
    })
    expect(calls).toHaveLength(1)
  })
})

describe('an admin without a second factor', () => {
  test.each([
    ['session', true],
    [undefined, true],
    ['mfa', false],
    ['fresh', false],
  ])('an admin with acr %s is below the second factor: %s', (acr, isBelow) => {
    const user = buildUser({ role: 'admin', acr, owner: true })
    expect(isBelowMfa(user)).toBe(isBelow)
    expect(toVisitor(user)).toMatchObject(
      isBelow ? { role: 'user' } : { role: 'admin', owner: true },
    )
    expect(isBelowMfa(buildUser({ role: 'user', acr }))).toBe(false)
    setConfig(SIGN_IN)
    expect(isBelowMfa(user)).toBe(false)
  })

  test('an admin without a second factor is redirected to sign in, and never sees a client’s lists', async () => {
    await signInAs('admin', { acr: 'session' })
    setConfig(WITH_MFA)
    const open = (needed: 'public' | 'user' | 'admin') =>
      requireVisitor(needed, new Request(`${window.location.origin}/tickets?q=a`)).then(
        () => 'served',
        (answer: Response) => answer.headers.get('location'),
      )
    expect(await open('public')).toBe('served')
    expect(await open('user')).toBe('/login?returnUrl=%2Ftickets%3Fq%3Da')
    expect(await open('admin')).toBe('/login?returnUrl=%2Ftickets%3Fq%3Da')
  })

  test('an admin without the owner claim is not an owner', () => {
    expect(toVisitor(buildUser({ role: 'admin', acr: 'mfa' }))).toMatchObject({ owner: false })
    setConfig(SIGN_IN)
    expect(toVisitor(buildUser({ role: 'admin' }))).toMatchObject({ owner: true })
  })
})

test('every sign-in requests the second factor, a registration does not', async () => {
  const manager = await signInAs(null)
  setConfig(WITH_MFA)
  const leave = vi.spyOn(manager, 'signinRedirect').mockResolvedValue()
  vi.spyOn(manager.metadataService, 'getMetadata').mockResolvedValue({})
  await signIn({ returnUrl: '/' })
  await signIn({ returnUrl: '/', isRegistration: true })
  expect(leave.mock.calls.map(([args]) => args?.acr_values)).toEqual(['mfa', undefined])
})
