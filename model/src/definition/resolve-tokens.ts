import type { Field, Value } from './fields.ts'
import type { Operand } from './filter.ts'

/** Current values of `@today`, `@now` and `@site.…`. */
export type Context = { today: string; now: string; site: { country: string; currency: string } }

/** Values of a filter's tokens: current time and caller. */
export type Meaning = { context: Pick<Context, 'today' | 'now'>; me: string | null }

/** A default with tokens such as `@today` resolved. */
export function resolveDefault(field: Field, context: Context): Value {
  if (field.default === undefined) return null
  if (field.default === '@today') return context.today
  if (field.default === '@now') return context.now
  if (field.default === '@site.country') return context.site.country
  if (field.default === '@site.currency') return context.site.currency
  return field.default
}

/** Resolves `@me`, `@today`, `@today-7d`, `@now`, `@now+2h`, alone or in a list; other values are unchanged. */
export function resolveOperand(value: Operand, meaning: Meaning): Operand {
  if (!isList(value)) return resolveOne(value, meaning)
  // An anonymous caller's `@me` matches nothing.
  return value.map((one) => resolveOne(one, meaning)).filter((one) => one !== null) as Operand
}

function resolveOne(value: Exclude<Operand, List>, { context, me }: Meaning) {
  if (value === '@me') return me
  const token = typeof value === 'string' ? RELATIVE.exec(value) : null
  if (!token) return value
  const [, base, sign, amount, unit] = token
  const shift = Number(amount ?? 0) * (sign === '-' ? -1 : 1) * (unit === 'h' ? HOUR_MS : DAY_MS)
  if (base === 'now') return new Date(Date.parse(context.now) + shift).toISOString()
  return new Date(Date.parse(`${context.today}T00:00:00Z`) + shift).toISOString().slice(0, 10)
}

const RELATIVE = /^@(today|now)(?:([+-])(\d{1,4})([dh]))?$/
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

type List = readonly string[] | readonly number[]

/** `Array.isArray` doesn't narrow to a readonly list. */
export const isList = (value: Operand): value is List => Array.isArray(value)
