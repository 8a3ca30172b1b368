import { checkRelay } from '../../api/src/platform/mail/mailer.ts'
import {
  failure,
  isLocal,
  errorMessage,
  notInProduction,
  ok,
  warning,
  type Installation,
} from './finding.ts'

/** Sends EHLO, and AUTH if the URL has a password, but no email. */
export async function checkMail(installation: Installation) {
  const { settings } = installation
  if (!settings) return []
  const { url } = settings.mail
  if (!url)
    return [
      notInProduction(installation)(
        'No email is sent: SMTP_URL is not set',
        'set it; until then email is queued, and fails after seven days',
      ),
    ]
  const { host, hostname, protocol } = new URL(url)
  try {
    await checkRelay({ url, requireTLS: false })
  } catch (error) {
    return [
      failure(`Cannot connect to mail relay ${host}: ${errorMessage(error)}`, 'correct SMTP_URL'),
    ]
  }
  const isPrivate =
    isLocal(hostname) ||
    protocol === 'smtps:' ||
    (await checkRelay({ url, requireTLS: true }).then(
      () => true,
      () => false,
    ))
  return isPrivate
    ? [ok(`Mail relay ${host} accepts email`)]
    : [
        warning(
          `Email to ${host} is not encrypted`,
          'use a relay with STARTTLS, or smtps:// in SMTP_URL',
        ),
      ]
}
