import { toCanonicalText, type Manifest, type ManifestField } from './manifest.ts'

/** Differences between two manifests, one line each: `+` added, `-` removed, `~` changed. Empty only if they are equal. */
export function differences(before: Manifest, after: Manifest): string[] {
  const groups = union(before, after) as (keyof Manifest)[]
  return groups.flatMap((group) => {
    const [old, now]: Entries[] = [before[group] ?? {}, after[group] ?? {}]
    return union(old ?? {}, now ?? {}).flatMap((id) => {
      const name = `${ID_PREFIXES[group] ?? `${group} `}${id}`
      if (!has(old, id)) return [`+ ${name} — ${describe(group, now?.[id], after)}`]
      if (!has(now, id)) return [`- ${name} — ${describe(group, old?.[id], before)}`]
      return changes(old?.[id], now?.[id]).map((line) => `~ ${name} — ${line}`)
    })
  })
}

type Entries = Record<string, unknown>

const ID_PREFIXES: Partial<Record<keyof Manifest, string>> = {
  fields: '',
  models: 'model ',
  stores: 'store ',
  categories: 'category ',
  purposes: 'purpose ',
  bases: 'legal basis ',
  policies: 'retention ',
  recipients: 'recipient ',
  storage: 'browser storage ',
  site: '',
}

/** A field reads `Contact details — delivery (contract) — 7 years after contract end`. */
function describe(group: keyof Manifest, entry: unknown, manifest: Manifest) {
  if (group === 'fields') return describeField(entry as ManifestField, manifest)
  return leavesOf(entry)
    .map(([name, value]) => `${name && `${name}: `}${words(value)}`)
    .join(', ')
}

function describeField(field: ManifestField, { categories, purposes, policies }: Manifest) {
  if (!field.personal) return 'not personal'
  const reasons = field.purposes.map((id) => `${id} (${purposes[id]?.basis ?? 'no basis'})`)
  return [
    (categories[field.category] ?? field.category).replace(/ \(.*\)$/, ''),
    reasons.join(', '),
    policies[field.retention]?.promise ?? field.retention,
  ].join(' — ')
}

function changes(before: unknown, after: unknown) {
  if (toCanonicalText(before) === toCanonicalText(after)) return []
  const [old, now] = [new Map(leavesOf(before)), new Map(leavesOf(after))]
  const lines = [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .map((name) => `${name && `${name}: `}${arrow(old.get(name), now.get(name))}`)
  // Entries can differ only in structure.
  return lines.length > 0 ? lines : [arrow(toCanonicalText(before), toCanonicalText(after))]
}

/** `IE → US`; quoted if the bare values would look the same. */
function arrow(before: string | undefined, after: string | undefined) {
  const [old, now] = [words(before), words(after)]
  return old === now ? `${before} → ${after}` : `${old} → ${now}`
}

const words = (value: string | undefined) => {
  const parsed: unknown = value === undefined ? 'nothing' : JSON.parse(value)
  return typeof parsed === 'string' ? parsed : String(value)
}

type Leaf = [name: string, value: string]

/** The values of an entry as JSON, by path; a list or an empty object is one value. */
function leavesOf(entry: unknown, name = ''): Leaf[] {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
    const parts = Object.entries(entry)
    if (parts.length > 0)
      return parts.flatMap(([key, value]) => leavesOf(value, name ? `${name}.${key}` : key))
  }
  return [[name, toCanonicalText(entry)]]
}

const union = (a: object, b: object) => [...new Set([...Object.keys(a), ...Object.keys(b)])]

const has = (entries: Entries | undefined, id: string) =>
  entries !== undefined && Object.hasOwn(entries, id)
