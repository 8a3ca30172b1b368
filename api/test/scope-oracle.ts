import { expect } from 'vitest'
import { scope as scopeOf, type PersonClaims } from './scope.ts'

/**
 * Visibility, implemented a second time: privacy.md 11.3 to 11.11 in plain TypeScript over rows in memory. It shares no rule
 * with the product: access, scopes and hidden fields are repeated by hand. Only what doesn't affect visibility (types,
 * labels, sortable) is read from the definitions.
 */
export type Person = { sub: string; name: string | null; role: 'user' | 'admin' } | null

export type Row = {
  [field: string]: unknown
  id: string
  deletedAt: string | null
  restrictedAt: string | null
}

type FieldData = {
  type: string
  to?: string
  onDelete?: string
  sortable?: boolean
  scopedSort?: boolean
  searchable?: boolean
  computed?: string
}

type Definition = {
  path: string
  displayField: string
  defaultSort: string | null
  rowScope: Record<string, unknown> | null
  fields: Record<string, FieldData>
}

type Condition = [field: string, operator: string, value: unknown]
export type ListQuestion =
  { all: (Condition | ListQuestion)[] } | { any: (Condition | ListQuestion)[] }
export type Question = {
  sort?: string | undefined
  filter?: ListQuestion | undefined
  q?: string | undefined
}

export type Sentence = {
  /** List, get, create, update, delete: P public, U signed-in users, A admins, - not allowed. */
  access: string
  scope?: { owner?: string; org?: string; orgManagers?: string; via?: string }
  /** `publicFilter` applies to every non-admin on every action. */
  isPublished?: (row: Row, today: string) => boolean
  /** Visible to admins only. */
  hidden?: string[]
  /** Visible to the server only. */
  internal?: string[]
  /** Writable by admins only. */
  unwritable?: string[]
  /**
   * Derived from each other by the model's hooks, which may also reject a combination, when an admin writes one of them: tested
   * by replies-property.test.ts.
   */
  derived?: string[]
  /** Fixed once the record exists. */
  immutable?: string[]
  /** On create by a non-admin the server sets these; values sent for them are ignored. */
  set?: Record<string, 'sub' | 'name' | 'contact' | 'organisation'>
}

export const SENTENCES = scopeOf.sentences

const NOTHING: PersonClaims = { org: [], orgManagers: [], contact: null, organisation: null }

const ACTIONS = ['list', 'get', 'create', 'update', 'delete'] as const
export type Action = (typeof ACTIONS)[number]

const LONG_TYPES = ['textarea', 'markdown']
const TEXT_TYPES = ['text', 'email', 'tel', 'url', 'select', 'textarea', 'markdown']

export type Oracle = ReturnType<typeof buildOracle>

export function buildOracle(definitions: Definition[], rows: Map<string, Row[]>, today: string) {
  const definitionOf = (path: string) =>
    definitions.find((one) => one.path === path) ?? raise(`no definition of ${path}`)
  const sentenceOf = (path: string) =>
    SENTENCES[path] ?? raise(`the oracle knows nothing of ${path}`)
  const fieldsOf = (path: string) => Object.entries(definitionOf(path).fields)
  const rowsOf = (path: string) => rows.get(path) ?? []
  const find = (path: string, id: unknown) => rowsOf(path).find((row) => row.id === id)
  const isAdmin = (person: Person) => person?.role === 'admin'

  /** 0 if allowed, otherwise the status of a rejection that depends on no record. */
  function refusal(person: Person, path: string, action: Action) {
    const letter = sentenceOf(path).access[ACTIONS.indexOf(action)]
    if (letter === '-') return 405
    if (letter === 'P' || isAdmin(person)) return 0
    if (person === null) return 401
    return letter === 'U' ? 0 : 403
  }

  const mayRead = (person: Person, path: string) =>
    refusal(person, path, 'list') === 0 || refusal(person, path, 'get') === 0

  const held = (person: Person) =>
    person === null || isAdmin(person) ? NOTHING : scopeOf.held(person, rowsOf)

  function sees(person: Person, path: string, row: Row): boolean {
    if (row.deletedAt !== null) return false
    if (isAdmin(person)) return true
    if (row.restrictedAt !== null) return false
    const { scope, isPublished } = sentenceOf(path)
    if (isPublished && !isPublished(row, today)) return false
    if (!scope) return true
    if (scope.via) return lookUp(person, path, row, scope.via) !== null
    if (person === null) return false
    if (scope.owner && row[scope.owner] === person.sub) return true
    const { org, orgManagers } = held(person)
    const isIn = (ids: string[], field: string | undefined) =>
      field !== undefined && ids.includes(String(row[field]))
    return isIn(org, scope.org) || isIn(orgManagers, scope.orgManagers)
  }

  function lookUp(person: Person, path: string, row: Row, relation: string): Row | null {
    const to = definitionOf(path).fields[relation]?.to ?? raise(`${relation} is no relation`)
    const target = find(to, row[relation])
    return target && mayRead(person, to) && sees(person, to, target) ? target : null
  }

  /** SQL-computed fields, reimplemented: the same for every caller who sees the record. */
  const valueOf = (path: string, row: Row, name: string): unknown => {
    const worked = scopeOf.valueOf(path, row, name, { rowsOf, today })
    return worked === undefined ? (row[name] ?? null) : worked
  }

  const isHidden = (person: Person, path: string, field: string) =>
    hiddenFields(person, path).includes(field)

  const visibleFields = (person: Person, path: string) =>
    fieldsOf(path).filter(([name]) => !isHidden(person, path, name))

  const hiddenFields = (person: Person, path: string) => {
    const { hidden = [], internal = [] } = sentenceOf(path)
    return isAdmin(person) ? internal : [...hidden, ...internal]
  }

  /** The record as visible to the person, without system columns. */
  function read(person: Person, path: string, row: Row, { isInList = false } = {}) {
    const record: Record<string, unknown> = { id: row.id }
    const labels: Record<string, unknown> = {}
    const { displayField } = definitionOf(path)
    for (const [name, field] of visibleFields(person, path)) {
      if (isInList && LONG_TYPES.includes(field.type) && name !== displayField) continue
      if (field.type === 'relation') {
        const target = lookUp(person, path, row, name)
        record[name] = target?.id ?? null
        if (target && field.to) labels[name] = target[definitionOf(field.to).displayField] ?? ''
      } else record[name] = valueOf(path, row, name)
      if (field.type === 'file' && row[name]) labels[name] = filesOf(row, name)
    }
    return { ...record, labels }
  }

  const filesOf = (row: Row, name: string) =>
    [row[name] ?? []].flat().map((id) => expect.objectContaining({ id, state: 'ready' }))

  /** IDs of the files that the person may open, in the fields that they see. */
  const linked = (person: Person, path: string, row: Row) =>
    visibleFields(person, path)
      .filter(([, field]) => field.type === 'file')
      .flatMap(([name]) => [row[name] ?? []].flat().map(String))
      .toSorted(byText)

  /** The records of a list in order; null if the query is rejected. */
  function list(person: Person, path: string, { sort, filter, q }: Question): Row[] | null {
    const order = sort ?? definitionOf(path).defaultSort ?? '-id'
    const by = order.replace(/^-/, '')
    if (sort !== undefined && !isSortable(person, path, by)) return null
    if (q && !isSearchable(person, path)) return null
    if (filter && !namesOf(filter).every((name) => isAskable(person, path, name))) return null
    const found = rowsOf(path).filter(
      (row) =>
        sees(person, path, row) &&
        (!filter || holds(person, path, row, filter)) &&
        (!q || isFound(person, path, row, q)),
    )
    const type = by === 'id' ? 'id' : (definitionOf(path).fields[by]?.type ?? '')
    const sign = order.startsWith('-') ? -1 : 1
    return found.toSorted(
      (a, b) => sign * (compare(a[by] ?? null, b[by] ?? null, type) || compare(a.id, b.id, 'id')),
    )
  }

  /** Scoped users sort only by `scopedSort` fields, unless the row is their organisation: then there is only one. */
  const isSortable = (person: Person, path: string, name: string) => {
    const { fields, rowScope } = definitionOf(path)
    const isScoped =
      person?.role !== 'admin' && rowScope && Object.values(rowScope).some((by) => by !== 'id')
    const field = fields[name]
    return Boolean(isScoped ? field?.scopedSort : field?.sortable) && !isHidden(person, path, name)
  }

  const isSearchable = (person: Person, path: string) =>
    visibleFields(person, path).some(([, field]) => field.searchable)

  function isAskable(person: Person, path: string, name: string) {
    const field = definitionOf(path).fields[name]
    return field !== undefined && !isHidden(person, path, name)
  }

  function isFound(person: Person, path: string, row: Row, q: string) {
    return visibleFields(person, path).some(
      ([name, field]) => field.searchable && textOf(row[name]).includes(q.toLowerCase()),
    )
  }

  function holds(person: Person, path: string, row: Row, asked: ListQuestion): boolean {
    const one = (part: Condition | ListQuestion) =>
      Array.isArray(part) ? isMet(person, path, row, part) : holds(person, path, row, part)
    return 'all' in asked ? asked.all.every(one) : asked.any.some(one)
  }

  function isMet(person: Person, path: string, row: Row, [name, operator, given]: Condition) {
    const type = definitionOf(path).fields[name]?.type ?? ''
    const value =
      type === 'relation' ? (lookUp(person, path, row, name)?.id ?? null) : valueOf(path, row, name)
    const wanted = given === '@me' ? (person?.sub ?? null) : given
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
    const order = isEmpty ? Number.NaN : compare(value, wanted, type)
    switch (operator) {
      case 'eq':
        return !isEmpty && value === wanted
      case 'ne':
        return isEmpty || value !== wanted
      case 'in':
        return !isEmpty && Array.isArray(wanted) && wanted.includes(value)
      case 'empty':
        return isEmpty === wanted
      case 'contains':
        return textOf(value).includes(textOf(wanted))
      case 'startsWith':
        return textOf(value).startsWith(textOf(wanted))
      case 'has':
        return Array.isArray(value) && value.includes(wanted)
      case 'lt':
        return order < 0
      case 'lte':
        return order <= 0
      case 'gt':
        return order > 0
      case 'gte':
        return order >= 0
      default:
        return raise(`no operator ${operator}`)
    }
  }

  function setByServer(person: Person, path: string) {
    const known = {
      sub: person?.sub ?? null,
      name: person?.name ?? null,
      contact: held(person).contact,
      organisation: held(person).organisation,
    }
    const set = isAdmin(person) ? {} : (sentenceOf(path).set ?? {})
    return Object.fromEntries(Object.entries(set).map(([field, what]) => [field, known[what]]))
  }

  const makesContact = (person: Person, path: string, body: Record<string, unknown>) =>
    path === 'tickets' &&
    !isAdmin(person) &&
    held(person).contact === null &&
    !rowsOf('contacts').some((row) => row.deletedAt === null && row['email'] === body['email'])

  const mayFill = (person: Person, path: string) =>
    refusal(person, path, 'create') === 0 || refusal(person, path, 'update') === 0

  const isWritable = (person: Person, path: string, name: string) =>
    Object.hasOwn(definitionOf(path).fields, name) &&
    !definitionOf(path).fields[name]?.computed &&
    (isAdmin(person) || !sentenceOf(path).unwritable?.includes(name))

  const isFixed = (path: string, row: Row, changes: Record<string, unknown>) =>
    sentenceOf(path).immutable?.some((name) => name in changes && changes[name] !== row[name]) ??
    false

  function mayPointAt(person: Person, path: string, relation: string, id: unknown) {
    const row = { id: '', deletedAt: null, restrictedAt: null, [relation]: id }
    return id === null || lookUp(person, path, row, relation) !== null
  }

  /** All records deleted with a record; null if a relation restricts the deletion. */
  function leaving(path: string, row: Row, seen: Row[] = []): Row[] | null {
    if (seen.includes(row)) return seen
    if (path === 'contracts' && String(row['startOn']) <= today) return null
    let all = [...seen, row]
    for (const child of definitions)
      for (const [name, field] of Object.entries(child.fields)) {
        if (field.to !== path) continue
        const referring = rowsOf(child.path).filter(
          (other) => other[name] === row.id && other.deletedAt === null,
        )
        if (field.onDelete === 'restrict' && referring.length > 0) return null
        if (field.onDelete !== 'cascade') continue
        for (const other of referring) {
          const more = leaving(child.path, other, all)
          if (more === null) return null
          all = more
        }
      }
    return all
  }

  return {
    definitionOf,
    rowsOf,
    refusal,
    mayRead,
    mayFill,
    sees,
    lookUp,
    isHidden,
    visibleFields,
    hiddenFields,
    isSearchable,
    read,
    linked,
    list,
    setByServer,
    makesContact,
    isWritable,
    isFixed,
    mayPointAt,
    leaving,
  }
}

export const byText = (a: string, b: string) => Number(a > b) - Number(a < b)

const namesOf = (asked: ListQuestion): string[] =>
  ('all' in asked ? asked.all : asked.any).flatMap((part) =>
    Array.isArray(part) ? [part[0]] : namesOf(part),
  )

const textOf = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : '')

/** Nulls last, or first when descending. */
function compare(a: unknown, b: unknown, type: string) {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (TEXT_TYPES.includes(type)) return collator.compare(String(a), String(b))
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

/** The database's collation (tools/stack/postgres.ts). */
const collator = new Intl.Collator('en')

function raise(message: string): never {
  throw new Error(message)
}
