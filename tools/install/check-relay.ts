import { randomUUID } from 'node:crypto'
import type { SiteConfig } from '@gatehouse/model'
import { checkRelay, buildMailer } from '../../api/src/platform/mail/mailer.ts'
import { senderOf } from '../../api/src/platform/mail/sender.ts'
import { errorMessage, failure, ok, warning, type Finding } from '../../ops/doctor/finding.ts'
import { urlOf } from './questions.ts'

type Relay = {
  url: string
  /** Setting MAIL_FROM. */
  mailFrom: string | undefined
  owner: string
  config: SiteConfig | null
  /** As the deployer calls it. */
  initCommand: string
  /** Where the sender is set. */
  senderSetting: string
  /** Where the certificate of a private authority belongs. */
  authorityFile: string
}

/** Node's sentences about a certificate whose authority it doesn't know. */
const UNKNOWN_AUTHORITY =
  /self-signed certificate|unable to (verify the first|get (local )?issuer) certificate/

/** Signs in at the relay and sends one email to the owner, because many relays refuse a sender only then. */
export async function checkTestEmail({
  url,
  mailFrom,
  owner,
  config,
  initCommand,
  senderSetting,
  authorityFile,
}: Relay): Promise<Finding[]> {
  if (!url)
    return [
      warning(
        'No mail relay: nobody can register, reset a password or get a reply by email',
        `run ${initCommand} again once you have one`,
      ),
    ]
  if (!config) return [warning('No email was sent: site/site.json is invalid', 'correct it')]
  const host = urlOf(url)?.host ?? ''
  const from = senderOf(config, mailFrom)
  const { name } = config.site
  const mailer = buildMailer({ url, from, name })
  try {
    await checkRelay({ url, requireTLS: false })
    await mailer.send({ id: randomUUID(), to: owner, ...testEmail(config, initCommand) })
  } catch (error) {
    const message = errorMessage(error)
    return [
      failure(
        `Mail relay ${host} did not accept an email from ${from} to ${owner}: ${withoutPassword(message, url)}`,
        UNKNOWN_AUTHORITY.test(message)
          ? `if its authority is your own, put the authority’s certificate at ${authorityFile} and run ${initCommand} again`
          : `correct the relay by ${initCommand}, or the sender by ${senderSetting}`,
      ),
    ]
  } finally {
    mailer.close()
  }
  return [
    ok(`Mail relay ${host} accepted a test email from ${from} to ${owner}: see whether it arrived`),
  ]
}

const testEmail = ({ site }: SiteConfig, initCommand: string) => ({
  subject: `Test email of ${site.name}`,
  text: `This is the test email of ${site.url}, sent while it was set up (${initCommand}).\n\nThe mail relay works. There is nothing to do.\n`,
})

/** A relay may quote what it was sent. */
function withoutPassword(text: string, url: string) {
  const { password = '' } = urlOf(url) ?? {}
  const forms = [password, decodeURIComponent(password)].filter(Boolean)
  return forms.reduce((result, form) => result.replaceAll(form, '…'), text)
}
