import { greetRelay } from '../../api/src/platform/mailer.ts'
import { failure, isLocal, messageOf, ok, warning, type Patient } from './finding.ts'

/** Says hello, and who we are where the address has a password; no mail is sent. */
export async function checkMail({ settings }: Patient) {
  if (!settings) return []
  const { url } = settings.mail
  if (!url)
    return [
      warning(
        'No mail leaves: SMTP_URL is not set',
        'set it; until then mails wait, and after seven days they are no longer tried',
      ),
    ]
  const { host, hostname, protocol } = new URL(url)
  try {
    await greetRelay({ url, requireTLS: false })
  } catch (error) {
    return [failure(`The mail relay ${host} refuses us: ${messageOf(error)}`, 'correct SMTP_URL')]
  }
  const isPrivate =
    isLocal(hostname) ||
    protocol === 'smtps:' ||
    (await greetRelay({ url, requireTLS: true }).then(
      () => true,
      () => false,
    ))
  return isPrivate
    ? [ok(`The mail relay ${host} takes mails`)]
    : [
        warning(
          `Mails travel in the clear to ${host}`,
          'use a relay with STARTTLS, or smtps:// in SMTP_URL',
        ),
      ]
}
