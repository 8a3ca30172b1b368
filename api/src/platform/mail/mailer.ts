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
/** Relays that scan mail are slow; a shorter timeout would send the same mail again and again. */
const RESPONSE_TIMEOUT_MS = 60_000

type Sending = {
  url: string
  from: string
  /** Display name, unless the address has its own. */
  name?: string
}

export function buildMailer({ url, from, name = '' }: Sending): Mailer {
  const transport = createTransport({
    url,
    // Pooled: connecting takes longer than sending.
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: MAILS_PER_CONNECTION,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.replace(/^.*@/, '').replace(/>$/, '')
  return {
    send: async ({ id, to, subject, text }) => {
      // Never sanitised: a shortened address may be another person's.
      if (!isOneLine(to)) throw new MailError({ code: 'invalid-address', isFinal: true })
      // Stable Message-ID, so that a duplicate after a crash is recognised.
      await transport
        .sendMail({
          from: from.includes('<') ? from : { name: toOneLine(name), address: from },
          // An object, so that it is never parsed as a list.
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

/** Connects and authenticates without sending: for `npm run doctor`. */
export async function checkRelay({ url, requireTLS }: { url: string; requireTLS: boolean }) {
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

/** A rejected mail. Codes only: the relay's messages quote addresses. */
export class MailError extends Error {
  /** `550 5.1.1`, or a word of the mail client such as `ETIMEDOUT`. */
  readonly code: string
  /** Whether a retry would fail the same way. A relay that rejects us isn't final: the operator can fix it. */
  readonly isFinal: boolean
  constructor({ code, isFinal }: { code: string; isFinal: boolean }) {
    super(code)
    this.name = 'MailError'
    this.code = code
    this.isFinal = isFinal
  }
}

/** SMTP reply code, with the enhanced status code (RFC 3463) if the relay sends one. */
const REPLY = /^([2-5]\d\d)[ -](?:([245]\.\d{1,3}\.\d{1,3})\b)?/
/** X.1.z is about an address, but X.1.7 and X.1.8 are about the sender's, which is ours. */
const RECIPIENT_REFUSED = /^5\d\d 5\.1\.(?![78]$)/

type SmtpError = { response?: string; command?: string; code?: string }

function toMailError(error: unknown) {
  const { response, command, code } = error as SmtpError
  const [, reply, enhanced] = REPLY.exec(response ?? '') ?? []
  if (!reply) return new MailError({ code: code ?? 'unknown', isFinal: false })
  const status = enhanced ? `${reply} ${enhanced}` : reply
  return new MailError({
    code: status,
    isFinal: command === 'RCPT TO' && RECIPIENT_REFUSED.test(status),
  })
}
