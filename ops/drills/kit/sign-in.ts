import { createHash, randomBytes } from 'node:crypto'
import type { Answer, Visitor } from './visitors.ts'

type SignIn = { visit: Visitor; issuer: string; site: string; username: string; password: string }

/** Gets a token as a browser does: sign-in form, authorisation code, PKCE. */
export async function signIn({ visit, issuer, site, username, password }: SignIn) {
  const secret = randomBytes(32).toString('base64url')
  const client = { client_id: 'gatehouse-web', redirect_uri: `${site}/signin-callback` }
  const form = await visit(
    `${issuer}/protocol/openid-connect/auth?${new URLSearchParams({
      ...client,
      response_type: 'code',
      scope: 'openid',
      code_challenge: createHash('sha256').update(secret).digest('base64url'),
      code_challenge_method: 'S256',
    })}`,
  )
  const target = /action="([^"]+)"/.exec(form.body)?.[1]?.replaceAll('&amp;', '&')
  if (!target) throw new Error(`There is no form to sign in with: ${form.status}`)
  const sent = await visit(target, {
    ...post({ username, password }),
    headers: { ...FORM, cookie: cookiesOf(form) },
  })
  const location = String(sent.headers['location'] ?? '')
  if (!location.startsWith(client.redirect_uri))
    throw new Error(`The sign-in does not return to the site: ${sent.status} ${location}`)
  const code = new URL(location).searchParams.get('code') ?? ''
  const answer = await visit(
    `${issuer}/protocol/openid-connect/token`,
    post({ ...client, grant_type: 'authorization_code', code, code_verifier: secret }),
  )
  if (answer.status !== 200) throw new Error(`There is no token: ${answer.body}`)
  return (JSON.parse(answer.body) as { access_token: string }).access_token
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const post = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: FORM,
  body: new URLSearchParams(fields).toString(),
})

const cookiesOf = ({ headers }: Answer) =>
  ((headers['set-cookie'] as string[] | undefined) ?? [])
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
