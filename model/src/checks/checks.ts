import { ACCESS_LEVELS, ACTIONS } from '#definition/access.ts'
import { checkActions } from './check-action.ts'
import { checkClaims } from './check-claims.ts'
import { checkField, checkRetired } from './check-field.ts'
import { checkOwnFilters } from './check-filter.ts'
import { checkPresentation } from './check-presentation.ts'
import { checkFieldPrivacy, checkModelPrivacy, checkSubject } from './check-privacy.ts'
import { checkScope, lowestReader } from './check-scope.ts'
import type { Claims } from '#definition/claim.ts'
import { factsOf, hasKnownType } from '#definition/field-types.ts'
import { isStored, type Field } from '#definition/fields.ts'
import { canSee, canSort, fieldOf, fieldsOf, type Model, type Rule } from '#definition/model.ts'
import { checkWorklists } from './check-worklist.ts'

export function checkModels(models: Model[], claims: Claims): string[] {
  // Also checked at run time, since a site may not be type-checked; the other checks rely on it.
  const undeclared = models.filter(({ privacy }) => !privacy)
  return undeclared.length > 0
    ? undeclared.map(({ path }) => `${path}: privacy must be declared: subject, retention, onErase`)
    : checkComplete(models, claims)
}

const checkComplete = (models: Model[], claims: Claims): string[] => [
  ...checkNames(models),
  ...checkClaims({ models, claims }),
  ...models.flatMap((model) =>
    [
      ...checkModel(model),
      ...checkScope(model, { models, claims }),
      ...checkOwnFilters(model),
      ...checkActions(model, { models, claims }),
      ...checkWorklists(model),
      ...checkPresentation(model, models),
      ...checkModelPrivacy(model),
      ...checkSubject(model, models),
      ...checkRetired(model),
      ...fieldsOf(model).flatMap(([name, field]) =>
        [
          ...checkField({ name, field, model, models, claims }),
          ...checkFieldPrivacy(field, model),
        ].map((mistake) => `field "${name}": ${mistake}`),
      ),
    ].map((mistake) => `${model.path}: ${mistake}`),
  ),
]

/** Taken by the site's own pages and endpoints; a model may not use them as path or routeName. */
export const RESERVED_PATHS =
  `profile contact privacy security login unauthorised signin-callback logout-callback silent-renew.html
  api me msp msp-services requests sessions desk system people security-events changes
  healthz readyz .well-known static models openapi.json operations`.split(/\s+/)

const PATH = /^[a-z][a-z0-9-]{1,40}$/

function checkNames(models: Model[]) {
  const owners = new Map<string, Model>()
  return models.flatMap((model) =>
    [...new Set([model.path, model.routeName])].flatMap((name) => {
      const owner = owners.get(name)
      owners.set(name, model)
      const mistakes = []
      if (owner)
        mistakes.push(`${model.path}: "${name}" is already the path or routeName of ${owner.path}`)
      if (!PATH.test(name))
        mistakes.push(
          `${model.path}: path "${name}" must be 2 to 41 lower-case letters, digits and hyphens`,
        )
      if (RESERVED_PATHS.includes(name))
        mistakes.push(`${model.path}: "${name}" is reserved for the site`)
      return mistakes
    }),
  )
}

function checkModel(model: Model) {
  const mistakes = []
  if (!model.name.trim() || !model.title.trim()) mistakes.push('name and title must not be empty')
  for (const action of ACTIONS)
    if (!ACCESS_LEVELS.includes(model.access[action]))
      mistakes.push(`access for "${action}" must be public, user, admin or owner`)
  if (!ACCESS_LEVELS.includes(model.purge))
    mistakes.push('purge must be public, user, admin or owner')
  for (const action of model.without)
    if (!ACTIONS.includes(action)) mistakes.push(`without: unknown action "${String(action)}"`)
  const perMinute = model.createPerMinute
  if (perMinute !== null && !(Number.isInteger(perMinute) && perMinute > 0))
    mistakes.push('createPerMinute must be a whole number of at least 1')
  return [
    ...mistakes,
    ...checkDisplayField(model),
    ...checkDefaultSort(model),
    ...model.rules.flatMap((rule) => checkRule(model, rule)),
  ]
}

function checkDisplayField(model: Model) {
  const name = model.displayField
  const field = fieldOf(model, name)
  if (!field) return [`displayField: unknown field "${name}"`]
  const mistakes = []
  if (hasKnownType(field) && !isTitle(field)) mistakes.push(`displayField "${name}" must be text`)
  if (!isStored(field))
    mistakes.push(`displayField "${name}" must be stored, so that relations can show it`)
  if (!canSee(field, lowestReader(model)))
    mistakes.push(`displayField "${name}" must be visible to everyone who may read the records`)
  return mistakes
}

function isTitle({ type }: Field) {
  const { text, options } = factsOf(type)
  return text !== null || options === 'one'
}

function checkDefaultSort(model: Model) {
  if (model.defaultSort === null) return []
  const name = model.defaultSort.replace(/^-/, '')
  const field = fieldOf(model, name)
  if (!field?.sortable) return [`defaultSort "${name}" must be a sortable field`]
  if (!canSee(field, lowestReader(model)))
    return [`defaultSort "${name}" must be visible to everyone who may read the records`]
  return canSort(model, name, lowestReader(model))
    ? []
    : [`defaultSort "${name}" needs scopedSort, because people see only their own rows`]
}

function checkRule(model: Model, [left, operator, right]: Rule) {
  const mistakes = []
  for (const name of [left, right])
    if (!fieldOf(model, name)) mistakes.push(`rule: unknown field "${name}"`)
  if (!['lt', 'lte', 'gt', 'gte'].includes(operator))
    mistakes.push(`rule: unknown operator "${String(operator)}"`)
  const [a, b] = [fieldOf(model, left), fieldOf(model, right)]
  if (!a || !b) return mistakes
  // Fields computed in SQL have no value when rules are checked, so such a rule would never fail.
  if (a.type !== b.type || !isOrdered(a) || !isStored(a) || !isStored(b))
    mistakes.push(`rule: "${left}" and "${right}" must be stored numbers or dates of the same type`)
  return mistakes
}

const isOrdered = (field: Field) =>
  hasKnownType(field) && factsOf(field.type).operators.includes('lt')
