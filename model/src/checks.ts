import { ACTIONS, reaches, type Access } from './access.ts'
import { factsOf, isServerOnly, FIELD_TYPES, type Field } from './fields.ts'
import { conditionsOf, isCondition, partsOf, type Filter } from './filter.ts'
import { canSee, fieldOf, fieldsOf, SYSTEM_FIELDS, type Model } from './model.ts'
import { CATEGORIES, ERASE_OPS, POLICIES, PURPOSES } from './privacy.ts'

/** Every mistake in the definitions, all at once, each as a sentence that says where. Empty means sound. */
export const checkModels = (models: Model[]): string[] => [
  ...checkNames(models),
  ...models.flatMap((model) =>
    [
      ...checkModel(model),
      ...checkScope(model, models),
      ...checkFilters(model),
      ...checkSubject(model, models),
      ...fieldsOf(model).flatMap(([name, field]) =>
        [
          ...checkField(field, model, name),
          ...checkOptions(field),
          ...checkDefault(field),
          ...checkRelation(field, models),
          ...checkPrivacy(field, model),
        ].map((mistake) => `field "${name}" ${mistake}`),
      ),
    ].map((mistake) => `${model.path}: ${mistake}`),
  ),
]

/** Addresses the site itself needs; a model may not take them as path or routeName. */
export const RESERVED_PATHS =
  `profile contact privacy security login unauthorised signin-callback logout-callback silent-renew.html
  api msp msp-services requests desk healthz readyz .well-known static models openapi.json operations`.split(
    /\s+/,
  )

const PATH = /^[a-z][a-z0-9-]{1,40}$/
const FIELD_NAME = /^[a-z][A-Za-z0-9]{0,40}$/
/** Names that mean something to JavaScript objects. */
const UNSAFE_NAMES = ['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty']
const TEXT_TYPES = ['text', 'textarea', 'markdown']

function checkNames(models: Model[]) {
  const owners = new Map<string, Model>()
  return models.flatMap((model) =>
    [...new Set([model.path, model.routeName])].flatMap((name) => {
      const owner = owners.get(name)
      owners.set(name, model)
      const mistakes = []
      if (owner)
        mistakes.push(`${model.path}: the address "${name}" is already taken by ${owner.path}`)
      if (!PATH.test(name))
        mistakes.push(
          `${model.path}: "${name}" is no address: lower-case letters, digits and hyphens, 2 to 41 of them`,
        )
      if (RESERVED_PATHS.includes(name))
        mistakes.push(`${model.path}: the address "${name}" belongs to the site itself`)
      return mistakes
    }),
  )
}

function checkModel(model: Model) {
  const mistakes = []
  const display = fieldOf(model, model.displayField)
  if (!model.name.trim() || !model.title.trim()) mistakes.push('name and title must say something')
  if (!display) mistakes.push(`displayField "${model.displayField}" is not a field`)
  if (display && !factsOf(display.type).maxLength && display.type !== 'select')
    mistakes.push(`displayField "${model.displayField}" must be a text`)
  if (display && !canSee(display, lowestReader(model)))
    mistakes.push(
      `displayField "${model.displayField}" is hidden from people who may read the records`,
    )
  for (const action of ACTIONS)
    if (!['public', 'user', 'admin'].includes(model.access[action]))
      mistakes.push(`access for "${action}" must be public, user or admin`)
  for (const [left, , right] of model.rules)
    for (const name of [left, right])
      if (!fieldOf(model, name)) mistakes.push(`a rule names "${name}", which is not a field`)
  const sort = model.defaultSort?.replace(/^-/, '')
  if (sort && !fieldOf(model, sort)?.sortable)
    mistakes.push(`defaultSort "${sort}" is not a sortable field`)
  return mistakes
}

function checkScope(model: Model, models: Model[]) {
  const scope = model.rowScope
  const mistakes: string[] = []
  const exposed = fieldsOf(model).filter(
    ([, field]) => field.privacy?.personal && canSee(field, lowestReader(model)),
  )
  if (!scope && lowestReader(model) !== 'admin' && exposed.length > 0)
    mistakes.push(
      `anyone who registers may read the personal field "${exposed[0]?.[0]}"; a rowScope must say whose rows are whose`,
    )
  if (!scope) return mistakes
  if ('via' in scope) {
    const field = fieldOf(model, scope.via)
    if (field?.type !== 'relation') mistakes.push(`rowScope via "${scope.via}" must be a relation`)
    const parent = models.find((other) => other.path === field?.to)
    if (parent && parent.rowScope && 'via' in parent.rowScope)
      mistakes.push(
        `rowScope via "${scope.via}" leads to a model that is itself scoped by a parent`,
      )
    return mistakes
  }
  const owner = scope.owner === undefined ? undefined : fieldOf(model, scope.owner)
  if (scope.owner !== undefined && owner?.type !== 'text')
    mistakes.push(`rowScope owner "${scope.owner}" must be a text field`)
  if (owner && model.access.create !== 'admin' && owner.stamp !== '@me.sub')
    mistakes.push(
      `rowScope owner "${scope.owner}" must be stamped with @me.sub, or people would own nothing they create`,
    )
  for (const name of [scope.org, scope.orgManagers])
    if (name !== undefined && name !== 'id' && fieldOf(model, name)?.type !== 'relation')
      mistakes.push(`rowScope "${name}" must be a relation to the organisation, or id`)
  return mistakes
}

function checkFilters(model: Model) {
  const filters = [model.publicFilter, model.deleteOnly?.when].filter((filter) => filter != null)
  return filters.flatMap((filter) => checkFilter(model, filter))
}

/** Mistakes in a filter, whether it comes from a definition or from a query string. */
export function checkFilter(model: Model, filter: Filter): string[] {
  return conditionsOf(filter).flatMap(([name, operator, value]) => {
    const field = fieldOf(model, name)
    if (!field) return [`a filter names "${name}", which is not a field`]
    if (field.computed?.on === 'read')
      return [`a filter names "${name}", which is computed when read`]
    if (!factsOf(field.type).operators.includes(operator))
      return [`a filter asks "${operator}" of "${name}", which a ${field.type} does not know`]
    if (operator === 'empty' && typeof value !== 'boolean')
      return [`"empty" of "${name}" takes true or false`]
    if (operator === 'in' && !Array.isArray(value)) return [`"in" of "${name}" takes a list`]
    return []
  })
}

/** How many filters stand inside one another. */
export const depthOf = (filter: Filter): number =>
  1 + Math.max(0, ...partsOf(filter).map((part) => (isCondition(part) ? 0 : depthOf(part))))

function checkSubject(model: Model, models: Model[], seen: string[] = []): string[] {
  const isPersonal = fieldsOf(model).some(([, field]) => field.privacy?.personal)
  const { subject } = model.privacy
  if (subject === 'none')
    return isPersonal || seen.length > 0
      ? [
          'holds personal fields, so privacy.subject must say whose they are, down to an e-mail address or a sub',
        ]
      : []
  if ('email' in subject)
    return fieldOf(model, subject.email)?.type === 'email'
      ? []
      : [`privacy.subject email "${subject.email}" must be an email field`]
  if ('sub' in subject)
    return fieldOf(model, subject.sub)?.type === 'text'
      ? []
      : [`privacy.subject sub "${subject.sub}" must be a text field`]
  const target = models.find((other) => other.path === fieldOf(model, subject.via)?.to)
  if (!target) return [`privacy.subject via "${subject.via}" must be a relation to a model`]
  if (seen.includes(target.path)) return [`privacy.subject via "${subject.via}" runs in a circle`]
  return checkSubject(target, models, [...seen, model.path])
}

function checkField(field: Field, model: Model, name: string) {
  const mistakes: string[] = []
  if (!FIELD_NAME.test(name) || UNSAFE_NAMES.includes(name))
    mistakes.push('has a name that can not be used')
  if ((SYSTEM_FIELDS as readonly string[]).includes(name))
    mistakes.push('takes the name of a system column')
  if (!Object.hasOwn(FIELD_TYPES, field.type))
    return [...mistakes, `has the unknown type "${String(field.type)}"`]
  const facts = factsOf(field.type)
  const isNumber = field.type === 'integer' || field.type === 'decimal'
  if (!field.label?.trim()) mistakes.push('has no label')
  if (!isNumber && (field.min !== undefined || field.max !== undefined || field.step !== undefined))
    mistakes.push('has min, max or step, which only numbers have')
  if (field.min !== undefined && field.max !== undefined && field.min > field.max)
    mistakes.push('has min above max')
  if (field.maxLength !== undefined && facts.maxLength === undefined)
    mistakes.push('has a maxLength, which only texts have')
  if (field.sortable && !facts.sortable)
    mistakes.push(`is a ${field.type}, which can not be sorted by`)
  if (field.searchable && facts.maxLength === undefined)
    mistakes.push(`is a ${field.type}, which can not be searched`)
  if (field.unique && (facts.long || field.type === 'boolean' || field.type === 'multiselect'))
    mistakes.push(`is a ${field.type}, which can not be unique`)
  if (field.sequence && field.type !== 'integer')
    mistakes.push('has a sequence, which only integers have')
  if (
    field.computed?.on === 'read' &&
    (field.sortable || field.searchable || field.unique || field.required)
  )
    mistakes.push('is computed when read, so it can not be sorted by, searched, unique or required')
  if (field.required && isUnwritable(field, model))
    mistakes.push(
      'is required, but people who may create a record may not write it and it has no default',
    )
  return mistakes
}

const isUnwritable = (field: Field, model: Model) =>
  field.default === undefined &&
  !field.stamp &&
  !field.computed &&
  (isServerOnly(field) ||
    !reaches(model.access.create, field.writableBy ?? 'public') ||
    !canSee(field, model.access.create))

function checkOptions(field: Field) {
  const isChoice = field.type === 'select' || field.type === 'multiselect'
  if (!isChoice)
    return field.options || field.free
      ? ['has options, which only select and multiselect have']
      : []
  const values = (field.options ?? []).map((option) => option.value)
  const mistakes = []
  if (values.length === 0 && !field.free) mistakes.push('has no options')
  if (field.free && field.type === 'select')
    mistakes.push('is free, which only a multiselect can be')
  if (new Set(values).size !== values.length) mistakes.push('has the same option twice')
  return mistakes
}

function checkDefault(field: Field) {
  const value = field.default
  if (value === undefined) return []
  const mistake = [`has a default that a ${field.type} can not hold`]
  if (typeof value === 'string' && value.startsWith('@'))
    return isToken(field, value) ? [] : mistake
  switch (field.type) {
    case 'integer':
      return Number.isInteger(value) ? [] : mistake
    case 'decimal':
      return typeof value === 'number' ? [] : mistake
    case 'boolean':
      return typeof value === 'boolean' ? [] : mistake
    case 'select':
      return field.options?.some((option) => option.value === value) ? [] : mistake
    case 'multiselect':
      return Array.isArray(value) ? [] : mistake
    case 'date':
    case 'datetime':
    case 'relation':
      return mistake
    default:
      return typeof value === 'string' ? [] : mistake
  }
}

const isToken = (field: Field, token: string) =>
  (token === '@today' && field.type === 'date') ||
  (token === '@now' && field.type === 'datetime') ||
  (['@site.country', '@site.currency'].includes(token) && ['select', 'text'].includes(field.type))

function checkRelation(field: Field, models: Model[]) {
  if (field.type !== 'relation')
    return field.to || field.onDelete ? ['has "to" or "onDelete", which only relations have'] : []
  const mistakes = []
  if (!models.some((model) => model.path === field.to))
    mistakes.push(`leads to "${field.to}", which is no model`)
  if (!field.onDelete) mistakes.push('must say onDelete: restrict, unlink or cascade')
  if (field.onDelete === 'unlink' && field.required)
    mistakes.push('is required, so it can not be unlinked')
  return mistakes
}

function checkPrivacy(field: Field, model: Model) {
  const { privacy } = field
  if (!privacy) return ['has no privacy annotation; write np where it holds nothing personal']
  if (!privacy.personal) return []
  const mistakes = []
  const erase = privacy.erase ?? model.privacy.onErase
  const retention = privacy.retention ?? model.privacy.retention
  if (!Object.hasOwn(CATEGORIES, privacy.category))
    mistakes.push(`has the unknown category "${privacy.category}"`)
  if (privacy.purposes.length === 0) mistakes.push('is personal, so it needs a purpose')
  for (const purpose of privacy.purposes)
    if (!Object.hasOwn(PURPOSES, purpose)) mistakes.push(`has the unknown purpose "${purpose}"`)
    else if (PURPOSES[purpose].basis === 'consent' && !['consent', 'technical'].includes(retention))
      mistakes.push(
        `serves "${purpose}", which rests on consent, so it must be kept as consent or technical`,
      )
  if (!ERASE_OPS.includes(erase)) mistakes.push(`has the unknown erase operation "${erase}"`)
  if (erase === 'null' && field.sequence)
    mistakes.push('erases to null, but a sequence can not be null')
  if ((erase === 'redact' || erase === 'pseudonym') && !TEXT_TYPES.includes(field.type))
    mistakes.push(`erases by ${erase}, which needs a text`)
  if (erase === 'unlink' && field.type !== 'relation')
    mistakes.push('erases by unlink, which needs a relation')
  if (erase === 'unlink' && field.required) mistakes.push('erases by unlink, but is required')
  if (erase === 'row' && model.privacy.onErase !== 'row')
    mistakes.push('erases the whole row, which only the model can decide')
  if (privacy.freeText && !TEXT_TYPES.includes(field.type))
    mistakes.push('is freeText, which needs a text')
  if (POLICIES[retention] === undefined) mistakes.push(`has the unknown retention "${retention}"`)
  else if (POLICIES[retention].longest > POLICIES[model.privacy.retention].longest)
    mistakes.push('is kept longer than the rest of its record; a field may only be kept shorter')
  return mistakes
}

/** The lowest level on which somebody may list or get records. */
const lowestReader = (model: Model): Access => {
  const readers = (['list', 'get'] as const).filter((action) => !model.without.includes(action))
  return (
    (['public', 'user'] as const).find((level) =>
      readers.some((action) => model.access[action] === level),
    ) ?? 'admin'
  )
}
