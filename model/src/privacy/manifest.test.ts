import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildManifest, checkRecipients, toCanonicalText, type Manifest } from './manifest.ts'
import { differences } from './manifest-diff.ts'
import type { Model } from '#definition/model.ts'
import { models } from '#models/index.ts'
import { np, personal, type FieldPrivacy } from '#definition/privacy.ts'
import type { SiteConfig } from '#site/config.ts'
import { NO_PERSON, toManifestStores } from './stores.ts'

const RECIPIENT = {
  id: 'mail',
  name: 'Mail relay',
  role: 'processor',
  country: 'IE',
  safeguard: null,
  logDays: 30,
} as const

const HELD = {
  label: 'Address of a letter',
  category: 'contact',
  purposes: ['delivery'],
  retention: 'transient',
  source: 'you',
} as const

const config = {
  controller: {
    name: 'Example Ltd',
    address: '1 Example Street',
    privacyEmail: 'privacy@example.test',
    dpo: null,
    authority: { name: 'Authority', url: 'https://authority.example' },
  },
  recipients: [RECIPIENT, { ...RECIPIENT, id: 'hosting', name: 'Hosting', logDays: null }],
  backups: { retentionDays: 30 },
  analytics: { enabled: false },
  consent: { analyticsDefault: 'on' },
} as unknown as SiteConfig

const stores = toManifestStores(
  {
    letters: {
      holds: { id: NO_PERSON, address: HELD },
      by: 'email',
      erase: 'row',
      expires: { term: '7 days' },
    },
  },
  {
    logs: {
      holds: NO_PERSON,
      by: null,
      erase: 'opaque',
      kept: '12 months',
      check: 'logs',
      places: ['/var/log/*'],
    },
  },
)
const original = buildManifest({ models, config, stores })

function edited(edit: (sources: { models: Model[]; config: SiteConfig }) => void) {
  const sources = structuredClone({ models, config })
  edit(sources)
  return buildManifest({ ...sources, stores })
}

const withField = (path: string, name: string, privacy: FieldPrivacy) =>
  edited((sources) => {
    const model = sources.models.find((one) => one.path === path)
    if (model) model.fields[name] = { type: 'text', label: 'Mobile', privacy }
  })

test('the manifest is plain data, and its text doesn’t depend on key order', () => {
  expect(JSON.parse(JSON.stringify(original))).toStrictEqual(original)
  const shuffled = edited((sources) => {
    sources.models.reverse()
    sources.config.recipients.reverse()
  })
  expect(toCanonicalText(shuffled)).toBe(toCanonicalText(original))
  expect(differences(original, shuffled)).toEqual([])
})

test('the manifest diff lists a new personal field with category, purpose, basis and retention', () => {
  const after = withField('contracts', 'mobile', personal('contact', ['delivery']))
  const line =
    'contracts.mobile — Contact details — delivery (contract) — 7 years after contract end'
  expect(differences(original, after)).toEqual([`+ ${line}`])
  expect(differences(after, original)).toEqual([`- ${line}`])
  expect(differences(original, withField('services', 'mobile', np))).toEqual([
    '+ services.mobile — not personal',
  ])
})

test('the manifest diff lists a changed field, model or recipient with old and new values', () => {
  const after = edited((sources) => {
    const contacts = sources.models.find(({ path }) => path === 'contacts')
    if (!contacts?.fields['phone']) return
    contacts.fields['phone'].privacy = personal('contact', ['delivery'])
    contacts.privacy.retention = 'prospect'
    Object.assign(sources.config.recipients[0] ?? {}, { country: 'US', safeguard: 'SCC' })
  })
  expect(differences(original, after)).toEqual(
    expect.arrayContaining([
      '~ model contacts — retention: relationship → prospect',
      '~ contacts.phone — purposes: ["enquiries","delivery"] → ["delivery"]',
      '~ recipient mail — country: IE → US',
      '~ recipient mail — safeguard: null → SCC',
    ]),
  )
})

type Path = (string | number)[]

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const parts = Object.entries(value)
  if (parts.length === 0) return [path]
  return parts.flatMap(([key, part]) =>
    placesIn(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((part: unknown, key) => (part as Record<string, unknown>)[key], value)
}

function put(manifest: Manifest, path: Path, value: unknown) {
  const copy = structuredClone(manifest)
  const parent = at(copy, path.slice(0, -1)) as Record<string, unknown>
  const key = String(path.at(-1))
  if (value === undefined && !Array.isArray(parent)) delete parent[key]
  else parent[key] = value ?? null
  return copy
}

test('PN1: any edit of the manifest changes the hashed text and yields at least one line of the diff', () => {
  const places = placesIn(original)
  const groups = new Set(places.map(([group]) => group))
  expect(groups).toEqual(new Set(Object.keys(original)))
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null), fc.constant(undefined)),
      (path, value) => {
        const after = put(original, path, value)
        fc.pre(toCanonicalText(after) !== toCanonicalText(original))
        expect(differences(original, after).length).toBeGreaterThan(0)
        expect(differences(after, original).length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 400 },
  )
})

const personalFields = models.flatMap((model) =>
  Object.keys(model.fields)
    .filter((name) => model.fields[name]?.privacy.personal)
    .map((name) => [model.path, name] as const),
)

const ANNOTATIONS: Record<string, unknown[]> = {
  personal: [false],
  category: ['identity', 'technical', 'device'],
  purposes: [['rights'], ['security', 'rights'], ['marketing']],
  retention: ['transient', 'technical', 'consent'],
  erase: ['row', 'null', 'unlink', 'redact', 'pseudonym', 'file'],
  source: ['you', 'client', 'idp', 'system'],
  freeText: [true, false],
}

test('PN1: any edit of an annotation in a model reaches the manifest', () => {
  const edits = Object.entries(ANNOTATIONS).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...personalFields),
      fc.constantFrom(...edits),
      ([path, field], [name, value]) => {
        const before = original.fields[`${path}.${field}`] as Record<string, unknown>
        fc.pre(JSON.stringify(before[name]) !== JSON.stringify(value))
        const after = edited((sources) => {
          const model = sources.models.find((one) => one.path === path)
          Object.assign(model?.fields[field]?.privacy ?? {}, { [name]: value })
        })
        expect(toCanonicalText(after)).not.toBe(toCanonicalText(original))
        expect(differences(original, after).join('\n')).toContain(`${path}.${field}`)
      },
    ),
    { numRuns: 200 },
  )
})

test('PN1: any privacy edit in a model or the configuration reaches the manifest', () => {
  const edits: [string, (sources: { models: Model[]; config: SiteConfig }) => void][] = [
    ['model contacts', ({ models: all }) => void (all[1]!.privacy.onErase = 'null')],
    ['model contacts', ({ models: all }) => void (all[1]!.privacy.subject = 'none')],
    ['model contacts', ({ models: all }) => void (all[1]!.privacy.role = 'processor')],
    ['model contacts', ({ models: all }) => void (all[1]!.privacy.recipients = ['mail'])],
    ['contacts.email', ({ models: all }) => void (all[1]!.fields['email']!.label = 'Mail')],
    ['contacts.email', ({ models: all }) => void delete all[1]!.fields['email']],
    ['model accounts', ({ models: all }) => void all.pop()],
    ['recipient mail', ({ config: site }) => void site.recipients.shift()],
    ['backups', ({ config: site }) => void (site.backups.retentionDays = 90)],
    ['analytics', ({ config: site }) => void (site.analytics.enabled = true)],
    ['cookieConsentKept', ({ config: site }) => void (site.consent.keep = 'browser')],
    [
      'controller',
      ({ config: site }) => void (site.controller.authority.url = 'https://x.example'),
    ],
  ]
  for (const [name, edit] of edits)
    expect(differences(original, edited(edit)).join('\n')).toContain(name)
})

test('a recipient outside the EEA and the United Kingdom needs a safeguard, and IDs are unique', () => {
  const mistakes = (changes: object[]) =>
    checkRecipients([], {
      ...config,
      recipients: changes.map((change) => ({ ...RECIPIENT, ...change })),
    })
  expect(
    mistakes([{}, { id: 'uk', country: 'GB' }, { id: 'us', country: 'US', safeguard: 'SCC' }]),
  ).toEqual([])
  expect(mistakes([{ country: 'US' }, { id: 'us', country: 'US', safeguard: ' ' }])).toHaveLength(2)
  expect(mistakes([{}, {}])).toEqual(['recipients: id "mail" must be unique'])
})

test('a model may only name recipients of the configuration', () => {
  expect(checkRecipients(models, config)).toEqual([])
  expect(checkRecipients(models, { ...config, recipients: [] })).toEqual([
    'tickets: the recipient "mail" is not in the site\'s configuration',
    'messages: the recipient "mail" is not in the site\'s configuration',
    'privacyrequests: the recipient "mail" is not in the site\'s configuration',
    'accounts: the recipient "mail" is not in the site\'s configuration',
  ])
})
