import { afterEach, expect, test } from 'vitest'
import { currentUser, offerSignIn, SignInUnavailableError } from './session.ts'

afterEach(() => sessionStorage.clear())

const offerNothing = () =>
  offerSignIn({
    load: () => Promise.reject(new Error('config.json: 503')),
    onTrouble: () => {},
  })

test('[NAV-04] a stored user whose client can’t be loaded is not taken for signed out', async () => {
  offerNothing()
  sessionStorage.setItem('oidc.user:https://id.test:web', '{}')
  await expect(currentUser()).rejects.toBeInstanceOf(SignInUnavailableError)
})

test('[NAV-06] without a stored user nobody is signed in, and no client is loaded', async () => {
  offerNothing()
  sessionStorage.setItem('oidc.state-1', '{}')
  expect(await currentUser()).toBeNull()
})
