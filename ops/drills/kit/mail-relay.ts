import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type MailRelaySettings = { address: string; port: number; certificate: string; key: string }
export type ReceivedMail = { to: string[]; subject: string; text: string }

/** A relay with STARTTLS. */
export async function startMailRelay(
  { address, port, certificate, key }: MailRelaySettings,
  onMail: (mail: ReceivedMail) => void,
) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    cert: readFileSync(certificate),
    key: readFileSync(key),
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
    const { subject = '', text = '' } = await PostalMime.parse(await buffer(stream))
    onMail({ to, subject, text })
  }
}
