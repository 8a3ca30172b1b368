import { isStaff, type Access } from '#definition/access.ts'
import type { DeclaredNames } from './check-claims.ts'
import type { Claims } from '#definition/claim.ts'
import { isPlainLine, isRelation } from '#definition/field-types.ts'
import type { Field } from '#definition/fields.ts'
import { conditionsOf } from '#definition/filter.ts'
import { canSee, fieldOf, fieldsOf, type Model } from '#definition/model.ts'

export function checkScope(model: Model, { models, claims }: DeclaredNames): string[] {
  const scope = model.rowScope
  const exposed = exposedField(model)
  if (!scope)
    return exposed === undefined
      ? []
      : [`rowScope is required: any registered user could read the personal field "${exposed}"`]
  const mistakes =
    'via' in scope ? checkVia(model, scope.via, models) : checkOwners(model, scope, claims)
  return [...mistakes, ...checkPublicFilter(model)]
}

/** Revisions store whether a record was public, not to whom it was visible. */
function checkPublicFilter({ publicFilter }: Model) {
  const namesMe =
    publicFilter && conditionsOf(publicFilter).some(([, , value]) => [value].flat().includes('@me'))
  return namesMe ? ['publicFilter must not use @me together with rowScope'] : []
}

export function lowestReader(model: Model): Access {
  const readers = (['list', 'get'] as const).filter((action) => !model.without.includes(action))
  return (
    (['public', 'user'] as const).find((level) =>
      readers.some((action) => model.access[action] === level),
    ) ?? 'admin'
  )
}

/**
 * A personal field that non-admins may read. Registration is open, so a field visible to signed-in users counts even on public
 * records.
 */
function exposedField(model: Model) {
  if (lowestReader(model) === 'admin') return undefined
  return fieldsOf(model).find(([, field]) => field.privacy?.personal && canSee(field, 'user'))?.[0]
}

function checkVia(model: Model, via: string, models: Model[]) {
  const field = fieldOf(model, via)
  if (!field || !isRelation(field)) return [`rowScope via "${via}" must be a relation`]
  const parent = models.find((other) => other.path === field.to)
  if (!parent) return []
  if (parent.rowScope && 'via' in parent.rowScope)
    return [`rowScope via "${via}" must not lead to a model that is scoped by a parent itself`]
  const limitsNothing = !parent.rowScope && lowestReader(parent) !== 'admin'
  if (limitsNothing && exposedField(model) !== undefined)
    return [`rowScope via "${via}" must lead to a scoped model, because fields are personal`]
  return checkFixed(via, field)
}

/** `defineModel` makes the relation immutable by default. */
const checkFixed = (via: string, { immutable, onDelete }: Field) => [
  ...(immutable
    ? []
    : [
        `rowScope via "${via}" must stay immutable: a record moved to another parent would be shown to others`,
      ]),
  ...(onDelete === 'unlink'
    ? [
        `rowScope via "${via}" must not unlink when its parent is deleted: the relation is immutable`,
      ]
    : []),
]

function checkOwners(model: Model, scope: Record<string, string>, claims: Claims) {
  const named = Object.entries(scope)
  if (named.length === 0) return ['rowScope must name a claim or a relation']
  const mistakes = named.flatMap(([name, field]) => checkOwner({ model, name, field, claims }))
  return mistakes.length > 0 ? mistakes : checkKept(named, claims)
}

/** A revision stores one value per column, enough to evaluate the scope later. */
function checkKept(named: [string, string][], claims: Claims) {
  const byColumn = Map.groupBy(named, ([name]) => claims[name]?.keptIn)
  return [...byColumn.values()]
    .filter((together) => new Set(together.map(([, field]) => field)).size > 1)
    .map(
      (together) =>
        `rowScope ${together.map(([name]) => name).join(' and ')} must name the same field, because revisions keep them in one column`,
    )
}

type Owner = { model: Model; name: string; field: string; claims: Claims }

function checkOwner({ model, name, field, claims }: Owner) {
  const claim = claims[name]
  if (!claim) return [`rowScope: unknown claim "${name}"`]
  const place = `rowScope ${name} "${field}"`
  if (claim.keptIn === null)
    return [`${place}: revisions don’t keep this claim, so no scope can use it`]
  if (claim.holds === 'sub') return checkAccount(model, { place, name, field })
  const { idOf } = claim.holds
  return holdsIdOf(model, field, idOf)
    ? []
    : [`${place} must be a relation to ${idOf}, or id on ${idOf} itself`]
}

type Place = { place: string; name: string; field: string }

/** Every signed-in user has an account, so creators can own their records. */
function checkAccount(model: Model, { place, name, field }: Place) {
  const owner = fieldOf(model, field)
  if (!owner || !isPlainLine(owner)) return [`${place} must be a text field`]
  return mayUsersCreate(model) && owner.stamp !== name
    ? [`${place} must be stamped with ${name}, so that people own what they create`]
    : []
}

const mayUsersCreate = (model: Model) =>
  !model.without.includes('create') && !isStaff(model.access.create)

function holdsIdOf(model: Model, name: string, path: string) {
  if (name === 'id') return model.path === path
  const field = fieldOf(model, name)
  return isRelation(field) && field?.to === path
}
