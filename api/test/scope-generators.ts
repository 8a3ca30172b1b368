import fc from 'fast-check'
import {
  SENTENCES,
  type Action,
  type ListQuestion,
  type Oracle,
  type Person,
  type Question,
  type Row,
} from './scope-oracle.ts'
import { scope } from './scope.ts'
import { below, happens, oneOf, type Draw } from './scope-random.ts'
import { drawValue, HIDDEN_VALUES, FIXTURE_MODELS, type ScopeFixture } from './scope-fixture.ts'

export type Asking = {
  world: ScopeFixture
  oracle: Oracle
  draw: Draw
  person: Person
  path: string
}

/** Rows drawn individually; the rest are only counted. */
const USUAL = 80
export const UNKNOWN_FIELD = 'nosuchfield'

export const drawAction = (draw: Draw) =>
  oneOf(draw, [
    'list',
    'list',
    'list',
    'list',
    'get',
    'create',
    'update',
    'update',
    'delete',
  ] as const)

/** Prefers linked users, since others see few rows. */
export function drawPerson(draw: Draw, { people }: ScopeFixture) {
  const linked = people.filter((person) =>
    /viewer|manager|keeper|moved|no-role|orphaned/.test(person?.sub ?? ''),
  )
  const admins = people.filter((person) => person?.role === 'admin')
  if (happens(draw, 15)) return oneOf(draw, admins)
  return oneOf(draw, happens(draw, 55) ? linked : people)
}

/**
 * Mostly allowed actions, because a rejection proves little about rows. Models made for these tests are drawn twice as often.
 */
export function drawPath(draw: Draw, oracle: Oracle, person: Person, action: Action) {
  const all = [...FIXTURE_MODELS.map((model) => model.path), ...scope.favourites]
  const open = all.filter((path) => oracle.refusal(person, path, action) === 0)
  return oneOf(draw, open.length > 0 && happens(draw, 93) ? open : all)
}

/** List parameters, valid and invalid. Few at a time, as each narrows the result. */
export function drawQuestion(asking: Asking): Question {
  const { draw, path, world } = asking
  const question: Question = {}
  if (happens(draw, 40)) {
    const name = drawFieldName(asking, (field) => Boolean(field.sortable))
    question.sort = happens(draw, 50) ? `-${name}` : name
  }
  if (happens(draw, 50)) question.filter = drawFilter(asking, 2)
  else if (happens(draw, 60)) question.q = drawSearch(draw, path, world)
  return question
}

type FieldData = (typeof FIXTURE_MODELS)[number]['fields'][string]

function drawFieldName({ draw, path, oracle }: Asking, fits: (field: FieldData) => boolean) {
  const fields = fieldsOf(path)
  const isHidden = (name: string) => oracle.isHidden(null, path, name)
  const fit = fields.filter(([name, field]) => fits(field) && !isHidden(name))
  const hidden = fields.filter(([name, field]) => fits(field) && isHidden(name))
  if (hidden.length > 0 && happens(draw, 35)) return oneOf(draw, hidden)[0]
  if (happens(draw, 2)) return UNKNOWN_FIELD
  return oneOf(draw, fit.length > 0 && happens(draw, 96) ? fit : fields)[0]
}

function drawFilter(asking: Asking, depth: number): ListQuestion {
  const { draw } = asking
  const parts = Array.from({ length: happens(draw, 70) ? 1 : 2 }, () =>
    depth > 1 && happens(draw, 15) ? drawFilter(asking, depth - 1) : drawCondition(asking),
  )
  return happens(draw, 50) ? { all: parts } : { any: parts }
}

function drawCondition(asking: Asking): [string, string, unknown] {
  const { draw, path, person } = asking
  const wanted = draw(below, 100)
  const name = drawFieldName(asking, (field) => {
    if (wanted < 20) return field.computed === 'sql'
    return wanted < 60 || field.type === 'relation'
  })
  const field = fieldsOf(path).find(([one]) => one === name)?.[1]
  if (!field) return [name, 'eq', 'x']
  const operator = oneOf(draw, OPERATORS[field.type])
  if (operator === 'empty') return [name, operator, happens(draw, 50)]
  const value = () => {
    const found = drawRow(asking)[name] ?? drawValue(draw, field, draw(below, 40)) ?? draw(fc.uuid)
    return Array.isArray(found) ? oneOf(draw, found) : found
  }
  if (operator === 'in') return [name, operator, [value(), value(), value()]]
  if (operator === 'contains' || operator === 'startsWith')
    return [name, operator, String(value()).slice(0, 3)]
  if (person && name === SENTENCES[path]?.scope?.owner && happens(draw, 50))
    return [name, operator, '@me']
  return [name, operator, value()]
}

const EQUALITY = ['eq', 'ne', 'in', 'empty']
const ORDER = [...EQUALITY, 'lt', 'lte', 'gt', 'gte']
const TEXT = [...EQUALITY, 'contains', 'startsWith']
const OPERATORS: Record<FieldData['type'], string[]> = {
  text: TEXT,
  email: TEXT,
  tel: TEXT,
  url: TEXT,
  textarea: ['contains', 'empty'],
  markdown: ['contains', 'empty'],
  integer: ORDER,
  decimal: ORDER,
  date: ORDER,
  datetime: ORDER,
  boolean: ['eq', 'empty'],
  select: EQUALITY,
  multiselect: ['has', 'empty'],
  relation: [...EQUALITY, 'empty'],
  file: ['empty'],
}

/** Three characters at least, because search requires them. */
function drawSearch(draw: Draw, path: string, { rows }: ScopeFixture) {
  if (happens(draw, 50)) return oneOf(draw, HIDDEN_VALUES)
  const searchable = fieldsOf(path).filter(([, field]) => field.searchable)
  const [name] = oneOf(draw, searchable)
  const text = String(oneOf(draw, (rows.get(path) ?? []).slice(0, USUAL))?.[name] ?? 'zulu')
  const part = text.slice(draw(below, 3), 3 + draw(below, text.length)).trim()
  return part.length < 3 ? 'alp' : part
}

export function drawRow({ draw, oracle, person, path }: Asking): Row {
  if (happens(draw, 4)) return absentRow(draw(fc.uuid))
  const rows = oracle.rowsOf(path).slice(0, USUAL)
  const seen = rows.filter((row) => oracle.sees(person, path, row))
  return oneOf(draw, seen.length > 0 && happens(draw, 50) ? seen : rows)
}

const absentRow = (id: string): Row => ({ id, deletedAt: 'never there', restrictedAt: null })

export function drawChanges(asking: Asking, row: Row): Record<string, unknown> {
  const { draw, path } = asking
  const body: Record<string, unknown> = {}
  for (const [name, field] of writtenRelations(path)) {
    if (happens(draw, 55)) continue
    if (!field.required && happens(draw, 30)) body[name] = null
    // A correct guess of a hidden relation must not be confirmed.
    else if (row[name] && happens(draw, 30)) body[name] = row[name]
    else body[name] = drawTargetId(asking, field)
  }
  addForeign(asking, body)
  return body
}

export function drawBody(asking: Asking): Record<string, unknown> {
  const { draw, path } = asking
  const body: Record<string, unknown> = {}
  const place = draw(below, 1_000_000_000)
  for (const [name, field] of fieldsOf(path))
    if (field.required && field.default === undefined && field.type !== 'relation')
      body[name] = drawValue(draw, field, place)
  for (const [name, field] of writtenRelations(path))
    if (field.required || happens(draw, 40)) body[name] = drawTargetId(asking, field)
  addForeign(asking, body)
  // An address in use, one of a record in the trash, or an unknown one: the last two create a contact.
  if (path === 'tickets' && happens(draw, 80))
    body['email'] = oneOf(draw, asking.oracle.rowsOf('contacts').slice(0, USUAL))['email']
  return body
}

/** Values only admins may set. */
function addForeign({ draw, path, world }: Asking, body: Record<string, unknown>) {
  const { hidden = [], unwritable = [], set = {} } = SENTENCES[path] ?? {}
  for (const [name, what] of Object.entries(set)) {
    if (what === 'sub' && happens(draw, 40))
      body[name] = oneOf(draw, world.people)?.sub ?? 'sub-stranger'
  }
  if (happens(draw, 90)) return
  const name = oneOf(draw, [...hidden, ...unwritable, UNKNOWN_FIELD])
  const field = fieldsOf(path).find(([one]) => one === name)?.[1]
  if (field && isRelation(path, name)) body[name] = draw(fc.uuid)
  else body[name] = field ? drawValue(draw, field, 0) : 'x'
}

const writtenRelations = (path: string) =>
  fieldsOf(path).filter(
    ([name, field]) => field.type === 'relation' && !SENTENCES[path]?.unwritable?.includes(name),
  )

function drawTargetId(asking: Asking, field: FieldData) {
  return drawRow({ ...asking, path: field.to ?? '' }).id
}

export const fieldsOf = (path: string) =>
  Object.entries(FIXTURE_MODELS.find((model) => model.path === path)?.fields ?? {})

export const isRelation = (path: string, name: string) =>
  fieldsOf(path).some(([one, field]) => one === name && field.type === 'relation')

export const relationsOf = (path: string, body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => isRelation(path, name)))

export function drawName({ draw, path }: Asking) {
  const model = FIXTURE_MODELS.find((one) => one.path === path)
  return happens(draw, 50) ? path : (model?.routeName ?? path)
}

/** Renames hidden fields to an unknown one: both requests must get the same response. */
export function withoutHidden({ oracle, person, path }: Asking, question: Question): Question {
  const isBad = (name: string) => oracle.isHidden(person, path, name)
  const rename = (asked: ListQuestion): ListQuestion => {
    const one = (
      part: ListQuestion | [string, string, unknown],
    ): ListQuestion | [string, string, unknown] => {
      if (!Array.isArray(part)) return rename(part)
      return isBad(part[0]) ? [UNKNOWN_FIELD, part[1], part[2]] : part
    }
    return 'all' in asked ? { all: asked.all.map(one) } : { any: asked.any.map(one) }
  }
  const name = question.sort?.replace(/^-/, '') ?? ''
  return {
    ...question,
    ...(isBad(name) ? { sort: question.sort?.replace(name, UNKNOWN_FIELD) } : {}),
    ...(question.filter ? { filter: rename(question.filter) } : {}),
  }
}
