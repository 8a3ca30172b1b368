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
import type { Row } from '#db.ts'
import { invalidRecord, type FieldError } from '#errors.ts'
import { contextOf, type Site } from '#site.ts'
import { computedOnWrite } from './computed.ts'
import type { Caller } from './engine.ts'
import type { Reading } from './read.ts'
import { checkRelations } from './relations.ts'

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
export async function complete(
  reading: Reading,
  record: Row,
  { before, sent }: { before: Row | null; sent: string[] },
): Promise<Row> {
  const { engine, tx, model } = reading
  const errors = [
    ...(await checkRelations(reading, record, { before, sent })),
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
