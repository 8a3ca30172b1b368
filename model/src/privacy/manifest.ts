import type { Model } from '#definition/model.ts'
import { BASES, CATEGORIES, POLICIES, PURPOSES } from '#definition/privacy.ts'
import type { SiteConfig } from '#site/config.ts'
import { STORAGE } from './browser-storage.ts'
import type { ManifestStore } from './stores.ts'

/**
 * All declarations about personal data in definitions and configuration, as plain data in groups of named entries. Each version
 * of the notice stores the manifest it was generated from; any change needs a new version.
 */
export type Manifest = {
  models: Record<string, ManifestModel>
  /** By field, such as `contacts.email`. */
  fields: Record<string, ManifestField>
  /** Data outside the models' tables, by column, such as `outbox.recipient`. */
  stores: Record<string, ManifestStore>
  categories: Record<string, string>
  purposes: Record<string, { label: string; basis: string; interest: string | null }>
  bases: Record<string, string>
  policies: Record<
    string,
    { promise: string; term: string | null; compose: string[] | null; longest: number }
  >
  recipients: Record<string, Omit<SiteConfig['recipients'][number], 'id'>>
  storage: Record<
    string,
    { key: string; where: string; class: string; why: string; howLong: string }
  >
  site: Pick<SiteConfig, 'controller' | 'backups' | 'analytics'>
}

type ManifestModel = {
  title: string
  subject: Model['privacy']['subject']
  retention: string
  onErase: string
  recipients: readonly string[]
  role: string
}

export type ManifestField =
  | { label: string; personal: false }
  | {
      label: string
      personal: true
      category: string
      purposes: readonly string[]
      retention: string
      erase: string
      source: string
      freeText: boolean
    }

const VOCABULARY = {
  categories: CATEGORIES as Manifest['categories'],
  purposes: PURPOSES as Record<string, { label: string; basis: string; interest?: string }>,
  bases: BASES as Manifest['bases'],
  policies: POLICIES as Record<
    string,
    { promise: string; term?: string | null; compose?: readonly string[]; longest: number }
  >,
  storage: STORAGE as Manifest['storage'],
}

type Sources = {
  models: Model[]
  config: SiteConfig
  stores: Manifest['stores']
  vocabulary?: typeof VOCABULARY
}

export const buildManifest = ({
  models,
  config,
  stores,
  vocabulary = VOCABULARY,
}: Sources): Manifest => ({
  models: Object.fromEntries(models.map((model) => [model.path, toModel(model)])),
  fields: Object.fromEntries(
    models.flatMap((model) =>
      Object.entries({ ...model.retired, ...model.fields }).map(([name, field]) => [
        `${model.path}.${name}`,
        toField(field.label, field.privacy, model),
      ]),
    ),
  ),
  stores,
  categories: vocabulary.categories,
  purposes: mapValues(vocabulary.purposes, ({ label, basis, interest }) => ({
    label,
    basis,
    interest: interest ?? null,
  })),
  bases: vocabulary.bases,
  policies: mapValues(vocabulary.policies, ({ promise, term, compose, longest }) => ({
    promise,
    term: term ?? null,
    compose: compose ? [...compose] : null,
    longest,
  })),
  recipients: Object.fromEntries(config.recipients.map(({ id, ...facts }) => [id, facts])),
  storage: storageOf(vocabulary.storage, config),
  site: {
    controller: config.controller,
    backups: config.backups,
    analytics: config.analytics,
  },
})

/** Without what a setting would add, so that it changes no other site's notice. */
const storageOf = (storage: Manifest['storage'], { consent }: SiteConfig) =>
  Object.fromEntries(
    Object.entries(storage).filter(([id]) => id !== 'consentKept' || consent.keep === 'browser'),
  )

/** Keys are sorted, so that equal values have equal hashes. */
export const toCanonicalText = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** Start-up check of recipients: without a safeguard, data may not be transferred abroad (GDPR Art. 46). */
export function checkRecipients(models: Model[], { recipients }: SiteConfig): string[] {
  const ids = recipients.map(({ id }) => id)
  return [
    ...ids
      .filter((id, place) => ids.indexOf(id) !== place)
      .map((id) => `recipients: id "${id}" must be unique`),
    ...recipients
      .filter(({ country, safeguard }) => isAbroad(country) && !safeguard?.trim())
      .map(
        ({ id, country }) =>
          `recipients: "${id}" is in ${country}, outside the EEA and the United Kingdom, so it must name a safeguard`,
      ),
    ...models.flatMap((model) =>
      (model.privacy.recipients ?? [])
        .filter((id) => !ids.includes(id))
        .map((id) => `${model.path}: the recipient "${id}" is not in the site's configuration`),
    ),
  ]
}

/** Outside the European Economic Area and the United Kingdom. */
export const isAbroad = (country: string) => !EEA_AND_UK.includes(country)

const EEA_AND_UK =
  `AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO GB`.split(
    ' ',
  )

const toModel = ({ title, privacy }: Model): ManifestModel => ({
  title,
  subject: privacy.subject,
  retention: privacy.retention,
  onErase: privacy.onErase,
  recipients: privacy.recipients ?? [],
  role: privacy.role ?? 'controller',
})

function toField(
  label: string,
  privacy: Model['fields'][string]['privacy'],
  model: Model,
): ManifestField {
  if (!privacy.personal) return { label, personal: false }
  return {
    label,
    personal: true,
    category: privacy.category,
    purposes: privacy.purposes,
    retention: privacy.retention ?? model.privacy.retention,
    erase: privacy.erase ?? model.privacy.onErase,
    source: privacy.source ?? 'you',
    freeText: privacy.freeText ?? false,
  }
}

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
