import type { Access } from './access.ts'
import { conditionsOf } from './filter.ts'
import { canSee, fieldOf, fieldsOf, type Model, type RowScope } from './model.ts'

/** Mistakes in saying whose rows are whose. */
export function checkScope(model: Model, models: Model[]): string[] {
  const scope = model.rowScope
  const exposed = exposedField(model)
  if (!scope)
    return exposed === undefined
      ? []
      : [
          `anyone who registers may read the personal field "${exposed}"; a rowScope must say whose rows are whose`,
        ]
  return [
    ...('via' in scope ? checkVia(model, scope.via, models) : checkOwners(model, scope)),
    ...checkKept(model, scope),
  ]
}

/** A version keeps one owner, one organisation and whether it was open at all: enough to ask the rule of it again. */
function checkKept({ publicFilter }: Model, scope: RowScope) {
  const mistakes: string[] = []
  const { org, orgManagers = org } = 'via' in scope ? {} : scope
  if (org !== undefined && org !== orgManagers)
    mistakes.push('rowScope org and orgManagers must name one field')
  const namesMe =
    publicFilter && conditionsOf(publicFilter).some(([, , value]) => [value].flat().includes('@me'))
  if (namesMe)
    mistakes.push('publicFilter can not say @me beside a rowScope, which says whose rows are whose')
  return mistakes
}

/** The lowest level on which somebody may list or get records. */
export function lowestReader(model: Model): Access {
  const readers = (['list', 'get'] as const).filter((action) => !model.without.includes(action))
  return (
    (['public', 'user'] as const).find((level) =>
      readers.some((action) => model.access[action] === level),
    ) ?? 'admin'
  )
}

/**
 * A personal field that people who are not admins may read. Registration is open: whoever may read without signing in
 * may also sign in, so what signed-in people see counts even where the records are public.
 */
function exposedField(model: Model) {
  if (lowestReader(model) === 'admin') return undefined
  return fieldsOf(model).find(([, field]) => field.privacy?.personal && canSee(field, 'user'))?.[0]
}

function checkVia(model: Model, via: string, models: Model[]) {
  const field = fieldOf(model, via)
  if (field?.type !== 'relation') return [`rowScope via "${via}" must be a relation`]
  const parent = models.find((other) => other.path === field.to)
  if (!parent) return []
  if (parent.rowScope && 'via' in parent.rowScope)
    return [`rowScope via "${via}" leads to a model that is itself scoped by a parent`]
  const limitsNothing = !parent.rowScope && lowestReader(parent) !== 'admin'
  return limitsNothing && exposedField(model) !== undefined
    ? [`rowScope via "${via}" leads to a model everyone may read, so it protects no personal field`]
    : []
}

function checkOwners(model: Model, scope: { owner?: string; org?: string; orgManagers?: string }) {
  const mistakes: string[] = []
  const organisations = [scope.org, scope.orgManagers].filter((name) => name !== undefined)
  if (scope.owner === undefined && organisations.length === 0)
    mistakes.push('rowScope must name an owner, an organisation or a relation to go by')
  if (scope.owner !== undefined) mistakes.push(...checkOwner(model, scope.owner))
  for (const name of organisations)
    if (!isOrganisation(model, name))
      mistakes.push(
        `rowScope "${name}" must be a relation to organisations; only organisations may say id`,
      )
  return mistakes
}

function checkOwner(model: Model, name: string) {
  const field = fieldOf(model, name)
  if (field?.type !== 'text') return [`rowScope owner "${name}" must be a text field`]
  return mayUsersCreate(model) && field.stamp !== '@me.sub'
    ? [
        `rowScope owner "${name}" must be stamped with @me.sub, or people would own nothing they create`,
      ]
    : []
}

const mayUsersCreate = (model: Model) =>
  !model.without.includes('create') && model.access.create !== 'admin'

function isOrganisation(model: Model, name: string) {
  if (name === 'id') return model.path === 'organisations'
  const field = fieldOf(model, name)
  return field?.type === 'relation' && field.to === 'organisations'
}
