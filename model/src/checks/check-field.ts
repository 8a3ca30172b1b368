import { ACCESS_LEVELS, reaches } from '#definition/access.ts'
import { checkDefault, checkOptions } from './check-value.ts'
import type { Known } from './check-claims.ts'
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
import { canSee, SYSTEM_FIELDS, type Model } from '#definition/model.ts'

type Place = { name: string; field: Field; model: Model } & Known

/** Mistakes in a field, apart from its privacy. */
export function checkField({ name, field, model, models, claims }: Place): string[] {
  const mistakes = checkName(name)
  if (!hasKnownType(field)) return [...mistakes, `has the unknown type "${String(field.type)}"`]
  if (!field.label?.trim()) mistakes.push('has no label')
  for (const level of [field.visibleTo, field.writableBy])
    if (level !== undefined && !ACCESS_LEVELS.includes(level))
      mistakes.push(`is for "${String(level)}", which is none of public, user and admin`)
  return [
    ...mistakes,
    ...checkLimits(field),
    ...checkUses(field, model.privacy.onErase),
    ...checkRequired(field, model, claims),
    ...checkStamp(field, claims),
    ...checkOptions(field),
    ...checkDefault(field),
    ...checkRelation(field, models),
  ]
}

const FIELD_NAME = /^[a-z][A-Za-z0-9]{0,40}$/
/** What an index can hold in the worst case, when each character takes four bytes. */
const KEY_MAX_LENGTH = 500

function checkName(name: string) {
  const mistakes = []
  // `in`: a name that every JavaScript object already answers to.
  if (!FIELD_NAME.test(name) || name in {}) mistakes.push('has a name that can not be used')
  if ((SYSTEM_FIELDS as readonly string[]).includes(name))
    mistakes.push('takes the name of a system column')
  return mistakes
}

function checkLimits({ type, min, max, step, maxLength, pattern, help }: Field) {
  const facts = factsOf(type)
  const mistakes = []
  if (facts.limit === undefined && (min ?? max ?? step) !== undefined)
    mistakes.push('has min, max or step, which only numbers have')
  if (facts.limit !== undefined && ![min, max].every((bound) => isBound(bound, facts.limit ?? 0)))
    mistakes.push('has a min or max that a column can not hold')
  if (min !== undefined && max !== undefined && min > max) mistakes.push('has min above max')
  if (step !== undefined && !(step > 0)) mistakes.push('has a step that leads nowhere')
  if (maxLength !== undefined && facts.maxLength === undefined)
    mistakes.push('has a maxLength, which only texts have')
  if (pattern !== undefined && type !== 'text')
    mistakes.push('has a pattern, which only the type text can have')
  if (pattern !== undefined && !isRegExp(pattern)) mistakes.push('has a pattern that is none')
  if (pattern !== undefined && !help) mistakes.push('has a pattern, so help must say it in words')
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
  if (sortable && !facts.sortable) mistakes.push(`is a ${type}, which can not be sorted by`)
  if (searchable && facts.maxLength === undefined)
    mistakes.push(`is a ${type}, which can not be searched`)
  if (unique && (facts.long || type === 'boolean' || type === 'multiselect'))
    mistakes.push(`is a ${type}, which can not be unique`)
  else if ((sortable || unique) && (maxLengthOf(field) ?? 0) > KEY_MAX_LENGTH)
    mistakes.push(`is unique or sorted by, so it may hold at most ${KEY_MAX_LENGTH} characters`)
  if (field.scopedSort && !(sortable && isNotNull(field, onErase)))
    mistakes.push('is sorted by in scope, so it must be sortable and never empty')
  if (field.sequence && type !== 'integer')
    mistakes.push('has a sequence, which only integers have')
  if (!isStored(field) && (sortable || searchable || unique || field.required))
    mistakes.push('is computed when read, so it can not be sorted by, searched, unique or required')
  return mistakes
}

function checkRequired(field: Field, model: Model, claims: Claims) {
  if (!field.required) return []
  const mistakes = []
  if (isUnwritable(field, model))
    mistakes.push(
      'is required, but people who may create a record may not write it and it has no default',
    )
  const mayBeNobody = model.access.create === 'public'
  const isAlwaysThere = claims[field.stamp ?? '']?.holds === 'sub' && !mayBeNobody
  if (field.stamp && !isAlwaysThere && model.access.create !== 'admin')
    mistakes.push('is required, but the server may have nothing to stamp it with')
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
  if (!canHoldStamp(field, claims)) mistakes.push('has a stamp that it can not hold')
  if (isStampedForAll(field) && !field.readOnly)
    mistakes.push('is stamped by the server for everyone, so it must be readOnly')
  if (!isStampedForAll(field) && field.writableBy !== 'admin')
    mistakes.push('is stamped by the server for everyone but admins, so writableBy must be admin')
  return mistakes
}

function canHoldStamp({ type, to, stamp }: Field, claims: Claims) {
  if (stamp === 'name' || stamp === 'author') return type === 'text'
  if (stamp === 'isStaff') return type === 'boolean'
  const holds = claims[stamp ?? '']?.holds
  return holds === 'sub' ? type === 'text' : type === 'relation' && to === holds?.idOf
}

function checkRelation(field: Field, models: Model[]) {
  const { type, to, onDelete } = field
  if (type !== 'relation')
    return to || onDelete ? ['has "to" or "onDelete", which only relations have'] : []
  const mistakes = []
  if (!models.some((model) => model.path === to))
    mistakes.push(`leads to "${to}", which is no model`)
  if (!onDelete || !['restrict', 'unlink', 'cascade'].includes(onDelete))
    mistakes.push('must say onDelete: restrict, unlink or cascade')
  if (onDelete === 'unlink' && field.required)
    mistakes.push('is required, so it can not be unlinked')
  return mistakes
}
