import { afterEach, expect, test } from 'vitest'
import { currentUser, offerSignIn, SignInUnavailableError } from './session.ts'

afterEach(() => sessionStorage.clear())

const offerNothing = () =>
  offerSignIn({
    load: () => Promise.reject(new Error('config.json: 503')),
    onTrouble: () => {},
  })

test('[NAV-04] a stored user does not count as signed out if the sign-in client can’t be loaded', async () => {
  offerNothing()
  sessionStorage.setItem('oidc.user:https://id.test:web', '{}')
  await expect(currentUser()).rejects.toBeInstanceOf(SignInUnavailableError)
})

test('[NAV-06] a tab without a stored user is signed out, and loads no sign-in client', async () => {
  offerNothing()
  sessionStorage.setItem('oidc.state-1', '{}')
  expect(await currentUser()).toBeNull()
})
