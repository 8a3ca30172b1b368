import {
  factsOf,
  fieldMessages,
  fieldOf,
  fieldsOf,
  isFile,
  isRelation,
  isStaff,
  isStamped,
  resolveDefault,
  toLines,
  type Field,
  type Model,
  type Rule,
} from '@gatehouse/model'
import type { Row } from '#platform/db.ts'
import { invalidRecord, type FieldError } from '#platform/errors.ts'
import { DECIMALS } from '#engine/build-tables.ts'
import { contextOf, type Site } from '#platform/site-config.ts'
import type { Caller } from '#engine/caller.ts'
import { compute, validate, type WriteContext } from './run-hooks.ts'
import { checkRelations } from './relations.ts'

/** A validated body as column values, without fields the server stamps. */
export const toValues = (model: Model, { level }: Caller, body: Row, before: Row = {}): Row =>
  normalise(
    model,
    Object.fromEntries(
      Object.entries(body).filter(([name]) => {
        const field = fieldOf(model, name)
        return field && !isStamped(field, level)
      }),
    ),
    before,
  )

/** Normalised column values; unchanged ones are not normalised again. */
export function normalise(model: Model, given: Row, before: Row = {}): Row {
  const errors: FieldError[] = []
  const values = Object.entries(given).map(([name, value]) => {
    const field = fieldOf(model, name)
    if (!field) throw new Error(`"${name}" is not a field of ${model.path}`)
    const stored = value === before[name] ? value : toStored(field, value)
    if (stored === undefined)
      errors.push({ field: name, message: fieldMessages.invalidInstant(field.label) })
    return [name, stored]
  })
  if (errors.length > 0) throw invalidRecord(errors)
  return Object.fromEntries(values)
}

export function initialValues(model: Model, caller: Caller, site: Site): Row {
  const context = contextOf(site)
  return Object.fromEntries(
    fieldsOf(model)
      .filter(([, field]) => !field.computed && !field.sequence)
      .map(([name, field]) => [
        name,
        isStamped(field, caller.level)
          ? stampOf(field, caller, site)
          : resolveDefault(field, context),
      ]),
  )
}

type ResolveOptions = {
  event: 'create' | 'update'
  /** Fields the caller sent, changed or not. */
  sent: string[]
  /** Relations are checked under this caller's visibility. */
  rights: Caller
}

/** Steps that need the full record: computed columns, relations, rules, `validate`. Returns the resolved record. */
export async function resolveRecord(
  write: WriteContext,
  { record, previous }: { record: Row; previous: Row | null },
  { event, sent, rights }: ResolveOptions,
): Promise<Row> {
  const { model } = write
  const done = rounded(model, await compute(write, event, { record, previous }))
  const context = { ...write, caller: rights }
  requireValid(await checkRelations(context, done, { before: previous, sent }))
  requireValid([
    ...(event === 'create' ? missingFields(model, done) : []),
    ...model.rules.filter((rule) => isBroken(rule, done)).map((rule) => ruleError(model, rule)),
  ])
  requireValid(await validate(write, event, { record: done, previous }))
  return done
}

/** Required fields that the body may omit, but that no behaviour has filled in. */
const missingFields = (model: Model, record: Row): FieldError[] =>
  fieldsOf(model)
    .filter(([name, { requiredUnless }]) => requiredUnless && (record[name] ?? null) === null)
    .map(([field, { label }]) => ({ field, message: fieldMessages.required(label) }))

/** Rounded as the columns store it: response and history use this record. */
function rounded(model: Model, record: Row): Row {
  const changes = fieldsOf(model)
    .filter(([, field]) => factsOf(field.type).column === 'numeric')
    .map(([name]) => [name, record[name]] as const)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .map(([name, value]) => [name, toDecimals(value)])
  return changes.length === 0 ? record : { ...record, ...Object.fromEntries(changes) }
}

/** Rounds half away from zero, by decimal digits, like PostgreSQL. */
export function toDecimals(value: number): number {
  const text = String(value)
  const [, integer = '', decimals = '', next = ''] = DIGITS.exec(text) ?? []
  if (next === '') return text.includes('e-') ? 0 : value
  const up = next >= '5' ? Math.sign(value) * 10 ** -DECIMALS : 0
  return Number((Number(`${integer}.${decimals}`) + up).toFixed(DECIMALS))
}

const DIGITS = new RegExp(String.raw`^(-?\d+)\.(\d{${DECIMALS}})(\d)`)

export function requireValid(errors: FieldError[]) {
  if (errors.length > 0) throw invalidRecord(errors)
}

/** undefined if an instant doesn't exist (leap second) or leaves the years 1 to 9999 in UTC. */
function toStored(field: Field, sent: unknown): unknown {
  const value = factsOf(field.type).text?.isLong && typeof sent === 'string' ? toLines(sent) : sent
  if (value === null || (Array.isArray(value) && value.length === 0)) return null
  if (value === '' && factsOf(field.type).json === 'string') return null
  if (isRelation(field)) return String(value).toLowerCase()
  if (isFile(field) && Array.isArray(value)) return value.map((id) => String(id).toLowerCase())
  if (factsOf(field.type).column !== 'timestamp') return value
  const instant = new Date(String(value))
  if (Number.isNaN(instant.getTime())) return undefined
  const text = instant.toISOString()
  return /^(?!0000)\d{4}-/.test(text) ? text : undefined
}

function stampOf({ stamp = '' }: Field, { visitor, level, claims }: Caller, site: Site) {
  switch (stamp) {
    case 'name':
      return visitor?.name ?? null
    case 'isStaff':
      return isStaff(level)
    case 'author':
      return isStaff(level) ? site.name : (visitor?.name ?? null)
    default:
      return singleValue(claims[stamp] ?? [])
  }
}

const singleValue = (values: readonly string[]) => (values.length === 1 ? values[0] : null)

function isBroken([left, operator, right]: Rule, record: Row) {
  const a = record[left]
  const b = record[right]
  if (a === null || b === null || a === undefined || b === undefined) return false
  const order = a < b ? -1 : Number(a > b)
  return !{ lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[operator]
}

const RULE_OPERATORS = {
  dates: { lt: 'before', lte: 'on or before', gt: 'after', gte: 'on or after' },
  numbers: { lt: 'less than', lte: 'at most', gt: 'more than', gte: 'at least' },
}

function ruleError(model: Model, [left, operator, right]: Rule): FieldError {
  const field = fieldOf(model, left)
  const operators = RULE_OPERATORS[field && factsOf(field.type).number ? 'numbers' : 'dates']
  const message = `${field?.label} must be ${operators[operator]} ${fieldOf(model, right)?.label}.`
  return { field: left, message }
}
