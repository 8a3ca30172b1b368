import { ACCESS_LEVELS, isStaff, reaches } from '#definition/access.ts'
import { checkDefault, checkOptions } from './check-value.ts'
import type { DeclaredNames } from './check-claims.ts'
import type { Claims } from '#definition/claim.ts'
import { factsOf, hasKnownType, isFile, isPlainLine, isRelation } from '#definition/field-types.ts'
import {
  isNotNull,
  isServerOnly,
  isStampedForAll,
  isStored,
  maxLengthOf,
  type Field,
} from '#definition/fields.ts'
import { canSee, fieldOf, fieldsOf, SYSTEM_FIELDS, type Model } from '#definition/model.ts'

type Place = { name: string; field: Field; model: Model } & DeclaredNames

/** Errors in a field, apart from its privacy. */
export function checkField({ name, field, model, models, claims }: Place): string[] {
  const mistakes = checkName(name)
  if (!hasKnownType(field)) return [...mistakes, `unknown type "${String(field.type)}"`]
  if (!field.label?.trim()) mistakes.push('label must not be empty')
  for (const level of [field.visibleTo, field.writableBy])
    if (level !== undefined && !ACCESS_LEVELS.includes(level))
      mistakes.push(
        `visibleTo and writableBy must be public, user, admin or owner, not "${String(level)}"`,
      )
  return [
    ...mistakes,
    ...checkLimits(field),
    ...checkFiles(field),
    ...checkUses(field, model.privacy.onErase),
    ...checkRequired(field, model, claims),
    ...checkStamp(field, claims),
    ...checkHidden(field),
    ...checkSubstitute(field, model),
    ...checkCurrency(field, model),
    ...checkOptions(field),
    ...checkDefault(field),
    ...checkRelation({ field, model, models }),
    ...checkFormerly(name, field, model),
    ...checkReplaces(field, model),
  ]
}

const FIELD_NAME = /^[a-z][A-Za-z0-9]{0,40}$/
/** Fits the size limit of an index row at four bytes per character. */
const KEY_MAX_LENGTH = 500

function checkName(name: string) {
  const mistakes = []
  // `in` also rejects names that every object inherits.
  if (!FIELD_NAME.test(name) || name in {})
    mistakes.push(
      'name must be 1 to 41 letters and digits, start with a lower-case letter, and not be inherited (such as constructor)',
    )
  if ((SYSTEM_FIELDS as readonly string[]).includes(name))
    mistakes.push('name must not be the name of a system column')
  return mistakes
}

function checkLimits(field: Field) {
  const { min, max, step, maxLength, pattern, help } = field
  const { text, number } = factsOf(field.type)
  const mistakes = []
  if (number === null && (min ?? step ?? (isFile(field) ? undefined : max)) !== undefined)
    mistakes.push('min, max and step are for numbers only')
  if (number !== null && ![min, max].every((bound) => isBound(bound, number.limit)))
    mistakes.push('min and max must fit the column')
  if (min !== undefined && max !== undefined && min > max)
    mistakes.push('min must not be greater than max')
  if (step !== undefined && !(step > 0)) mistakes.push('step must be greater than 0')
  if (maxLength !== undefined && text === null) mistakes.push('maxLength is for text only')
  if (pattern !== undefined && !isPlainLine(field)) mistakes.push('pattern is for text fields only')
  if (pattern !== undefined && !isRegExp(pattern))
    mistakes.push('pattern must be a valid regular expression')
  if (pattern !== undefined && !help) mistakes.push('help must explain the pattern')
  return mistakes
}

/** Fits the size limit of a request's body, and a page. */
const FILES_MAX = 100
const MEDIA_TYPE = /^[a-z]+\/([a-z0-9][a-z0-9.+-]*|\*)$/

function checkFiles(field: Field) {
  const { accept, maxBytes, max, computed } = field
  if (!isFile(field))
    return (accept ?? maxBytes) === undefined ? [] : ['accept and maxBytes are for files only']
  const mistakes = []
  if (max !== undefined && !(Number.isInteger(max) && max >= 1 && max <= FILES_MAX))
    mistakes.push(`max must be 1 to ${FILES_MAX} files`)
  if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes > 0))
    mistakes.push('maxBytes must be a whole number greater than 0')
  if (accept && !(accept.length > 0 && accept.every((type) => MEDIA_TYPE.test(type))))
    mistakes.push('accept must be a list of media types, such as image/*')
  if (computed) mistakes.push('a file field can’t be computed')
  return mistakes
}

function isRegExp(pattern: string) {
  try {
    return Boolean(new RegExp(pattern, 'u'))
  } catch {
    return false
  }
}

const isBound = (bound: number | undefined, limit: number) =>
  bound === undefined || Math.abs(bound) <= limit

function checkUses(field: Field, onErase: string) {
  const { type, sortable, searchable, unique } = field
  const facts = factsOf(type)
  const mistakes = []
  if (sortable && !facts.canSort) mistakes.push(`a field of type ${type} can’t be sortable`)
  if (searchable && facts.text === null)
    mistakes.push(`a field of type ${type} can’t be searchable`)
  if (unique && !facts.canBeUnique) mistakes.push(`a field of type ${type} can’t be unique`)
  else if ((sortable || unique) && (maxLengthOf(field) ?? 0) > KEY_MAX_LENGTH)
    mistakes.push(`maxLength must be at most ${KEY_MAX_LENGTH} if sortable or unique`)
  if (field.scopedSort && !(sortable && isNotNull(field, onErase)))
    mistakes.push('scopedSort requires sortable and a column that is never null')
  if (field.sequence && facts.json !== 'integer') mistakes.push('sequence is for integers only')
  if (!isStored(field) && (sortable || searchable || unique || field.required))
    mistakes.push('computed: sql excludes sortable, searchable, unique and required')
  return mistakes
}

function checkRequired(field: Field, model: Model, claims: Claims) {
  if (!field.required) return []
  const mistakes = []
  if (isUnwritable(field, model))
    mistakes.push('required needs a default, or write access for everyone who may create a record')
  const canBeAnonymous = model.access.create === 'public'
  const isAlwaysSet = claims[field.stamp ?? '']?.holds === 'sub' && !canBeAnonymous
  if (field.stamp && !isAlwaysSet && !isStaff(model.access.create))
    mistakes.push('required needs a stamp that always has a value')
  return mistakes
}

const isUnwritable = (field: Field, model: Model) =>
  field.default === undefined &&
  !field.stamp &&
  !field.computed &&
  (isServerOnly(field) ||
    !reaches(model.access.create, field.writableBy ?? 'public') ||
    !canSee(field, model.access.create))

function checkStamp(field: Field, claims: Claims) {
  if (field.stamp === undefined) return []
  const mistakes = []
  if (!canHoldStamp(field, claims)) mistakes.push('stamp must fit the type')
  if (isStampedForAll(field) && !field.readOnly)
    mistakes.push('must be readOnly, because it is stamped for everyone')
  if (!isStampedForAll(field) && field.writableBy !== 'admin')
    mistakes.push('writableBy must be admin, because it is stamped for everyone else')
  return mistakes
}

function canHoldStamp(field: Field, claims: Claims) {
  const { to, stamp } = field
  if (stamp === 'name' || stamp === 'author') return isPlainLine(field)
  if (stamp === 'isStaff') return factsOf(field.type).json === 'boolean'
  const holds = claims[stamp ?? '']?.holds
  return holds === 'sub' ? isPlainLine(field) : isRelation(field) && to === holds?.idOf
}

/** Sorting by a hidden field or searching it would reveal its value. */
const checkHidden = ({ hidden, sortable, searchable, required, stamp, visibleTo }: Field) =>
  hidden && (sortable || searchable || required || stamp !== undefined || visibleTo !== undefined)
    ? ['hidden excludes sortable, searchable, required, stamp and visibleTo']
    : []

function checkSubstitute({ required, requiredUnless }: Field, model: Model) {
  if (requiredUnless === undefined) return []
  return required && fieldOf(model, requiredUnless)
    ? []
    : ['requiredUnless needs required, and must name a field']
}

function checkCurrency({ type, currency, unit }: Field, model: Model) {
  if (currency === undefined) return []
  const mistakes = []
  if (factsOf(type).column !== 'numeric' || unit !== undefined)
    mistakes.push('currency is for decimals without a unit')
  if (currency !== '@site.currency' && !isChoice(fieldOf(model, currency)))
    mistakes.push('currency must name a select field, or be @site.currency')
  return mistakes
}

const isChoice = (field: Field | undefined) =>
  field !== undefined && hasKnownType(field) && factsOf(field.type).options === 'one'

function checkRelation({ field, model, models }: Pick<Place, 'field' | 'model' | 'models'>) {
  const { to, onDelete, covers = [] } = field
  if (!isRelation(field))
    return to || onDelete || covers.length > 0
      ? ['to, onDelete and covers are for relations only']
      : []
  const mistakes = []
  if (!models.some((model) => model.path === to)) mistakes.push(`relation to unknown model "${to}"`)
  if (!onDelete || !['restrict', 'unlink', 'cascade'].includes(onDelete))
    mistakes.push('onDelete must be restrict, unlink or cascade')
  if (onDelete === 'unlink' && field.required)
    mistakes.push('a required relation can’t have onDelete: unlink')
  for (const name of covers) {
    const other = fieldOf(model, name)
    if (!other || !isStored(other)) mistakes.push(`covers must name columns, not "${name}"`)
  }
  return mistakes
}

function checkFormerly(name: string, { formerly = [] }: Field, model: Model) {
  const others = fieldsOf(model).flatMap(([other, field]) =>
    other === name ? [] : [other, ...(field.formerly ?? [])],
  )
  return formerly.flatMap((former) => {
    if (former === name) return [`formerly: "${former}" is its present name`]
    if (others.includes(former))
      return [`formerly: "${former}" is a present or former name of another field`]
    return checkName(former).map((mistake) => `formerly: "${former}": ${mistake}`)
  })
}

const checkReplaces = ({ replaces }: Field, { retired }: Model) =>
  replaces === undefined || Object.hasOwn(retired, replaces)
    ? []
    : ['replaces must name a retired field']

/** Their columns stay, so their names do too. */
export function checkRetired(model: Model) {
  return Object.entries(model.retired).flatMap(([name, field]) => {
    const taken = fieldsOf(model).some(
      ([other, { formerly = [] }]) => other === name || formerly.includes(name),
    )
    return [
      ...checkName(name),
      ...(hasKnownType(field) ? [] : [`unknown type "${String(field.type)}"`]),
      ...(taken ? ['a field has or had this name'] : []),
    ].map((mistake) => `retired "${name}": ${mistake}`)
  })
}
