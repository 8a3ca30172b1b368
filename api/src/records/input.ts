import {
  factsOf,
  fieldOf,
  fieldsOf,
  isStamped,
  resolveDefault,
  toLines,
  type Field,
  type Model,
  type Rule,
} from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row } from '#db.ts'
import { invalidRecord, type FieldError } from '#errors.ts'
import { contextOf, type Site } from '#site.ts'
import { computedOnWrite } from './computed.ts'
import { canRead, columnOf, tableOf, targetOf, type Caller } from './engine.ts'
import { isUuid } from './filter.ts'
import type { Reading } from './read.ts'
import { visible } from './scope.ts'

/** What a body says, as the columns take it. Its shape has been checked by the schema; what is unchanged stays as it is. */
export function toValues(model: Model, caller: Caller, body: Row, before: Row = {}): Row {
  const errors: FieldError[] = []
  const values = Object.entries(body).flatMap(([name, value]) => {
    const field = fieldOf(model, name)
    if (!field || isStamped(field, caller.level)) return []
    const stored = value === before[name] ? value : toStored(field, value)
    if (stored === undefined)
      errors.push({ field: name, message: `${field.label} is not a date and time.` })
    return [[name, stored]]
  })
  if (errors.length > 0) throw invalidRecord(errors)
  return Object.fromEntries(values)
}

/** What a new record starts with: defaults, and what the server knows of whoever makes it. */
export function startValues(model: Model, caller: Caller, site: Site): Row {
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

/** Relations, rules and computed values: everything that needs the whole record. Returns it complete. */
export async function complete(reading: Reading, record: Row, changed: string[]): Promise<Row> {
  const { engine, tx, model } = reading
  const errors = [
    ...(await checkRelations(reading, record, changed)),
    ...model.rules.filter((rule) => isBroken(rule, record)).map((rule) => ruleError(model, rule)),
  ]
  if (errors.length > 0) throw invalidRecord(errors)
  const place = { engine, tx, context: contextOf(engine.site) }
  const done = { ...record }
  for (const [name, { computed }] of fieldsOf(model))
    if (computed?.on === 'write')
      done[name] = (await computedOnWrite[computed.by]?.(done, place)) ?? null
  return done
}

/** undefined where an instant does not exist (a leap second) or leaves the years 1 to 9999 once in UTC. */
function toStored(field: Field, sent: unknown): unknown {
  const value = factsOf(field.type).long && typeof sent === 'string' ? toLines(sent) : sent
  if (value === null || (Array.isArray(value) && value.length === 0)) return null
  if (value === '' && factsOf(field.type).json === 'string') return null
  if (field.type !== 'datetime') return value
  const instant = new Date(String(value))
  if (Number.isNaN(instant.getTime())) return undefined
  const text = instant.toISOString()
  return /^(?!0000)\d{4}-/.test(text) ? text : undefined
}

function stampOf(field: Field, { visitor, level, link }: Caller, site: Site) {
  switch (field.stamp) {
    case '@me.sub':
      return visitor?.sub ?? null
    case '@me.name':
      return visitor?.name ?? null
    case '@me.isStaff':
      return level === 'admin'
    case '@me.author':
      return level === 'admin' ? site.name : (visitor?.name ?? null)
    case '@me.contact':
      return link?.contact ?? null
    default:
      return link?.organisation ?? null
  }
}

/** A relation to a record the caller may not see is refused exactly like one to a record that is not there. */
async function checkRelations(reading: Reading, record: Row, changed: string[]) {
  const { model, caller } = reading
  const errors: FieldError[] = []
  for (const [name, field] of fieldsOf(model)) {
    if (field.type !== 'relation' || !changed.includes(name) || record[name] === null) continue
    if (isStamped(field, caller.level)) continue
    if (!(await areThere(reading, name, [String(record[name])])))
      errors.push(noSuchRecord(name, field))
  }
  return errors
}

/**
 * A record can not be in use without what it hangs on: what would forbid its target to go, or go with it. Where it only
 * leads to something, nothing is asked: that reads as empty until the other is back.
 */
export async function requireParents(reading: Reading, records: Row[]) {
  const errors: FieldError[] = []
  for (const [name, field] of fieldsOf(reading.model)) {
    if (field.type !== 'relation' || field.onDelete === 'unlink') continue
    const ids = new Set(records.map((record) => record[name]).filter((id) => id !== null))
    if (!(await areThere(reading, name, [...ids].map(String))))
      errors.push(noSuchRecord(name, field))
  }
  if (errors.length > 0) throw invalidRecord(errors)
}

const noSuchRecord = (name: string, { label }: Field): FieldError => ({
  field: name,
  message: `${label}: there is no such record.`,
})

/** Locked against deletion until the transaction ends: a record may not start to point at what is just leaving. */
async function areThere({ engine, tx, model, caller }: Reading, relation: string, ids: string[]) {
  if (ids.length === 0) return true
  const target = targetOf(engine, model, relation)
  if (!canRead(target, caller) || !ids.every(isUuid)) return false
  const table = tableOf(engine, target)
  const rows = await tx.query(
    sql`select 1 from ${table} where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[])
      and ${visible({ engine, model: target, table, caller })} order by ${columnOf(table, 'id')} for key share`,
    'prepared',
  )
  return rows.length === ids.length
}

function isBroken([left, operator, right]: Rule, record: Row) {
  const a = record[left]
  const b = record[right]
  if (a === null || b === null || a === undefined || b === undefined) return false
  const order = a < b ? -1 : Number(a > b)
  return !{ lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[operator]
}

const RULE_WORDS = {
  lt: 'must come before',
  lte: 'must not come after',
  gt: 'must come after',
  gte: 'must not come before',
}

const ruleError = (model: Model, [left, operator, right]: Rule): FieldError => ({
  field: left,
  message: `${fieldOf(model, left)?.label} ${RULE_WORDS[operator]} ${fieldOf(model, right)?.label}.`,
})
