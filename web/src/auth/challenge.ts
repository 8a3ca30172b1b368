import { signInClient } from './session.ts'

/** A step-up challenge of the API (RFC 9470). */
export type StepUpChallenge = { acr: string | null; maxAge: number | null }

export function parseChallenge({ status, headers }: Response): StepUpChallenge | null {
  const challenge = headers.get('www-authenticate') ?? ''
  if (status !== 401 || !challenge.includes('error="insufficient_user_authentication"')) return null
  const value = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1] ?? null
  const maxAge = Number(value('max_age') ?? Number.NaN)
  return { acr: value('acr_values'), maxAge: Number.isInteger(maxAge) ? maxAge : null }
}

/** Signs in again in a popup, so the page keeps its state. False if another account signed in. */
export async function confirmIdentity({ acr, maxAge }: StepUpChallenge, signal: AbortSignal) {
  const client = await signInClient()
  const before = await client.getUser()
  const user = await client.signinPopup({
    ...(acr === null ? {} : { acr_values: acr }),
    ...(maxAge === null ? {} : { max_age: maxAge }),
    nonce: crypto.randomUUID(),
    popupSignal: signal,
  })
  return user.profile.sub === before?.profile.sub
}
