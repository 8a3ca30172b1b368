import { isDeepStrictEqual } from 'node:util'

export type Schema = { [keyword: string]: unknown }
type Pair = { wider: Schema; narrower: Schema; isResponse: boolean }

/** Keywords that don't validate. */
const ANNOTATIONS =
  'title description default example examples deprecated readOnly writeOnly contentMediaType $comment'.split(
    ' ',
  )
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UNDERSTOOD = [
  'type',
  'enum',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'multipleOf',
  'anyOf',
  'prefixItems',
]

/**
 * Why a value of the narrower JSON Schema might not fit the wider one; empty if it always fits. Unknown keywords must be equal:
 * a false alarm can be declared, an unseen break can't.
 */
export function schemaBreaks({ wider, narrower, isResponse }: Pair, where: string): string[] {
  return [
    ...compareTypes(wider, narrower),
    ...compareEnums(wider, narrower),
    ...compareLimits(wider, narrower),
    ...compareOthers(wider, narrower),
  ]
    .map((reason) => `${where}${reason}`)
    .concat(compareProperties({ wider, narrower, isResponse }, where))
    .concat(compareItems({ wider, narrower, isResponse }, where))
    .concat(comparePrefixes({ wider, narrower, isResponse }, where))
    .concat(compareAlternatives({ wider, narrower, isResponse }, where))
}

function compareTypes(wider: Schema, narrower: Schema) {
  const allowed = typesOf(wider)
  if (allowed === null) return []
  const fits = (type: string) =>
    allowed.includes(type) || (type === 'integer' && allowed.includes('number'))
  const others = typesOf(narrower)?.filter((type) => !fits(type)) ?? ['of any type']
  return others.length > 0 ? [`: ${others.join(', ')} does not fit ${allowed.join(', ')}`] : []
}

const typesOf = ({ type }: Schema) => (type === undefined ? null : [type].flat().map(String))

function compareEnums(wider: Schema, narrower: Schema) {
  if (!Array.isArray(wider['enum'])) return []
  if (!Array.isArray(narrower['enum'])) return [': is limited to certain values']
  const allowed: unknown[] = wider['enum']
  const others = narrower['enum'].filter((value) => !allowed.includes(value))
  return others.length > 0 ? [`: ${others.map(String).join(', ')} is not among the values`] : []
}

function compareLimits(wider: Schema, narrower: Schema) {
  const isTighter = (key: string, isUpper: boolean) => {
    const [limit, other] = [wider[key], narrower[key]]
    if (limit === undefined) return false
    return (
      other === undefined ||
      (isUpper ? Number(other) > Number(limit) : Number(other) < Number(limit))
    )
  }
  const step = Number(wider['multipleOf'] ?? 0)
  const times = Number(narrower['multipleOf'] ?? 0) / step
  const hasOtherSteps = step > 0 && (times === 0 || Math.abs(times - Math.round(times)) > 1e-9)
  return [
    ...UPPER.filter((key) => isTighter(key, true)),
    ...LOWER.filter((key) => isTighter(key, false)),
    ...(hasOtherSteps ? ['multipleOf'] : []),
  ].map((key) => `: ${key} differs (${String(narrower[key])} and ${String(wider[key])})`)
}

function compareOthers(wider: Schema, narrower: Schema) {
  const known = [...ANNOTATIONS, ...UPPER, ...LOWER, ...UNDERSTOOD]
  return Object.keys(wider)
    .filter((key) => !known.includes(key) && !isDeepStrictEqual(wider[key], narrower[key]))
    .map((key) => `: ${key} differs`)
}

function compareProperties({ wider, narrower, isResponse }: Pair, where: string): string[] {
  const all = propertiesOf(wider)
  const some = propertiesOf(narrower)
  const demanded = requiredOf(wider).filter((name) => !requiredOf(narrower).includes(name))
  // An extra response field is harmless, a missing one breaks; for requests it is the reverse.
  const isClosed = wider['additionalProperties'] === false
  const gone = isResponse
    ? Object.keys(all).filter((name) => !(name in some))
    : Object.keys(some).filter((name) => isClosed && !(name in all))
  const isClosing = !isResponse && isClosed && narrower['additionalProperties'] !== false
  return [
    ...(isClosing ? [`${where}: additional fields are rejected`] : []),
    ...gone.map((name) => `${where}.${name} is removed`),
    ...demanded
      .filter((name) => !gone.includes(name))
      .map((name) => `${where}.${name} ${isResponse ? 'may be absent' : 'is required'}`),
    ...Object.keys(all)
      .filter((name) => name in some)
      .flatMap((name) =>
        schemaBreaks(
          { wider: all[name] ?? {}, narrower: some[name] ?? {}, isResponse },
          `${where}.${name}`,
        ),
      ),
  ]
}

function compareItems({ wider, narrower, isResponse }: Pair, where: string): string[] {
  if (wider['items'] === undefined || isDeepStrictEqual(wider['items'], narrower['items']))
    return []
  const [all, some] = [wider['items'], narrower['items'] ?? {}] as [Schema, Schema]
  return schemaBreaks({ wider: all, narrower: some, isResponse }, `${where}[]`)
}

function comparePrefixes({ wider, narrower, isResponse }: Pair, where: string): string[] {
  const [all, some] = [listOf(wider, 'prefixItems'), listOf(narrower, 'prefixItems')]
  return all.flatMap((part, index) =>
    schemaBreaks({ wider: part, narrower: some[index] ?? {}, isResponse }, `${where}[${index}]`),
  )
}

/** Each narrower alternative must fit one of the wider ones. */
function compareAlternatives({ wider, narrower, isResponse }: Pair, where: string): string[] {
  const all = listOf(wider, 'anyOf')
  if (all.length === 0) return []
  const some = 'anyOf' in narrower ? listOf(narrower, 'anyOf') : [narrower]
  const isTaken = (one: Schema) =>
    all.some(
      (other) => schemaBreaks({ wider: other, narrower: one, isResponse }, where).length === 0,
    )
  return some.every(isTaken) ? [] : [`${where}: anyOf differs`]
}

const listOf = (schema: Schema, key: string) => (schema[key] ?? []) as Schema[]
const propertiesOf = (schema: Schema) => (schema['properties'] ?? {}) as Record<string, Schema>
const requiredOf = (schema: Schema) => (schema['required'] ?? []) as string[]
