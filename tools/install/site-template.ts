import { isAbroad, START_PAGES, type SiteConfig } from '@gatehouse/model'
import { countryFacts } from './countries.ts'
import type { Answers } from './questions.ts'

/** Hours until the first reply. A promise to visitors, so it includes a weekend. */
const RESPONSE_HOURS = 72
const BACKUP_DAYS = 30

/** The site.json of a new site: true for any provider, without anything of the sample. */
export function siteConfigOf(answers: Answers): Omit<SiteConfig, '$schema'> {
  const { SITE_NAME: name = '', LEGAL_NAME: legalName = '', OWNER_EMAIL: email = '' } = answers
  const { COUNTRY: country = '' } = answers
  const { timezone, currency, authority } = countryFacts(country)
  const [authorityName, authorityHost] = authority ?? []
  return {
    site: {
      name,
      url: `https://${answers['SITE_HOST']}`,
      timezone: timezone ?? answers['TIME_ZONE'] ?? '',
      country,
      currency: currency ?? answers['CURRENCY'] ?? '',
      locale: `en-${country}`,
      responseHours: RESPONSE_HOURS,
    },
    brand: { colours: null, logo: null, icon: null },
    owner: {
      name,
      title: 'Managed IT and security services',
      credit: name,
      email,
      alertEmail: email,
    },
    controller: {
      name: legalName,
      address: answers['POSTAL_ADDRESS'] ?? '',
      privacyEmail: answers['PRIVACY_EMAIL'] ?? '',
      dpo: null,
      authority: {
        name: authorityName ?? answers['AUTHORITY_NAME'] ?? '',
        url: authorityHost ? `https://${authorityHost}` : (answers['AUTHORITY_URL'] ?? ''),
      },
    },
    socials: START_PAGES,
    recipients: [
      recipient('hosting', 'Hosting provider', { country, legalName }),
      recipient('mail', 'Mail relay', { country, legalName }),
      ...(answers['BACKUP_BUCKET']
        ? [recipient('backup', 'Backup storage', { country, legalName })]
        : []),
    ],
    // A box ticked beforehand is no consent in the EU and the UK (CJEU C-673/17).
    consent: { analyticsDefault: 'off' },
    analytics: { enabled: false },
    contact: { delivery: 'stored' },
    privacy: { breaker: { minRows: 50, share: 0.2 } },
    backups: { retentionDays: BACKUP_DAYS },
    profile: {
      sample: false,
      headline: 'IT and security, looked after.',
      lead: `${name} looks after computers, networks and accounts. Here you see our services, ask us a question and follow your requests.`,
      // The four stops of the drawing, true of this program.
      gates: [
        { title: 'Sign-in', text: 'Everyone has an account of their own.' },
        { title: 'Access', text: 'You see your own records, and no one else’s.' },
        { title: 'Requests', text: 'Each has a reference, and you can follow it.' },
        { title: 'History', text: 'Every change of a record is kept.' },
      ],
      expertise: [],
      certifications: [],
      tools: [],
      projects: [],
      philosophy: {
        statement: 'Write down what changes. Give each person the access they need, and no more.',
        principles: [],
      },
    },
  }
}

type Business = { country: string; legalName: string }

const recipient = (id: string, name: string, { country, legalName }: Business) => ({
  id,
  name,
  role: 'processor' as const,
  country,
  safeguard: isAbroad(country) ? `In the same country as ${legalName}` : null,
  logDays: null,
})
