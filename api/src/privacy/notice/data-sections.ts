import { isAbroad, type Manifest } from '@gatehouse/model'
import { table, text } from './blocks.ts'
import {
  categoriesOf,
  countryName,
  personalDataIn,
  purposesIn,
  categoriesSharedWith,
  ROLES,
  sourcesOf,
  unique,
} from './personal-data-facts.ts'

export function dataWeCollect(manifest: Manifest) {
  const rows = Object.entries(manifest.categories).flatMap(([id, label]) => {
    const kept = personalDataIn(manifest).filter(({ category }) => category === id)
    if (kept.length === 0) return []
    return [[label, unique(kept.map((one) => one.label)).join('; '), sourcesOf(kept)]]
  })
  return [
    table('What we keep', ['Category', 'What exactly', 'Source'], rows),
    text(
      'We do not ask for special categories of data, such as health or beliefs. Please do not put them in messages.',
    ),
  ]
}

export function howWeUseData(manifest: Manifest) {
  return [
    table(
      'What we use it for',
      ['Purpose', 'Categories'],
      purposesIn(manifest).map(([id, { label }]) => [
        label,
        categoriesOf(
          manifest,
          personalDataIn(manifest).filter(({ purposes }) => purposes.includes(id)),
        ),
      ]),
    ),
    text('We make no automated decisions about you and build no profiles.'),
  ]
}

export function legalBasis(manifest: Manifest) {
  const rows = purposesIn(manifest).map(([, { label, basis, interest }]) => [
    label,
    `${manifest.bases[basis]}${interest ? ` (our interest: ${interest})` : ''}`,
  ])
  return [
    table('Why we may use it', ['Purpose', 'Legal basis'], rows),
    text('Articles are those of the General Data Protection Regulation (GDPR).'),
    text('Where the basis is legitimate interests, you may object at any time.'),
  ]
}

export function dataSharing(manifest: Manifest) {
  const rows = Object.entries(manifest.recipients).map(([id, { name, role, country, logDays }]) => [
    name,
    `${ROLES[role]}, ${countryName(country)}${logDays === null ? '' : `; keeps its own logs for ${logDays} days`}`,
    categoriesSharedWith(manifest, id),
  ])
  const forClients = Object.values(manifest.models).filter(({ role }) => role === 'processor')
  return [
    table('Who receives data', ['Recipient', 'Role and country', 'Categories'], rows),
    text('We do not sell data.'),
    ...(forClients.length > 0
      ? [
          text(
            `We keep some records on behalf of our clients (${forClients.map(({ title }) => title.toLowerCase()).join(', ')}). There the client decides; if you ask us about them, we pass your request on and tell you.`,
          ),
        ]
      : []),
  ]
}

export function transfers({ recipients }: Manifest) {
  const abroad = Object.values(recipients).filter(({ country }) => isAbroad(country))
  if (abroad.length === 0)
    return [
      text(
        'None. Everyone who receives data is in the European Economic Area or the United Kingdom.',
      ),
    ]
  return [
    table(
      'Recipients outside the European Economic Area and the United Kingdom',
      ['Recipient', 'Country', 'Safeguard'],
      abroad.map(({ name, country, safeguard }) => [name, countryName(country), safeguard ?? '']),
    ),
  ]
}
