import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type MailRelaySettings = {
  address: string
  port: number
  /** Files of STARTTLS; without them it is not offered. */
  tls?: { certificate: string; key: string }
}
export type ReceivedMail = { to: string[]; subject: string; text: string; messageId: string }
export type MailRelay = Awaited<ReturnType<typeof startMailRelay>>

const CLOSE_TIMEOUT_MS = 100

/** `onMail` is called before the client gets its reply. */
export async function startMailRelay(
  { address, port, tls }: MailRelaySettings,
  onMail: (mail: ReceivedMail) => void,
) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: CLOSE_TIMEOUT_MS,
    ...(tls ? { cert: readFileSync(tls.certificate), key: readFileSync(tls.key) } : {}),
    onData: (stream, { envelope }, accept) => {
      const to = envelope.rcptTo.map(({ address: recipient }) => recipient)
      receive(stream, to).then(() => accept(), accept)
    },
  })
  server.on('error', () => {})
  const listening = once(server.server, 'listening')
  server.listen(port, address)
  await listening

  async function receive(stream: Parameters<typeof buffer>[0], to: string[]) {
    const { subject = '', text = '', messageId = '' } = await PostalMime.parse(await buffer(stream))
    onMail({ to, subject, text, messageId })
  }

  return { stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
