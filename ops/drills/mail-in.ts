import { randomUUID } from 'node:crypto'
import { buildEmailThread } from '../../api/src/mailbox/email-thread.ts'
import { isOwnEmail } from '../../api/src/mailbox/automatic.ts'
import type { ReadEmail } from '../../api/src/mailbox/read-email.ts'
import { buildReplyTokens, type ReplyTokens } from '../../api/src/mailbox/reply-tokens.ts'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { report, seconds, type Result } from './kit/results.ts'
import { compareReading, type EmailReading } from './mail-corpus/compare-reading.ts'
import { DESK, MAIL_AUTHSERV, type CorpusContext } from './mail-corpus/expected.ts'
import { MAIL_CORPUS } from './mail-corpus/index.ts'

/** Emails that may be attached as they came, of 200. */
const WHOLE_MAX = 5

/** Reads the corpus, as the worker does, and compares each email with what somebody expected who had not seen the reader. */
export async function mailIn() {
  const started = Date.now()
  const tokens = buildReplyTokens({ secrets: [DEMO_SECRETS.signing], desk: DESK })
  const context = contextOf(tokens)
  const thread = buildEmailThread()
  const wrong: string[] = []
  let crashes = 0
  let whole = 0
  try {
    for (const { name, raw, expected } of MAIL_CORPUS) {
      const { email, failure } = await thread.read(raw(context), { authserv: MAIL_AUTHSERV })
      if (failure) crashes++
      if (email.isUnreadable) whole++
      const findings = compareReading(readingOf(email, tokens), expected, context)
      if (findings.length > 0)
        wrong.push(`${name}${failure ? ` (${failure})` : ''}: ${findings.join('; ')}`)
    }
  } finally {
    await thread.stop()
  }
  for (const line of wrong) console.log(line)
  const results: Result[] = [
    {
      title: 'emails as expected',
      isRight: wrong.length === 0,
      figure: `${MAIL_CORPUS.length - wrong.length} of ${MAIL_CORPUS.length}`,
    },
    { title: 'crashes of the reader', isRight: crashes === 0, figure: String(crashes) },
    {
      title: 'attached as they came',
      isRight: whole <= WHOLE_MAX,
      figure: `${whole}, at most ${WHOLE_MAX}`,
    },
  ]
  return report('mail-in', results, `${seconds(started)} s`)
}

function contextOf(tokens: ReplyTokens): CorpusContext {
  const id = randomUUID()
  return {
    replyAddress: tokens.replyAddress(42) ?? '',
    otherTicketReplyAddress: tokens.replyAddress(43) ?? '',
    messageId: tokens.messageId(id, 42).slice(1, -1),
    returnPath: tokens.returnPath(id) ?? '',
  }
}

function readingOf(email: ReadEmail, tokens: ReplyTokens): EmailReading {
  const isOwn = isOwnEmail(email, { tokens, addresses: [DESK] })
  const bounce = bounceOf(email, tokens)
  return {
    from: email.from?.address ?? null,
    fromName: email.from?.name ?? '',
    subject: email.subject,
    text: email.text,
    quoted: email.quoted,
    files: email.files,
    kind: isOwn ? 'own' : (bounce?.kind ?? (email.kind === 'person' ? 'person' : 'automatic')),
    ...(bounce ? { bounce: bounce.ids } : {}),
    references: [...email.inReplyTo, ...email.references].map(withoutBrackets),
    recipients: email.recipients,
    isProven: email.isProven,
  }
}

/** Null without our mac: such a report is as any automatic email. */
function bounceOf({ bounce, recipients }: ReadEmail, tokens: ReplyTokens) {
  const returnPath = recipients.find((address) => tokens.emailOfReturnPath(address) !== null)
  const messageId = bounce?.returnedIds.find((one) => tokens.emailOfMessageId(one) !== null)
  if (!bounce || !(returnPath ?? messageId)) return null
  const [recipient] = bounce.recipients
  return {
    kind: `bounce-${bounce.kind}` as const,
    ids: {
      ...(messageId ? { messageId: withoutBrackets(messageId) } : {}),
      ...(returnPath ? { returnPath } : {}),
      ...(recipient ? { recipient } : {}),
    },
  }
}

const withoutBrackets = (id: string) => id.replace(/^<|>$/g, '')
