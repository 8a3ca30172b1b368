import type { ModelAction } from './action.ts'
import {
  ACTIONS,
  canAccess,
  isStaff,
  reaches,
  type Access,
  type Action,
  type Visitor,
} from './access.ts'
import { factsOf, isFile } from './field-types.ts'
import { isServerOnly, type Field } from './fields.ts'
import type { Filter } from './filter.ts'
import {
  presentationOf,
  type GlanceFact,
  type ListPresentation,
  type Presentation,
  type ReadingPages,
  type RelatedList,
  type Section,
  type Timeline,
} from './presentation.ts'
import type { ModelPrivacy } from './privacy.ts'

/**
 * Rows a non-admin may see: those where any of these fields has a value of its claim, as `{ claim: field }`. Or, with `via`,
 * those whose related record they may see; that relation is immutable.
 */
export type RowScope = { via: string } | { [claim: string]: string }

/** Compares two fields, as `['endOn', 'gte', 'startOn']`; passes if either is empty. */
export type Rule = readonly [left: string, operator: 'lt' | 'lte' | 'gt' | 'gte', right: string]

/**
 * A worklist, as a partial index: rows that satisfy `where`, ordered by `by`. `also` adds columns, so that narrower queries
 * are index-only scans.
 */
export type Worklist = { name: string; by: string; also?: readonly string[]; where: Filter }

export type Model = Presentation & {
  /** Singular: `Service`. */
  name: string
  /** Plural, for headings and messages: `Services`. */
  title: string
  /** Segment of the URL in the API: `/api/{path}`. */
  path: string
  /** Table name, if not the path; a site's tables begin with `site_`. */
  table?: string
  /** Segment of the URL of its list and writes in the API, if not the path; pages are at the path in lower case. */
  routeName: string
  /** Shown in the menu. */
  menu: boolean
  /** Field that names a record in lists, links and headings. */
  displayField: string
  /** A field, with `-` in front for descending; newest first when absent. */
  defaultSort: string | null
  /** Fields by name, in the order of forms and lists. */
  fields: Record<string, Field>
  /**
   * Former fields whose columns are kept: the release before still reads them. No code does; a release later, remove them here
   * too.
   */
  retired: Record<string, Field>
  /** Level required for each of `list`, `get`, `create`, `update` and `delete`. */
  access: Record<Action, Access>
  /** Actions disabled for all callers, regardless of `access`. */
  without: readonly Action[]
  /** Level required to delete permanently from the trash. */
  purge: Access
  /** Which rows non-admins see; null: all. */
  rowScope: RowScope | null
  /** Limits all non-admins, on every action. */
  publicFilter: Filter | null
  /** Comparisons between two fields that every record must satisfy. */
  rules: readonly Rule[]
  /** Condition a record must satisfy to be deleted, and the message otherwise. */
  deleteOnly: { when: Filter; message: string } | null
  /** Actions on a record other than changing its fields, by name. */
  actions: Readonly<Record<string, ModelAction>>
  /** Creations per person and minute; null applies only the general write limit. */
  createPerMinute: number | null
  /** Filters that staff work through, each served by a partial index. */
  worklists: readonly Worklist[]
  /** Data subject, retention period and effect of erasure. */
  privacy: ModelPrivacy
}

type Needed = 'name' | 'title' | 'path' | 'displayField' | 'fields' | 'access' | 'privacy'
export type ModelInput = Pick<Model, Needed> & Partial<Omit<Model, Needed>>

/** A model with its literal types, for `RecordOf` and related types. */
export type Defined<M extends ModelInput> = Omit<Model, 'path' | 'fields' | 'actions' | 'privacy'> &
  Pick<M, 'path' | 'fields' | 'privacy'> & {
    actions: M['actions'] extends object ? M['actions'] : Record<never, ModelAction>
  }

/** Excess property check for generics, where TypeScript does none. */
type OnlyKnown<M extends ModelInput> = Refuse<M, Model> & {
  fields: { [F in keyof M['fields']]: Refuse<M['fields'][F], Field> }
  actions?: { [A in keyof M['actions']]: Refuse<M['actions'][A], ModelAction> }
  list?: Refuse<M['list'], ListPresentation>
  glance?: RefuseEach<M['glance'], GlanceFact>
  sections?: RefuseEach<M['sections'], Section>
  related?: RefuseEach<M['related'], RelatedList>
  timeline?: Refuse<M['timeline'], Timeline>
  pages?: Refuse<NonNullable<M['pages']>, ReadingPages> | null
}
type Refuse<T, Known> = { [K in Exclude<keyof T, KeyOf<Known>>]: never }
type RefuseEach<T, Known> = { [I in keyof T]: Refuse<T[I], Known> }
type KeyOf<Union> = Union extends unknown ? keyof Union : never

/** A model is plain data: it equals its own JSON round trip. */
export const defineModel = <const M extends ModelInput>(input: M & OnlyKnown<M>): Defined<M> => ({
  routeName: input.path,
  menu: true,
  defaultSort: null,
  without: [],
  purge: 'owner',
  rowScope: null,
  publicFilter: null,
  rules: [],
  deleteOnly: null,
  actions: {},
  retired: {},
  createPerMinute: null,
  worklists: [],
  ...input,
  fields: withFixedParent(input),
})

/** The relation of `rowScope: { via }` is immutable: a record moved to another parent would be shown to others. */
function withFixedParent<M extends ModelInput>({ fields, rowScope }: M): M['fields'] {
  const via = rowScope?.['via']
  const relation = via === undefined ? undefined : fields[via]
  // The model's own value takes precedence, so that the checks can reject it.
  return via && relation ? { ...fields, [via]: { immutable: true, ...relation } } : fields
}

/** A site's extension of a product model: fields that begin with x, actions, and how it is shown instead. */
export const extendModel = <
  M extends Defined<ModelInput>,
  const F extends ModelInput['fields'] = Record<never, Field>,
  const A extends Model['actions'] = Record<never, ModelAction>,
>(
  model: M,
  more: Presentation & {
    fields?: F & { [N in keyof F]: Refuse<F[N], Field> }
    retired?: Model['retired']
    actions?: A & { [N in keyof A]: Refuse<A[N], ModelAction> }
  },
): Extended<M, F, A> => ({
  ...model,
  ...presentationOf(more),
  fields: { ...model.fields, ...more.fields } as M['fields'] & F,
  retired: { ...model.retired, ...more.retired },
  actions: { ...model.actions, ...more.actions } as M['actions'] & A,
})
type Extended<M extends Defined<ModelInput>, F, A> = Omit<M, 'fields' | 'actions'> & {
  fields: M['fields'] & F
  actions: M['actions'] & A
}

/** Whether a site added this field: product fields never begin with an x and a capital. */
export const isAdded = (field: string) => /^x[A-Z]/.test(field)

/** A site's additions to the product; `site/index.ts` exports it as `site`. */
export type SiteCode<Behaviour extends { path: string } = { path: string }> = {
  models?: readonly Model[]
  extensions?: readonly Model[]
  /** Behaviours of a product model run after the product's own. */
  behaviours?: readonly Behaviour[]
  /** Database schemas owned by the host or another program; any other unknown schema makes a replica not ready. */
  foreignSchemas?: readonly string[]
}

export const defineSite = <B extends { path: string }>(site: SiteCode<B>) => site

/** Whether the visitor's level allows the action; rows are checked separately. */
export const canDo = (model: Model, action: Action, visitor: Visitor) =>
  !model.without.includes(action) && canAccess(model.access[action], visitor)

/** Whether a field holds files. */
export const hasFiles = (model: Pick<Model, 'fields'>) =>
  fieldsOf(model).some(([, field]) => isFile(field))

/** Deletable models have a trash, from which records are restored or permanently deleted. */
export const hasTrash = (model: Model) => !model.without.includes('delete')

export const canPurge = (model: Model, visitor: Visitor) =>
  hasTrash(model) && canAccess(model.purge, visitor)

export const canSee = (field: Field, level: Access) =>
  !field.hidden && reaches(level, field.visibleTo ?? 'public')

export const visibleFields = (model: Model, level: Access) =>
  fieldsOf(model).filter(([, field]) => canSee(field, level))

/** Fields of a list: without long texts, except the display field. */
export const listFields = (model: Model, level: Access) =>
  visibleFields(model, level).filter(
    ([name, field]) => !factsOf(field.type).text?.isLong || name === model.displayField,
  )

/**
 * Scoped users sort only by fields indexed together with the owner: any other order would read all rows they own. If the owner
 * is the record itself, there is one row, and any order is allowed.
 */
export function canSort(model: Model, name: string, level: Access) {
  const field = fieldOf(model, name)
  if (!field?.sortable || !canSee(field, level)) return false
  return isStaff(level) || scopeColumns(model) === null || Boolean(field.scopedSort)
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

/** The field whose value lets this level omit a required one on creation. */
export function substituteOf(model: Pick<Model, 'fields'>, field: Field, level: Access) {
  const other = model.fields[field.requiredUnless ?? '']
  return other && canWrite(other, level) ? field.requiredUnless : undefined
}

export const fieldsOf = (model: Pick<Model, 'fields'>) => Object.entries(model.fields)

export const fieldOf = (model: Model, name: string): Field | undefined =>
  Object.hasOwn(model.fields, name) ? model.fields[name] : undefined

/** The present name of a field, by any that it has had. */
export const presentName = (model: Pick<Model, 'fields'>, name: string) =>
  Object.hasOwn(model.fields, name)
    ? name
    : (fieldsOf(model).find(([, { formerly = [] }]) => formerly.includes(name))?.[0] ?? name)

/** Values that an earlier release wrote, by the present names of their fields. */
export const withPresentNames = <T>(model: Pick<Model, 'fields'>, values: Record<string, T>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [presentName(model, name), value]),
  )

/** Every name that the field has had in revisions. */
export const namesOfField = (model: Pick<Model, 'fields'>, name: string) => [
  name,
  ...(model.fields[name]?.formerly ?? []),
]

export const actionsOf = (model: Model) =>
  ACTIONS.filter((action) => !model.without.includes(action))

/** Columns of every table besides the fields; no field may have one of these names. */
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
