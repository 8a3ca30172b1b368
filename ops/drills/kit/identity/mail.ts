import { setTimeout } from 'node:timers/promises'
import type { IdentityStack } from './stack.ts'

const MAIL_MS = 15_000
const LINK = /https?:\/\/\S+\/login-actions\/action-token\S+/

/** Waits for the link in Keycloak's newest mail to this address. */
export async function linkTo(stack: IdentityStack, address: string) {
  const deadline = Date.now() + MAIL_MS
  while (Date.now() < deadline) {
    for (const { text } of await stack.mailsTo(address)) {
      const found = LINK.exec(text)?.[0]
      if (found) return found
    }
    await setTimeout(300)
  }
  throw new Error(`No mail with a link was sent to ${address}`)
}
