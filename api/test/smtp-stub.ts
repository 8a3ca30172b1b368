import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

type Stage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data'

export type Relay = Awaited<ReturnType<typeof startRelay>>

/** An SMTP server that can be down, hang, or reject at any stage, as `550 5.1.1 no such mailbox`. */
export async function startRelay({ asksForPassword = false } = {}) {
  const state = {
    mails: [] as string[],
    /** Rejections by stage; the address is appended, as real relays quote it. */
    refusals: {} as Partial<Record<Stage, string>>,
    refused: 0,
    begun: 0,
    isSilent: false,
    thinksMs: 0,
    url: '',
    up: async () => {},
    down: async () => {},
  }
  const refuse = (stage: Stage, address = '') => {
    const answer = state.refusals[stage]
    if (!answer) return null
    state.refused++
    const [code, ...words] = answer.split(' ')
    return Object.assign(new Error(`${words.join(' ')} ${address}`), { responseCode: Number(code) })
  }
  let port = 0
  state.up = async () => {
    const server = new SMTPServer({
      authOptional: !asksForPassword,
      allowInsecureAuth: true,
      disabledCommands: asksForPassword ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      // Pooled connections must not delay closing.
      closeTimeout: 100,
      onConnect: (_session, done) => done(refuse('connect')),
      onAuth: ({ username }, _session, done) => done(refuse('auth', username), { user: username }),
      onMailFrom: ({ address }, _session, done) => done(refuse('mail', address)),
      onRcptTo: ({ address }, _session, done) => done(refuse('rcpt', address)),
      onData: (stream, { envelope }, done) => {
        const lines: Buffer[] = []
        stream.on('data', (bytes: Buffer) => lines.push(bytes))
        stream.on('end', () => {
          state.begun++
          if (state.isSilent) return
          const refusal = refuse('data', envelope.rcptTo[0]?.address)
          if (!refusal) state.mails.push(Buffer.concat(lines).toString().replaceAll('=\r\n', ''))
          setTimeout(() => done(refusal), state.thinksMs)
        })
      },
    })
    server.on('error', () => {})
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.server.address() as AddressInfo).port
    state.url = `smtp://${asksForPassword ? 'desk:secret@' : ''}127.0.0.1:${port}`
    state.down = () => new Promise<void>((resolve) => server.close(() => resolve()))
  }
  await state.up()
  return state
}
