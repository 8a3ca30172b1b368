import { freePort } from '../../tools/stack/settings.ts'
import { startMailRelay, type MailRelay } from './kit/mail-relay.ts'

type Delivery = { to: string; messageId: string; at: number }

/** A mail relay that can be away for a while. */
export async function startRelay() {
  const address = '127.0.0.1'
  const port = await freePort()
  const deliveries: Delivery[] = []
  let relay: MailRelay | undefined

  const up = async () => {
    relay = await startMailRelay({ address, port }, ({ to, messageId }) => {
      for (const recipient of to) deliveries.push({ to: recipient, messageId, at: Date.now() })
    })
  }
  const down = async () => relay?.stop()

  return { url: `smtp://${address}:${port}`, deliveries, up, down }
}

export type Relay = Awaited<ReturnType<typeof startRelay>>
