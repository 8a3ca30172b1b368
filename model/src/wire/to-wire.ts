import {
  ACTIONS,
  canAccess,
  isStaff,
  levelOf,
  type Access,
  type Visitor,
} from '#definition/access.ts'
import { resolveDefault, type Context } from '#definition/resolve-tokens.ts'
import { pickFacts, type Field } from '#definition/fields.ts'
import {
  actionsOf,
  canDo,
  canSee,
  canSort,
  canWrite,
  fieldOf,
  fieldsOf,
  hasFiles,
  hasTrash,
  visibleFields,
  type Model,
} from '#definition/model.ts'
import { formMetadata, toFileLimits } from './form-metadata.ts'
import { toWirePresentation, type WirePresentation } from './presentation.ts'

/** With all models: a definition names those that refer to it. */
export type WireContext = Context & { models: readonly Model[] }

/** The model as the browser knows it (the specification's "model definition"). */
export const toWire = (model: Model, visitor: Visitor, { models, ...context }: WireContext) => ({
  name: model.name,
  path: model.path,
  routeName: model.routeName,
  ...(model.menu ? {} : { menu: false }),
  viewData: {
    title: model.title,
    displayField: model.displayField,
    fields: canRead(model, visitor)
      ? visibleFields(model, levelOf(visitor)).map(toWireField(model, levelOf(visitor), context))
      : [],
  },
  authorise: { ...toAuthorise(model), ...toPurge(model) },
  ...toOwner(model),
  ...toWithout(model, visitor),
  ...(hasTrash(model) ? { trash: true } : {}),
  // For the visitor too who will only see the field once signed in.
  ...(hasFiles(model) ? { files: true } : {}),
  ...toActions(model, visitor, context),
  ...toShown(model, visitor, models),
})

/** An addition to the specification. */
const toShown = (model: Model, visitor: Visitor, models: readonly Model[]): WirePresentation =>
  canRead(model, visitor) ? toWirePresentation(model, { visitor, models }) : {}

/** An addition: the specification can't express a disabled action, or a form without fields. */
function toWithout(model: Model, visitor: Visitor) {
  const without = [...model.without, ...(hasNothingToEdit(model, visitor) ? ['update'] : [])]
  return without.length > 0 ? { without } : {}
}

const hasNothingToEdit = (model: Model, visitor: Visitor) =>
  canDo(model, 'update', visitor) &&
  !fieldsOf(model).some(([, field]) => canWrite(field, levelOf(visitor)) && !field.immutable)

/** The visitor's actions on a record, with their forms; an addition to the specification. */
function toActions(model: Model, visitor: Visitor, context: Context) {
  const actions = canRead(model, visitor)
    ? Object.entries(model.actions)
        .filter(([, { access }]) => canAccess(access, visitor))
        .map(([name, { label, when, fields = {}, confirm, done, doneUnmailed }]) => ({
          name,
          label,
          ...(when ? { when } : {}),
          ...formMetadata({ fields }, visitor, context),
          ...(confirm === undefined ? {} : { confirm }),
          done,
          ...(doneUnmailed === undefined ? {} : { doneUnmailed }),
        }))
    : []
  return actions.length > 0 ? { actions } : {}
}

/** Access as the specification writes it: missing = public, false = any signed-in user, true = admin only. */
export const toAuthorise = (model: Model) =>
  Object.fromEntries(
    ACTIONS.filter(
      (action) => !(actionsOf(model).includes(action) && model.access[action] === 'public'),
    ).map((action) => [
      action,
      !actionsOf(model).includes(action) || isStaff(model.access[action]),
    ]),
  )

/** An addition to the specification, only for models with a trash. */
const toPurge = (model: Model) =>
  hasTrash(model) && model.purge !== 'public' ? { purge: isStaff(model.purge) } : {}

/**
 * Actions whose `true` means owner-only. An addition to the specification, which reads any value other than true as
 * "signed-in".
 */
function toOwner(model: Model) {
  const owner = [
    ...actionsOf(model).filter((action) => model.access[action] === 'owner'),
    ...(hasTrash(model) && model.purge === 'owner' ? ['purge'] : []),
  ]
  return owner.length > 0 ? { owner } : {}
}

const canRead = (model: Model, visitor: Visitor) =>
  canDo(model, 'list', visitor) || canDo(model, 'get', visitor)

const toWireField =
  (model: Model, level: Access, context: Context) =>
  ([name, field]: [string, Field]) => ({
    name,
    label: field.label,
    type: field.type,
    default: resolveDefault(field, context),
    ...pickFacts(field, ['options', 'scale', 'to', 'unit'] as const),
    ...toFileLimits(field),
    ...toCurrency(model, field, level, context),
    ...(isStaff(field.visibleTo ?? 'public') ? { internal: true } : {}),
    ...(canSort(model, name, level) ? { sortable: true } : {}),
    ...(field.searchable ? { searchable: true } : {}),
  })

/** The field that names the currency, if the caller sees it, otherwise the site's currency. */
function toCurrency(model: Model, { currency }: Field, level: Access, context: Context) {
  if (currency === undefined) return {}
  const named = fieldOf(model, currency)
  return named && canSee(named, level)
    ? { currencyField: currency }
    : { currency: context.site.currency }
}
