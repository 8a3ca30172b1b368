import type { ModelAction } from './action.ts'
import { ACTIONS, canAccess, reaches, type Access, type Action, type Visitor } from './access.ts'
import { factsOf, isServerOnly, type Field } from './fields.ts'
import type { Filter } from './filter.ts'
import type { ModelPrivacy } from './privacy.ts'

/**
 * Which rows a signed-in person who is not an admin may see: those where a field holds what a claim of theirs does, by
 * claim and field; one that holds is enough. Or, via a relation, those whose record there they see.
 */
export type RowScope = { via: string } | { [claim: string]: string }

/** `['endOn', 'gte', 'startOn']`: one field against another; an empty side is no breach. */
export type Rule = readonly [left: string, operator: 'lt' | 'lte' | 'gt' | 'gte', right: string]

/**
 * A list people work through: an index of the rows that `where` leaves, in the order of `by`. `also` is kept in the
 * index too, so that a question narrower than `where` need not look at the rows.
 */
export type Worklist = { name: string; by: string; also?: readonly string[]; where: Filter }

export type Model = {
  /** One of them: 'Service'. */
  name: string
  /** All of them, as headings and messages say it: 'Services'. */
  title: string
  path: string
  /** Its table, where that is not called as the path: those of a site's own begin with `site_`. */
  table?: string
  routeName: string
  /** Shown in the menu. */
  menu: boolean
  displayField: string
  /** A field, with '-' in front for descending; newest first when absent. */
  defaultSort: string | null
  fields: Record<string, Field>
  access: Record<Action, Access>
  /** Actions nobody has, whatever the access says. */
  without: readonly Action[]
  /** Who may permanently delete from the trash. */
  purge: Access
  rowScope: RowScope | null
  /** What everyone but an admin is limited to, on every action. */
  publicFilter: Filter | null
  rules: readonly Rule[]
  deleteOnly: { when: Filter; message: string } | null
  /** What can be done to a record beside changing its fields, by name. */
  actions: Readonly<Record<string, ModelAction>>
  /** How many of them one person may create in a minute; as many as of anything else where it is null. */
  createPerMinute: number | null
  worklists: readonly Worklist[]
  privacy: ModelPrivacy
}

type Needed = 'name' | 'title' | 'path' | 'displayField' | 'fields' | 'access' | 'privacy'
export type ModelInput = Pick<Model, Needed> & Partial<Omit<Model, Needed>>

/** A model that kept the types of what was written: `RecordOf` and its sisters read them. */
export type Defined<M extends ModelInput> = Omit<Model, 'path' | 'fields' | 'actions' | 'privacy'> &
  Pick<M, 'path' | 'fields' | 'privacy'> & {
    actions: M['actions'] extends object ? M['actions'] : Record<never, ModelAction>
  }

/** Excess property check for generics, where TypeScript does none. */
type OnlyKnown<M extends ModelInput> = Refuse<M, Model> & {
  fields: { [F in keyof M['fields']]: Refuse<M['fields'][F], Field> }
  actions?: { [A in keyof M['actions']]: Refuse<M['actions'][A], ModelAction> }
}
type Refuse<T, Known> = { [K in Exclude<keyof T, keyof Known>]: never }

/** A model is plain data: it equals its own JSON round trip. */
export const defineModel = <const M extends ModelInput>(input: M & OnlyKnown<M>): Defined<M> => ({
  routeName: input.path,
  menu: true,
  defaultSort: null,
  without: [],
  purge: 'admin',
  rowScope: null,
  publicFilter: null,
  rules: [],
  deleteOnly: null,
  actions: {},
  createPerMinute: null,
  worklists: [],
  ...input,
})

/** What a site adds to a model of the product: fields that begin with x, and actions. */
export const extendModel = <
  M extends Defined<ModelInput>,
  const F extends ModelInput['fields'] = Record<never, Field>,
  const A extends Model['actions'] = Record<never, ModelAction>,
>(
  model: M,
  more: {
    fields?: F & { [N in keyof F]: Refuse<F[N], Field> }
    actions?: A & { [N in keyof A]: Refuse<A[N], ModelAction> }
  },
): Extended<M, F, A> => ({
  ...model,
  fields: { ...model.fields, ...more.fields } as M['fields'] & F,
  actions: { ...model.actions, ...more.actions } as M['actions'] & A,
})
type Extended<M extends Defined<ModelInput>, F, A> = Omit<M, 'fields' | 'actions'> & {
  fields: M['fields'] & F
  actions: M['actions'] & A
}

/** Whether a site added this field: the product's own never begin with an x and a capital. */
export const isAdded = (field: string) => /^x[A-Z]/.test(field)

/** What a site has beside the product: `site/index.ts` exports one of these as `site`. */
export type SiteCode<Behaviour extends { path: string } = { path: string }> = {
  models?: readonly Model[]
  extensions?: readonly Model[]
  /** Those of a model of the product run after the product's own. */
  behaviours?: readonly Behaviour[]
}

export const defineSite = <B extends { path: string }>(site: SiteCode<B>) => site

/** May this visitor do this to the model at all? Which rows is another question. */
export const canDo = (model: Model, action: Action, visitor: Visitor) =>
  !model.without.includes(action) && canAccess(model.access[action], visitor)

/** Deletable models have a trash, from which records are restored or permanently deleted. */
export const hasTrash = (model: Model) => !model.without.includes('delete')

export const canPurge = (model: Model, visitor: Visitor) =>
  hasTrash(model) && canAccess(model.purge, visitor)

export const canSee = (field: Field, level: Access) => reaches(level, field.visibleTo ?? 'public')

export const visibleFields = (model: Model, level: Access) =>
  fieldsOf(model).filter(([, field]) => canSee(field, level))

/** Long texts stay out of lists, unless a record is known by one. */
export const listFields = (model: Model, level: Access) =>
  visibleFields(model, level).filter(
    ([name, field]) => !factsOf(field.type).long || name === model.displayField,
  )

/**
 * Scoped users sort only by fields indexed together with the owner: any other order would read everything they own. Where
 * the owner is the record itself there is one row, and any order will do.
 */
export function canSort(model: Model, name: string, level: Access) {
  const field = fieldOf(model, name)
  if (!field?.sortable || !canSee(field, level)) return false
  return level === 'admin' || scopeColumns(model) === null || Boolean(field.scopedSort)
}

/** The fields by which rows are owned; null if lists aren't scoped by owner. */
export function scopeColumns({ rowScope }: Model): string[] | null {
  if (rowScope === null) return null
  if ('via' in rowScope) return []
  const columns = [...new Set(Object.values(rowScope))]
  return columns.every((field) => field === 'id') ? null : columns
}

/** A field that isn't visible isn't writable either. */
export const canWrite = (field: Field, level: Access) =>
  !isServerOnly(field) && canSee(field, level) && reaches(level, field.writableBy ?? 'public')

export const fieldsOf = (model: Pick<Model, 'fields'>) => Object.entries(model.fields)

export const fieldOf = (model: Model, name: string): Field | undefined =>
  Object.hasOwn(model.fields, name) ? model.fields[name] : undefined

/** The actions a model supports. */
export const actionsOf = (model: Model) =>
  ACTIONS.filter((action) => !model.without.includes(action))

/** Columns every table has, beside the fields; no field may take one of these names. */
export const SYSTEM_FIELDS = [
  'id',
  'version',
  'createdAt',
  'createdByRef',
  'updatedAt',
  'updatedByRef',
  'deletedAt',
  'restrictedAt',
  'sample',
  'labels',
] as const
