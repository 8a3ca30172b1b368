import type { ModelAction } from './action.ts'
import { ACTIONS, canAccess, reaches, type Access, type Action, type Visitor } from './access.ts'
import { isServerOnly, type Field } from './fields.ts'
import type { Filter } from './filter.ts'
import type { ModelPrivacy } from './privacy.ts'

/**
 * Which rows a signed-in person who is not an admin may see. The parts are alternatives: one that holds is enough.
 * owner: the field equals my `sub` · org: it equals the organisation of my contact · orgManagers: the same, for portal
 * managers · via: visible exactly when the record the relation leads to is visible.
 */
export type RowScope = { owner?: string; org?: string; orgManagers?: string } | { via: string }

/** `['endOn', 'gte', 'startOn']`: one field against another; an empty side is no breach. */
export type Rule = [left: string, operator: 'lt' | 'lte' | 'gt' | 'gte', right: string]

/**
 * A list people work through: an index of the rows that `where` leaves, in the order of `by`. `also` is kept in the
 * index too, so that a question narrower than `where` need not look at the rows.
 */
export type Worklist = { name: string; by: string; also?: string[]; where: Filter }

export type Model = {
  /** One of them: 'Service'. */
  name: string
  /** All of them, as headings and messages say it: 'Services'. */
  title: string
  path: string
  routeName: string
  /** Shown in the menu. */
  menu: boolean
  displayField: string
  /** A field, with '-' in front for descending; newest first when absent. */
  defaultSort: string | null
  fields: Record<string, Field>
  access: Record<Action, Access>
  /** Actions nobody has, whatever the access says. */
  without: Action[]
  /** Who may delete for good what is in the trash. */
  purge: Access
  rowScope: RowScope | null
  /** What everyone but an admin is limited to, on every action. */
  publicFilter: Filter | null
  rules: Rule[]
  deleteOnly: { when: Filter; message: string } | null
  /** Functions of api/src/records with these names, in the transaction of the change. */
  beforeCreate: string | null
  afterCreate: string | null
  beforeUpdate: string | null
  afterUpdate: string | null
  /** What can be done to a record beside changing its fields, by name. */
  actions: Record<string, ModelAction>
  /** How many of them one person may create in a minute; as many as of anything else where it is null. */
  createPerMinute: number | null
  worklists: Worklist[]
  privacy: ModelPrivacy
}

type Needed = 'name' | 'title' | 'path' | 'displayField' | 'fields' | 'access' | 'privacy'
type ModelInput = Pick<Model, Needed> & Partial<Omit<Model, Needed>>

/** A model is plain data: it equals its own JSON round trip. */
export const defineModel = (input: ModelInput): Model => ({
  routeName: input.path,
  menu: true,
  defaultSort: null,
  without: [],
  purge: 'admin',
  rowScope: null,
  publicFilter: null,
  rules: [],
  deleteOnly: null,
  beforeCreate: null,
  afterCreate: null,
  beforeUpdate: null,
  afterUpdate: null,
  actions: {},
  createPerMinute: null,
  worklists: [],
  ...input,
})

/** May this visitor do this to the model at all? Which rows is another question. */
export const canDo = (model: Model, action: Action, visitor: Visitor) =>
  !model.without.includes(action) && canAccess(model.access[action], visitor)

/** What can be deleted lies in a trash first, where it can be restored, or deleted for good. */
export const hasTrash = (model: Model) => !model.without.includes('delete')

export const canPurge = (model: Model, visitor: Visitor) =>
  hasTrash(model) && canAccess(model.purge, visitor)

export const canSee = (field: Field, level: Access) => reaches(level, field.visibleTo ?? 'public')

/**
 * Whoever sees only rows of their own sorts only by what an index holds together with the owner: any other order would
 * read everything they own. Where the owner is the record itself there is one row, and any order will do.
 */
export function canSort(model: Model, name: string, level: Access) {
  const field = fieldOf(model, name)
  if (!field?.sortable || !canSee(field, level)) return false
  return level === 'admin' || scopeColumns(model) === null || Boolean(field.scopedSort)
}

/** The fields by which rows are owned; null where nobody but admins looks through an owner's eyes. */
export function scopeColumns({ rowScope }: Model): string[] | null {
  if (rowScope === null) return null
  if ('via' in rowScope) return []
  const fields = new Set([rowScope.owner, rowScope.org, rowScope.orgManagers])
  const columns = [...fields].filter((field) => field !== undefined)
  return columns.every((field) => field === 'id') ? null : columns
}

/** Whoever can't see a field can't write it either. */
export const canWrite = (field: Field, level: Access) =>
  !isServerOnly(field) && canSee(field, level) && reaches(level, field.writableBy ?? 'public')

export const fieldsOf = (model: Pick<Model, 'fields'>) => Object.entries(model.fields)

export const fieldOf = (model: Model, name: string): Field | undefined =>
  Object.hasOwn(model.fields, name) ? model.fields[name] : undefined

/** The actions of a model that somebody can have. */
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
