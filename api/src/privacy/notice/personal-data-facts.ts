import type { Manifest, ManifestField } from '@gatehouse/model'

type PersonalItem = {
  model: string | null
  label: string
  category: string
  purposes: readonly string[]
  source: string
}

export const personalDataIn = ({ fields, stores }: Manifest): PersonalItem[] => [
  ...Object.entries(fields)
    .filter((entry): entry is [string, Extract<ManifestField, { personal: true }>] =>
      Boolean(entry[1].personal),
    )
    .map(([id, field]) => ({ ...field, model: id.split('.')[0] ?? null })),
  ...Object.values(stores)
    .filter((store) => store.personal)
    .map((store) => ({ ...store, model: null })),
]

export const purposesIn = (manifest: Manifest) =>
  Object.entries(manifest.purposes).filter(([id]) =>
    personalDataIn(manifest).some(({ purposes }) => purposes.includes(id)),
  )

/** Recipients that no model names host the system and may see all data. */
export function categoriesSharedWith(manifest: Manifest, id: string) {
  const named = Object.entries(manifest.models)
    .filter(([, { recipients }]) => recipients.includes(id))
    .map(([path]) => path)
  if (named.length === 0) return 'All of the categories above'
  return categoriesOf(
    manifest,
    personalDataIn(manifest).filter(({ model }) => model !== null && named.includes(model)),
  )
}

export const categoriesOf = ({ categories }: Manifest, kept: PersonalItem[]) =>
  Object.entries(categories)
    .filter(([id]) => kept.some(({ category }) => category === id))
    .map(([, label]) => label.replace(/ \(.*\)$/, ''))
    .join('; ')

export const sourcesOf = (kept: PersonalItem[]) =>
  Object.entries(SOURCES)
    .filter(([id]) => kept.some(({ source }) => source === id))
    .map(([, words]) => words)
    .join(', ')

const SOURCES = {
  you: 'you',
  client: 'your organisation',
  idp: 'the identity provider',
  system: 'our systems and staff',
}

export const ROLES = { processor: 'Works on our instructions', controller: 'Decides for itself' }

export const countryName = (code: string) =>
  new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code

export const unique = (words: string[]) => [...new Set(words)]
