import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  buildManifest,
  isExample,
  isExampleLink,
  isFictionalPhone,
  START_PAGES,
  type SiteConfig,
} from '@gatehouse/model'
import { models, stores } from '../../api/src/installation.ts'
import { fingerprintMismatch } from '../../api/src/build-fingerprint.ts'
import { readEnv } from '../../api/src/platform/env.ts'
import { findPrinted } from '../../api/src/pages/printed-files.ts'
import { readPrintedInput } from '../../api/src/pages/site-input.ts'
import {
  findInstalledDrift,
  newestOf,
  readVersions,
} from '../../api/src/privacy/notice/versions.ts'
import { fromRoot } from '../../api/src/platform/paths.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import {
  failure,
  errorMessage,
  notInProduction,
  ok,
  warning,
  type Installation,
} from './finding.ts'

/** Files whose code ops/install.sh copies into a release. */
const INSTALLED = '/etc/gatehouse/site/'
const SOCIAL_FIX = 'use your own profile, or the start page of the service if you have none'

export function checkSettings({ env }: Installation) {
  try {
    readEnv(env)
    return [ok('Settings are complete')]
  } catch (error) {
    return [failure(errorMessage(error), 'set them as .env.example explains')]
  }
}

export function checkSite({ siteFile }: Installation) {
  try {
    readConfig(siteFile)
    return [ok(`${siteFile} is complete`)]
  } catch (error) {
    return [
      failure(errorMessage(error), `correct ${siteFile}; its schema is model/site.schema.json`),
    ]
  }
}

export function checkSamples(installation: Installation) {
  const { config } = installation
  if (!config) return []
  const { site, owner, controller, socials } = config
  const addresses = {
    'site.url': new URL(site.url).hostname,
    'owner.email': owner.email,
    'owner.alertEmail': owner.alertEmail,
    'controller.privacyEmail': controller.privacyEmail,
  }
  const phones = { 'site.phone': site.phone, 'site.emergency.phone': site.emergency?.phone }
  const bad = notInProduction(installation)
  const findings = [
    ...(config.profile.sample
      ? [bad('The profile is the sample', 'write your own and set profile.sample to false')]
      : []),
    ...Object.entries(addresses)
      .filter(([, address]) => isExample(address))
      .map(([name, address]) => bad(`${name} is an example: ${address}`, 'use your own')),
    ...Object.entries(phones).flatMap(([name, phone]) =>
      phone && isFictionalPhone(phone)
        ? [bad(`${name} is an example: ${phone}`, 'use your own, or remove it')]
        : [],
    ),
    ...Object.entries(socials)
      .filter(([, link]) => isExampleLink(link))
      .map(([name, link]) => warning(`socials.${name} is a sample: ${link}`, SOCIAL_FIX)),
    ...checkStartPages(config),
  ]
  return findings.length > 0 ? findings : [ok('The configuration has no sample content')]
}

/** As `init` writes them: all are nobody's profile. */
function checkStartPages({ socials }: SiteConfig) {
  const pages: string[] = Object.values(START_PAGES)
  return Object.values(socials).every((link) => pages.includes(link))
    ? [warning('The footer links to no profile of yours, only to start pages', SOCIAL_FIX)]
    : []
}

/** ID of the host of the backups among the recipients of the privacy notice. */
const BACKUP_RECIPIENT = 'backup'

/** The bucket has everything that is stored about people. */
export function checkBackupRecipient({ config, env }: Installation) {
  const bucket = env['BACKUP_BUCKET']
  if (!config || !bucket) return []
  const { host } = new URL(bucket)
  return config.recipients.some(({ id }) => id === BACKUP_RECIPIENT)
    ? [ok(`The privacy notice names the host of the backups (${host})`)]
    : [
        warning(
          `The privacy notice doesn’t name the host of the backups (${host})`,
          `add the company to recipients in site.json, with the id "${BACKUP_RECIPIENT}"`,
        ),
      ]
}

/** In production the API doesn't start if this fails. */
export function checkNotice(
  installation: Installation,
  versions = readVersions(installation.settings?.noticeFolder),
) {
  const { config, env } = installation
  if (!config) return []
  const { version, released, lastUpdated } = newestOf(versions)
  const drift = findInstalledDrift(versions, buildManifest({ models, config, stores }))
  if (drift.length > 0)
    return [
      failure(
        `Version ${version} of the privacy notice doesn’t match the program: ${drift.join('; ')}`,
        released
          ? './gatehouse notice --date 2026-01-31 --summary "…" (on a server: gatehouse notice --date …; in a checkout: npm run notice:write -- --date …)'
          : './gatehouse up (on a server: gatehouse up; in a checkout: npm run notice:write)',
      ),
    ]
  return env['NOTICE_DRIFT'] === 'warn'
    ? [
        warning(
          'The privacy notice is correct, but with NOTICE_DRIFT=warn the API would start with a wrong one',
          'remove NOTICE_DRIFT',
        ),
      ]
    : [
        ok(`Version ${version} of the privacy notice matches the program`),
        ...(released
          ? []
          : [
              warning(
                `Version ${version} of the privacy notice is a draft with the date ${lastUpdated}`,
                'once it is right: ./gatehouse notice --release --date 2026-01-31 (on a server: gatehouse notice --release --date …)',
              ),
            ]),
      ]
}

/** Code and texts of the site's folder are built in: their changes take effect only after a build. */
export function checkBuild(
  { settings, siteFile }: Installation,
  { programs = fromRoot('api/dist'), installed = INSTALLED } = {},
) {
  if (!settings) return []
  const { bundle } = settings.pages
  const todo = 'npm run build -w web (on a server: gatehouse up)'
  if (!existsSync(bundle)) return [failure('The site is not built', todo)]
  const sites = [`${dirname(siteFile)}/`, installed].filter((folder) => existsSync(folder))
  const others = [programs, dirname(bundle)].flatMap((built) =>
    sites.flatMap((site) => fingerprintMismatch(built, pathToFileURL(site)) ?? []),
  )
  return others.length > 0
    ? others.map(({ what, todo }) => failure(what, todo))
    : [ok('The site’s current code is built in')]
}

/** Made by a program of its own, which needs a browser. */
export function checkPrinted(
  { settings, siteFile, config }: Installation,
  versions = readVersions(settings?.noticeFolder),
) {
  const directory = settings?.pages.directory
  if (!config || !directory) return []
  const input = readPrintedInput(config, { siteFile, versions })
  return Object.keys(findPrinted(directory, input)).length > 0
    ? [ok('The privacy notice is there as PDF')]
    : [
        warning(
          'The privacy notice is not there as PDF, so its button prints; links have no preview image',
          'install chromium, then run gatehouse up; with containers, leave it',
        ),
      ]
}
