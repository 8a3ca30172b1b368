import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type Where = { address: string; port: number; certificate: string; key: string }
type Received = { to: string[]; subject: string; text: string }

/** A relay with STARTTLS that keeps what it gets in memory. */
export async function startMailRelay({ address, port, certificate, key }: Where) {
  const mails: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    cert: readFileSync(certificate),
    key: readFileSync(key),
    onData: (stream, { envelope }, accept) => {
      receive(
        stream,
        envelope.rcptTo.map(({ address: to }) => to),
      ).then(() => accept(), accept)
    },
  })
  server.on('error', () => {})
  const listening = once(server.server, 'listening')
  server.listen(port, address)
  await listening
  return {
    mails,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }

  async function receive(stream: Parameters<typeof buffer>[0], to: string[]) {
    const { subject = '', text = '' } = await PostalMime.parse(await buffer(stream))
    mails.push({ to, subject, text })
  }
}
