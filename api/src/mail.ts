import { toLines, toOneLine } from '@gatehouse/model'
import { createTransport } from 'nodemailer'

type Mail = { id: string; to: string; subject: string; text: string }

export type Mailer = {
  /** Resolves when the relay has accepted the mail. */
  send: (mail: Mail) => Promise<void>
  close: () => void
}

const CONNECT_TIMEOUT_MS = 5_000
const CONNECTIONS = 10
const MAILS_PER_CONNECTION = 100
/** A relay that looks into a mail takes its time; whoever does not wait for it sends the same mail again and again. */
const ANSWER_TIMEOUT_MS = 60_000

export function buildMailer({ url, from }: { url: string; from: string }): Mailer {
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
      // The id is the outbox's: a mail sent twice after a crash is recognised as one.
      await transport.sendMail({
        from,
        // One address, whatever it looks like: never a list of them.
        to: { name: '', address: toOneLine(to) },
        subject: toOneLine(subject),
        text: toLines(text),
        messageId: `<${id}@${domain}>`,
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

/** The relay will never take this mail: it refuses the address for good (RFC 5321, 5yz after RCPT TO). */
export const isRefusedForGood = (error: unknown) =>
  error instanceof Error &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500 &&
  'command' in error &&
  error.command === 'RCPT TO'
