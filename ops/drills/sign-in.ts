import { createHash, randomBytes } from 'node:crypto'
import { demoAccounts } from '../../scripts/keycloak.ts'

type Where = { issuer: string; site: string }

/** A token of an admin, had as a browser has it: the form of Keycloak, a code, and the proof that it is ours (PKCE). */
export async function signInAdmin({ issuer, site }: Where) {
  const account = demoAccounts().find(({ isAdmin }) => isAdmin)
  if (!account) throw new Error('The realm has no admin')
  const verifier = randomBytes(32).toString('base64url')
  const client = { client_id: 'gatehouse-web', redirect_uri: `${site}/signin-callback` }
  const question = new URLSearchParams({
    ...client,
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const form = await fetch(`${issuer}/protocol/openid-connect/auth?${question}`)
  const action = /action="([^"]+)"/.exec(await form.text())?.[1]?.replaceAll('&amp;', '&')
  if (!action) throw new Error('Keycloak shows no form')
  const cookie = form.headers.getSetCookie().map((one) => one.split(';')[0])
  const { username, password } = account
  const back = await fetch(action, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookie.join('; ') },
    body: new URLSearchParams({ username, password }),
  })
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const answer = await fetch(`${issuer}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...client,
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (!token) throw new Error('Keycloak gave no token')
  return token
}
