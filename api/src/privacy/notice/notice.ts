import {
  differences,
  NOTICE_SECTIONS,
  type Manifest,
  type Notice,
  type NoticeBlock,
  type NoticeSectionId,
  type SiteConfig,
} from '@gatehouse/model'
import { longDate } from '#platform/site-config.ts'
import { PROMISED_DAYS } from './deadline.ts'
import { list, table, text } from './blocks.ts'
import { dataSharing, dataWeCollect, howWeUseData, legalBasis, transfers } from './data-sections.ts'
import type { NoticeVersion } from './versions.ts'

/**
 * The notice of one version. Its data tables come from the manifest stored with the version, not from the current program;
 * `history` is every version up to it, oldest first.
 */
export function buildNotice(
  version: NoticeVersion,
  history: NoticeVersion[],
  config: SiteConfig,
): Notice {
  const { manifest } = version
  const sections: Record<NoticeSectionId, NoticeBlock[]> = {
    introduction: introduction(version, config),
    'data-we-collect': dataWeCollect(manifest),
    'how-we-use-data': howWeUseData(manifest),
    'legal-basis': legalBasis(manifest),
    'data-sharing': dataSharing(manifest),
    'international-transfers': transfers(manifest),
    'data-security': security(),
    'data-retention': retention(manifest),
    'your-rights': rights(manifest),
    cookies: cookies(manifest),
    'changes-to-notice': changes(history),
    'contact-us': contact(manifest),
  }
  return {
    version: version.version,
    lastUpdated: version.lastUpdated,
    manifestHash: version.manifestHash,
    sections: Object.entries(NOTICE_SECTIONS).map(([id, title]) => ({
      id: id as NoticeSectionId,
      title,
      blocks: sections[id as NoticeSectionId],
    })),
  }
}

function introduction({ version, lastUpdated, manifest }: NoticeVersion, { site }: SiteConfig) {
  const { name, address } = manifest.site.controller
  return [
    text(
      `${name}, ${address}, runs ${site.name} and decides how personal data is used here. This notice tells you what we keep about you, why, for how long, and what you can ask of us.`,
    ),
    text('The tables below are generated from the system that stores the data.'),
    text(`Last updated: ${longDate(lastUpdated)} (version ${version}).`),
  ]
}

/** Checked by ops/doctor/logs.ts. */
export const LOGS_PROMISE =
  'Server logs record routes and outcomes, not names, messages or IP addresses.'

/** Only measures that our checks prove on every change. */
const security = () => [
  list(
    'Connections to this site are encrypted, and browsers are told to use no others.',
    'Access to records is decided by role and by record: you see your own, our clients see theirs.',
    'Sign-in runs through an identity provider with PKCE; we never see your password.',
    'Every change of a record is written to a log, together with the change or not at all.',
    LOGS_PROMISE,
  ),
]

function retention({ policies, stores, site }: Manifest) {
  const promise = (id: string) => policies[id]?.promise ?? ''
  return [
    table(
      'How long we keep it',
      ['Data', 'Kept'],
      [
        ['Customer data', promise('customer')],
        ['Prospect data', promise('prospect')],
        ['Technical logs', promise('technical')],
        ['Marketing consents', promise('consent')],
        ['Messages on their way, and counts that limit abuse', promise('transient')],
        ['Messages that could not be delivered', '7 days after delivery has failed'],
      ],
    ),
    text(
      'Our staff check these terms and delete expired data by hand, except for what the system deletes by itself. It looks for that every ten minutes.',
    ),
    table('What the system deletes by itself', ['Data', 'After'], sweptRows(stores)),
    text(
      'You are a customer if you or your organisation ever had a contract with us, otherwise a prospect. If both terms apply, the later one counts. The last contact is a message between us, or your last sign-in.',
    ),
    text(`Backups: what is deleted leaves our backups within ${site.backups.retentionDays} days.`),
  ]
}

/** One row per label, since columns can share one. */
const sweptRows = (stores: Manifest['stores']) => [
  ...new Map(
    Object.values(stores)
      .filter((store) => store.personal)
      .filter(({ kept }) => kept !== null)
      .map(({ label, kept }) => [label, [label, kept ?? '']]),
  ).values(),
]

function rights({ site }: Manifest) {
  const { authority } = site.controller
  return [
    list(
      'Access: see the data we keep about you, and get a copy.',
      'Rectification: have wrong data corrected.',
      'Erasure: have your data deleted, as far as no law obliges us to keep it.',
      'Restriction: ask us to pause using your data while a question about it is open.',
      'Portability: get the data you gave us in a form that programs can read.',
      'Objection: say no to use that rests on our legitimate interests.',
      'Withdrawal: take back a consent at any time; what was done before stays lawful.',
      `Complaint: turn to the supervisory authority, ${authority.name} (${authority.url}).`,
    ),
    text(`Requests are answered within ${PROMISED_DAYS} days.`),
    text('Our staff carry out each request by hand, whether a copy, a correction or an erasure.'),
    text(
      'Use the Privacy Inquiry Form below. We reply to the email address you give us, and never ask for a copy of an identity document.',
    ),
  ]
}

function cookies({ storage, site }: Manifest) {
  const rows = Object.values(storage).map((entry) => [
    entry.key,
    `${entry.why} (${entry.class}, ${entry.where})`,
    entry.howLong,
  ])
  return [
    table('What this site keeps in your browser', ['Name', 'What for', 'How long'], rows),
    text(
      'Essential entries make the site work and need no consent. Nothing else is stored, and no analytics run, before you choose "Accept All". You can change your mind at any time under "Cookie settings".',
    ),
    ...(site.analytics.enabled ? [] : [text('No analytics are in use at present.')]),
    text(
      'If your browser sends the Global Privacy Control signal, the analytics switch starts off.',
    ),
    text('We keep your cookie choice as proof, without your name, IP address or browser.'),
  ]
}

const changes = (history: NoticeVersion[]) => [
  text(
    'Every version stays available. When the program or the people we work with change, so does this notice.',
  ),
  ...history.toReversed().flatMap((version) => {
    const before = history[history.indexOf(version) - 1]
    return [
      text(`Version ${version.version}, ${longDate(version.lastUpdated)}: ${version.summary}.`),
      ...(before ? [list(...differences(before.manifest, version.manifest))] : []),
    ]
  }),
]

function contact({ site }: Manifest) {
  const { name, address, privacyEmail, dpo } = site.controller
  return [
    list(
      `${name}, ${address}`,
      `Privacy: ${privacyEmail}`,
      ...(dpo ? [`Data protection officer: ${dpo}`] : []),
    ),
    text(
      'The quickest way is the Privacy Inquiry Form: you get a reference and a due date straight away.',
    ),
  ]
}
