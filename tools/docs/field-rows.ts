import {
  ACCESS_LEVELS,
  canSee,
  canSort,
  factsOf,
  fieldsOf,
  isServerOnly,
  isStampedForAll,
  POLICIES,
  reaches,
  type Access,
  type Field,
  type Model,
  type Option,
  type Policy,
} from '@gatehouse/model'
import { code, codes, joinWords, table } from './markdown.ts'

/** Longer lists of options are only counted. */
const OPTIONS_SHOWN = 10

export const fieldsTable = (model: Model) =>
  table(
    ['Field', 'Label', 'Type', 'Rules', 'Reads', 'Writes', 'Privacy'],
    fieldsOf(model).map(([name, field]) => [
      code(name),
      field.label,
      field.to ? `${field.type} → ${code(field.to)}` : field.type,
      rulesOf(model, name, field).join('; '),
      readersOf(model, field),
      writersOf(model, field),
      privacyOf(field),
    ]),
  )

const ON_DELETE = {
  restrict: 'keeps the target from being deleted',
  unlink: 'emptied if the target is deleted',
  cascade: 'deleted with the target',
}

const rulesOf = (model: Model, name: string, field: Field) =>
  [
    field.required &&
      (field.requiredUnless ? `required unless ${code(field.requiredUnless)}` : 'required'),
    field.options && optionsOf(field, field.options),
    field.free && !field.options && 'free tags',
    field.scale && 'ordered',
    field.default !== undefined && `default ${code(field.default)}`,
    field.min !== undefined && `at least ${field.min}`,
    field.max !== undefined && `at most ${field.max}`,
    field.step !== undefined && `in steps of ${field.step}`,
    field.unit && `unit ${code(field.unit)}`,
    field.maxLength !== undefined && `at most ${field.maxLength} characters`,
    field.pattern && `matches ${code(field.pattern)}`,
    field.unique && 'unique',
    field.sequence && 'numbered by the database',
    field.computed && `computed ${field.computed === 'sql' ? 'when read' : 'on every change'}`,
    field.immutable && 'never changed after creation',
    field.stamp && `stamped with ${code(field.stamp)}`,
    field.onDelete && ON_DELETE[field.onDelete],
    field.sortable && (isSortableByReaders(model, name) ? 'sortable' : 'sortable by admins'),
    field.searchable && 'searchable',
  ].filter((rule) => typeof rule === 'string' && rule !== '')

function optionsOf({ free, type }: Field, options: readonly Option[]) {
  const kind = free ? 'suggestions' : factsOf(type).options === 'one' ? 'one of' : 'any of'
  if (options.length > OPTIONS_SHOWN) return `${kind} ${options.length} options`
  return `${kind}: ${codes(options.map(({ value }) => value))}`
}

/** Whether every level that reads the field can sort by it. */
const isSortableByReaders = (model: Model, name: string) =>
  ACCESS_LEVELS.filter(
    (level) => reaches(level, model.access.list) && canSee(model.fields[name] as Field, level),
  ).every((level) => canSort(model, name, level))

const highest = (...levels: (Access | undefined)[]) =>
  ACCESS_LEVELS.findLast((level) => levels.includes(level)) ?? 'public'

const readersOf = ({ access }: Model, { hidden, visibleTo }: Field) =>
  hidden ? 'no caller' : highest(access.get, visibleTo)

/** Lowest level that sends a value, on creation and on update. */
function writersOf(model: Model, field: Field) {
  if (isServerOnly(field) || isStampedForAll(field)) return 'server'
  const stamped: Access | undefined = field.stamp ? 'admin' : undefined
  const level = (action: 'create' | 'update') =>
    highest(model.access[action], field.visibleTo, field.writableBy, stamped)
  const events = (['create', 'update'] as const).filter(
    (action) => !model.without.includes(action) && !(action === 'update' && field.immutable),
  )
  const levels = events.map(level)
  const words =
    new Set(levels).size === 1 && events.length === 2
      ? String(levels[0])
      : events.map((action, index) => `${levels[index]} on ${action}`).join(', ')
  return field.stamp ? `server; ${words}` : words
}

function privacyOf({ privacy }: Field) {
  if (!privacy.personal) return ''
  const { category, purposes, erase, retention, freeText, source } = privacy
  return [
    `${category}, for ${joinWords(purposes)}`,
    ...(erase ? [`erasure: ${code(erase)}`] : []),
    ...(retention ? [`kept ${retentionWords(retention)}`] : []),
    ...(freeText ? ['free text'] : []),
    ...(source ? [`from ${code(source)}`] : []),
  ].join('; ')
}

export function retentionWords(name: Policy) {
  const policy = POLICIES[name]
  const promises =
    'compose' in policy ? policy.compose.map((part) => POLICIES[part].promise).join(' or ') : ''
  return `${promises ? `${promises}, ` : ''}${policy.promise} (${code(name)})`
}
