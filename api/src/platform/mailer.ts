import { isOneLine, toLines, toOneLine } from '@gatehouse/model'
import { createTransport } from 'nodemailer'

type Mail = { id: string; to: string; subject: string; text: string }

export type Mailer = {
  /** Resolves when the relay has accepted the mail; rejects with a `MailError`. */
  send: (mail: Mail) => Promise<void>
  close: () => void
}

const CONNECT_TIMEOUT_MS = 5_000
const CONNECTIONS = 10
const MAILS_PER_CONNECTION = 100
/** A relay that looks into a mail takes its time; whoever does not wait for it sends the same mail again and again. */
const ANSWER_TIMEOUT_MS = 60_000

type Sending = {
  url: string
  from: string
  /** The name beside the address, unless the address brings one. */
  name?: string
}

export function buildMailer({ url, from, name = '' }: Sending): Mailer {
  const transport = createTransport({
    url,
    // Connections stay open between mails: opening one takes longer than sending.
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: MAILS_PER_CONNECTION,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: ANSWER_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.replace(/^.*@/, '').replace(/>$/, '')
  return {
    send: async ({ id, to, subject, text }) => {
      // Never mended: what is left of an address may be somebody else's.
      if (!isOneLine(to)) throw new MailError({ code: 'invalid-address', isFinal: true })
      // The id is the outbox's: a mail sent twice after a crash is recognised as one.
      await transport
        .sendMail({
          from: from.includes('<') ? from : { name: toOneLine(name), address: from },
          // One address, whatever it looks like: never a list of them.
          to: { name: '', address: to },
          subject: toOneLine(subject),
          text: toLines(text),
          messageId: `<${id}@${domain}>`,
        })
        .catch((error: unknown) => {
          throw toMailError(error)
        })
    },
    close: () => transport.close(),
  }
}

/** Connects, says who we are and leaves: for `npm run doctor`. */
export async function greetRelay({ url, requireTLS }: { url: string; requireTLS: boolean }) {
  const transport = createTransport({
    url,
    requireTLS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: CONNECT_TIMEOUT_MS,
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** A mail that was not accepted. It carries codes only: the relay's words quote addresses. */
export class MailError extends Error {
  /** `550 5.1.1`, or a word of the mail client such as `ETIMEDOUT`. */
  readonly code: string
  /** Another try would end the same way. A relay that refuses us is not final: it is set right, and then takes all. */
  readonly isFinal: boolean
  constructor({ code, isFinal }: { code: string; isFinal: boolean }) {
    super(code)
    this.name = 'MailError'
    this.code = code
    this.isFinal = isFinal
  }
}

/** The reply code of SMTP, and the enhanced one (RFC 3463) that many relays send along. */
const REPLY = /^([2-5]\d\d)[ -](?:([245]\.\d{1,3}\.\d{1,3})\b)?/
/** X.1.z is about an address, but X.1.7 and X.1.8 are about the sender's, which is ours. */
const RECIPIENT_REFUSED = /^5\d\d 5\.1\.(?![78]$)/

type SmtpError = { response?: string; command?: string; code?: string }

function toMailError(error: unknown) {
  const { response, command, code } = error as SmtpError
  const [, reply, enhanced] = REPLY.exec(response ?? '') ?? []
  if (!reply) return new MailError({ code: code ?? 'unknown', isFinal: false })
  const answer = enhanced ? `${reply} ${enhanced}` : reply
  return new MailError({
    code: answer,
    isFinal: command === 'RCPT TO' && RECIPIENT_REFUSED.test(answer),
  })
}
