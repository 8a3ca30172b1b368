import type { User } from 'oidc-client-ts'
import { contact } from '#base/site.ts'
import type { Failure } from '#data/failure.ts'
import { mutate } from '#data/mutate.ts'

/** Sent as specified; the server ignores them and reads the token. */
export const senderOf = ({ profile }: User) => ({
  clientId: profile.sub,
  clientName: profile.name || profile.preferred_username,
})

export type SentTicket = { id: string; number: number; isEmailed: boolean }
/** The created ticket; null if delivery is simulated. */
export type SendResult = { ticket: SentTicket | null }

export async function sendTicket(body: object): Promise<SendResult | Failure | 'signed-out'> {
  if (contact.delivery === 'simulated') return { ticket: null }
  const outcome = await mutate({ path: 'tickets', body })
  if (outcome.kind === 'failed') return outcome.status === 401 ? 'signed-out' : outcome.failure
  if (outcome.kind !== 'saved') return { ticket: null }
  const { id, number } = outcome.record
  return { ticket: { id: String(id), number: Number(number), isEmailed: outcome.isConfirmed } }
}
