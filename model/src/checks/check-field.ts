import { ACCESS_LEVELS, isStaff, reaches } from '#definition/access.ts'
import { checkDefault, checkOptions } from './check-value.ts'
import type { DeclaredNames } from './check-claims.ts'
import type { Claims } from '#definition/claim.ts'
import {
  factsOf,
  hasKnownType,
  isNotNull,
  isServerOnly,
  isStampedForAll,
  isStored,
  maxLengthOf,
  type Field,
} from '#definition/fields.ts'
import { canSee, fieldOf, SYSTEM_FIELDS, type Model } from '#definition/model.ts'

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
    ...checkUses(field, model.privacy.onErase),
    ...checkRequired(field, model, claims),
    ...checkStamp(field, claims),
    ...checkHidden(field),
    ...checkSubstitute(field, model),
    ...checkCurrency(field, model),
    ...checkOptions(field),
    ...checkDefault(field),
    ...checkRelation({ field, model, models }),
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

function checkLimits({ type, min, max, step, maxLength, pattern, help }: Field) {
  const facts = factsOf(type)
  const mistakes = []
  if (facts.limit === undefined && (min ?? max ?? step) !== undefined)
    mistakes.push('min, max and step are for numbers only')
  if (facts.limit !== undefined && ![min, max].every((bound) => isBound(bound, facts.limit ?? 0)))
    mistakes.push('min and max must fit the column')
  if (min !== undefined && max !== undefined && min > max)
    mistakes.push('min must not be greater than max')
  if (step !== undefined && !(step > 0)) mistakes.push('step must be greater than 0')
  if (maxLength !== undefined && facts.maxLength === undefined)
    mistakes.push('maxLength is for text only')
  if (pattern !== undefined && type !== 'text') mistakes.push('pattern is for text fields only')
  if (pattern !== undefined && !isRegExp(pattern))
    mistakes.push('pattern must be a valid regular expression')
  if (pattern !== undefined && !help) mistakes.push('help must explain the pattern')
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
  if (sortable && !facts.sortable) mistakes.push(`a ${type} field can’t be sortable`)
  if (searchable && facts.maxLength === undefined)
    mistakes.push(`a ${type} field can’t be searchable`)
  if (unique && (facts.long || type === 'boolean' || type === 'multiselect'))
    mistakes.push(`a ${type} field can’t be unique`)
  else if ((sortable || unique) && (maxLengthOf(field) ?? 0) > KEY_MAX_LENGTH)
    mistakes.push(`maxLength must be at most ${KEY_MAX_LENGTH} if sortable or unique`)
  if (field.scopedSort && !(sortable && isNotNull(field, onErase)))
    mistakes.push('scopedSort requires sortable and a column that is never null')
  if (field.sequence && type !== 'integer') mistakes.push('sequence is for integers only')
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

function canHoldStamp({ type, to, stamp }: Field, claims: Claims) {
  if (stamp === 'name' || stamp === 'author') return type === 'text'
  if (stamp === 'isStaff') return type === 'boolean'
  const holds = claims[stamp ?? '']?.holds
  return holds === 'sub' ? type === 'text' : type === 'relation' && to === holds?.idOf
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
  if (type !== 'decimal' || unit !== undefined)
    mistakes.push('currency is for decimals without a unit')
  if (currency !== '@site.currency' && fieldOf(model, currency)?.type !== 'select')
    mistakes.push('currency must name a select field, or be @site.currency')
  return mistakes
}

function checkRelation({ field, model, models }: Pick<Place, 'field' | 'model' | 'models'>) {
  const { type, to, onDelete, covers = [] } = field
  if (type !== 'relation')
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
