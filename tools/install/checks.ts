import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkSamples, checkSite } from '../../ops/doctor/configuration.ts'
import { failure, ok, type Finding } from '../../ops/doctor/finding.ts'
import { readInstallation } from '../../ops/doctor/installation.ts'
import { checkDns } from './check-dns.ts'
import { checkPorts } from './check-ports.ts'
import { checkTestEmail } from './check-relay.ts'
import type { InstallationFolder } from './read-folder.ts'

const CERTIFICATE_FILES = ['certificate.pem', 'key.pem']

/** Checks of an installation before it starts; the doctor has those of a running one. */
export async function* checkInstallation(
  { folder, env, settings, smtpUrl, siteFile, isServer }: InstallationFolder,
  { isRunning, command }: { isRunning: boolean; command: string },
): AsyncGenerator<[name: string, findings: Finding[]]> {
  const { SITE_HOST = '', IDENTITY_HOST = '', OWNER_EMAIL: owner = '' } = env
  const doctor = readInstallation({ NODE_ENV: 'production', SITE_DIR: dirname(siteFile) })
  const { config } = doctor
  yield [
    'configuration',
    [...checkSite(doctor), ...checkSamples(doctor), ...checkUrl(config?.site.url, SITE_HOST)],
  ]
  yield ['DNS', await checkDns([SITE_HOST, IDENTITY_HOST].filter(Boolean))]
  yield ['ports', checkPorts(settings, { isRunning, upCommand: isServer ? `${command} up` : null })]
  if (env['TLS'] === 'files') yield ['certificate', checkCertificateFiles(folder, { isServer })]
  yield [
    'mail',
    await checkTestEmail({
      url: smtpUrl,
      mailFrom: settings['MAIL_FROM'],
      owner,
      config,
      initCommand: `${command} init`,
      ...(isServer
        ? {
            // There is no file env before the first `up`, which would take one for an older installation.
            senderSetting: `owner.email in ${siteFile} (MAIL_FROM in ${join(folder, 'env')}, once that file is there)`,
            authorityFile: join(folder, 'tls/authority.pem'),
          }
        : { senderSetting: 'MAIL_FROM in .env', authorityFile: 'tls/authority.pem' }),
    }),
  ]
}

/** Links in emails and the sitemap start with `site.url`. */
function checkUrl(url: string | undefined, host: string): Finding[] {
  const wanted = `https://${host}`
  return url === undefined || url === wanted
    ? []
    : [failure(`site.url is ${url}, but the site is at ${wanted}`, 'correct it in site/site.json')]
}

const checkCertificateFiles = (folder: string, { isServer }: { isServer: boolean }): Finding[] =>
  CERTIFICATE_FILES.map((name) =>
    existsSync(join(folder, 'tls', name))
      ? ok(`tls/${name} is there`)
      : failure(
          `tls/${name} is missing`,
          `put it there, for both names${isServer ? '' : '; key.pem readable for user 33'}`,
        ),
  )
