import { linkTo } from './kit/identity/mail.ts'
import type { IdentityStack } from './kit/identity/stack.ts'
import type { Result } from './kit/results.ts'
import { claimsOf, launchBrowser, trySignIn } from './kit/identity/sign-in.ts'
import { newApp } from './kit/identity/totp.ts'
import type { HttpResponse } from './kit/http-clients.ts'

const PASSWORD = (username: string) => `${username}-demo-password`
const CLIENTS =
  'admin-cli gatehouse-web account account-console security-admin-console gatehouse-service broker realm-management admin-permissions'.split(
    ' ',
  )

const none = (title: string, accepted: string[], tried: number): Result => ({
  title,
  isRight: accepted.length === 0,
  figure: accepted.length === 0 ? `0 of ${tried} accepted` : accepted.join(', '),
})

export async function directGrants(stack: IdentityStack) {
  const { visit, issuer } = stack.at('127.0.0.3')
  const accepted: string[] = []
  for (const client_id of CLIENTS) {
    const { body } = await visit(`${issuer}/protocol/openid-connect/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'password',
        client_id,
        username: 'alice',
        password: PASSWORD('alice'),
      }).toString(),
    })
    if (body.includes('access_token')) accepted.push(client_id)
  }
  return none('direct grants', accepted, CLIENTS.length)
}

export async function redirects(stack: IdentityStack) {
  const site = stack.at('127.0.0.3')
  const tried = [
    `${site.site}/signin-callbackX`,
    `${site.site}/signin-callback?returnUrl=https://evil.example`,
    `${site.site}/signin-callback/../evil`,
    `${site.site}.evil.example/signin-callback`,
    `${site.site}@evil.example/signin-callback`,
    'https://evil.example/signin-callback',
  ]
  const accepted: string[] = []
  for (const redirect_uri of tried)
    if ((await launchBrowser(site).begin({ redirect_uri })).status < 400)
      accepted.push(redirect_uri)
  return none('redirect addresses that only look alike', accepted, tried.length)
}

/** Requesting a level must not grant it. */
export async function forgedLevels(stack: IdentityStack) {
  const site = stack.at('127.0.0.4')
  const essential = JSON.stringify({ id_token: { acr: { essential: true, values: ['mfa'] } } })
  const asked = [{ acr_values: 'mfa' }, { acr_values: 'fresh' }, { claims: essential }]
  const accepted: string[] = []
  for (const username of ['user-1', 'tech-1'])
    for (const more of asked) {
      const { token } = await trySignIn({ ...site, username, password: PASSWORD(username), more })
      const { acr = '' } = claimsOf(token)
      if (['mfa', 'fresh'].includes(acr)) accepted.push(`${username} ${JSON.stringify(more)}`)
    }
  return none('levels that were not reached', accepted, 2 * asked.length)
}

/** The page must be the same whether the account exists or not. */
export async function checkAccountEnumeration(stack: IdentityStack): Promise<Result> {
  const site = stack.at('127.0.0.5')
  const asked = async (username: string) => {
    const signIn = launchBrowser(site)
    const rejected = await signIn.submit(await signIn.begin(), { username, password: 'wrong one' })
    const reset = launchBrowser(site)
    await reset.begin()
    const form = await reset.go(
      `${site.issuer}/login-actions/reset-credentials?client_id=gatehouse-web`,
    )
    return [rejected, await reset.submit(form, { username })].map((page) => wordsOf(page, username))
  }
  const known = await asked('carol@example.test')
  const unknown = await asked('nobody@example.test')
  const differing = ['sign-in', 'reset'].filter((_, index) => known[index] !== unknown[index])
  return {
    title: 'sign-in and reset hide accounts',
    isRight: differing.length === 0,
    figure: differing.join(', ') || 'equal responses',
  }
}

const TELLING = {
  'the account pages': '/account/',
  'a new address': '/login-actions/required-action?execution=UPDATE_EMAIL',
  'a new name': '/login-actions/required-action?execution=UPDATE_PROFILE',
  registration: '/login-actions/registration?client_id=gatehouse-web',
  reset: '/login-actions/reset-credentials?client_id=gatehouse-web',
}
const TOLD_MAX = 10
const TELLING_TRIES = 30

/** Keycloak reveals accounts on these pages, by text or timing, so each is limited per address. */
export async function countAccountDisclosures(stack: IdentityStack): Promise<Result> {
  const passed: Record<string, number> = {}
  for (const [index, [name, path]] of Object.entries(TELLING).entries()) {
    const { visit, issuer } = stack.at(`127.0.0.${20 + index}`)
    passed[name] = 0
    for (let count = 0; count < TELLING_TRIES; count++)
      if ((await visit(`${issuer}${path}`, { method: 'POST', body: 'x' })).status !== 429)
        passed[name]++
  }
  return {
    title: 'pages that reveal accounts pass at most ten times',
    isRight: Object.values(passed).every((count) => count <= TOLD_MAX),
    figure: JSON.stringify(passed),
  }
}

/** A username equal to another user's address would prevent their registration. */
export async function takenAddress(stack: IdentityStack): Promise<Result> {
  const browser = launchBrowser(stack.at('127.0.0.30'))
  const response = await browser.submit(await browser.begin({ prompt: 'create' }), {
    username: 'victim@example.test',
    email: 'mallory@example.test',
    firstName: 'M',
    lastName: 'M',
  })
  const taken = await stack.api.read<unknown[]>('/users?username=victim@example.test')
  return {
    title: 'an address as username is rejected',
    isRight: taken.length === 0 && response.body.includes('can’t be an email address'),
    figure: taken.length === 0 ? 'rejected' : 'accepted',
  }
}

const wordsOf = ({ status, body }: HttpResponse, username: string) =>
  `${status} ${body
    .replaceAll(/<script[\s\S]*?<\/script>|<[^>]*>/gi, ' ')
    .replaceAll(username, '')
    .replaceAll(/\s+/g, ' ')}`

/** A stolen mailbox alone, for an admin with a factor and one without. */
export async function checkMailboxTakeover(stack: IdentityStack): Promise<Result[]> {
  const site = stack.at('127.0.0.6')
  const app = newApp()
  const withFactor = { ...site, username: 'admin-1', password: PASSWORD('admin-1'), app }
  const first = claimsOf((await trySignIn({ ...withFactor, more: { acr_values: 'mfa' } })).token)
  const ends = [await resetOf(stack, 'admin-1'), await resetOf(stack, 'admin-2')]
  const stolen = await trySignIn({ ...site, username: 'admin-1', password: PASSWORD('admin-1') })
  return [
    {
      title: 'an admin must set up a second factor',
      isRight: first.acr === 'mfa' && first.role === 'admin',
      figure: `acr ${first.acr}`,
    },
    none(
      'mailbox alone, admin tokens',
      ends.filter((end) => end !== ''),
      ends.length,
    ),
    none('password alone, account with a factor', stolen.token.access_token ? ['token'] : [], 1),
  ]
}

/** How the reset succeeded, or an empty string if it was rejected. */
async function resetOf(stack: IdentityStack, username: string) {
  const browser = launchBrowser(stack.at('127.0.0.6'))
  await browser.begin({ acr_values: 'mfa' })
  const form = await browser.go(
    `${stack.settings.issuer}/login-actions/reset-credentials?client_id=gatehouse-web`,
  )
  await browser.submit(form, { username })
  const page = await browser.go(await linkTo(stack, `${username}@example.test`))
  if (page.body.includes('name="password-new"')) return `${username} may set a password`
  const { token } = await browser.end(page)
  return token.access_token ? `${username} has a token` : ''
}
