import { SMTPServer } from 'smtp-server'
import { freePort } from '../../tools/stack/settings.ts'

type Delivery = { to: string; messageId: string; at: number }

export async function startRelay() {
  const port = await freePort()
  const deliveries: Delivery[] = []
  let server: SMTPServer | null = null

  const up = async () => {
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onData: (stream, { envelope }, accept) => {
        const parts: Buffer[] = []
        stream.on('data', (bytes: Buffer) => parts.push(bytes))
        stream.on('end', () => {
          const messageId = /^Message-ID: (.+)$/im.exec(Buffer.concat(parts).toString())?.[1] ?? ''
          for (const { address } of envelope.rcptTo)
            deliveries.push({ to: address, messageId, at: Date.now() })
          accept()
        })
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
  }
  const down = () =>
    new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))

  return { url: `smtp://127.0.0.1:${port}`, deliveries, up, down }
}

export type Relay = Awaited<ReturnType<typeof startRelay>>
