import { factsOf, maxLengthOf, type Field } from '@gatehouse/model'

export const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
export const name = (identifier: string) => `"${identifier}"`

type Literal = { sql: string; mistake?: never } | { sql?: never; mistake: string }

const DATE = /^\d{4}-\d\d-\d\d$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A typed value as SQL: a literal of the column's type, or an expression after `=`. */
export function toSqlValue(
  text: string,
  { type, field, columns }: { type: string; field?: Field | undefined; columns: string[] },
): Literal {
  if (text.startsWith('=')) return toExpression(text.slice(1).trim(), columns)
  const sql = LITERALS.find(({ of }) => of.test(type))?.toSql(text)
  if (!sql) return { mistake: `"${text}" is no ${type}; an expression begins with =` }
  const mistake = field && misfit(field, text)
  return mistake ? { mistake } : { sql }
}

const LITERALS: { of: RegExp; toSql: (text: string) => string | null }[] = [
  {
    of: /\[\]$/,
    toSql: (text) =>
      `ARRAY[${text
        .split(',')
        .map((one) => quote(one.trim()))
        .join(', ')}]::text[]`,
  },
  { of: /^text/, toSql: quote },
  { of: /^integer/, toSql: (text) => (/^-?\d{1,10}$/.test(text) ? text : null) },
  { of: /^numeric/, toSql: (text) => (/^-?\d{1,11}(\.\d{1,4})?$/.test(text) ? text : null) },
  { of: /^boolean/, toSql: (text) => (/^(true|false)$/.test(text) ? text : null) },
  { of: /^date/, toSql: (text) => (DATE.test(text) && isDate(text) ? quote(text) : null) },
  { of: /^timestamp/, toSql: (text) => (isDate(text) ? quote(text) : null) },
  { of: /^uuid/, toSql: (text) => (UUID.test(text) ? quote(text) : null) },
]

const isDate = (text: string) => !Number.isNaN(Date.parse(text))

/** DEFAULT rejects columns; said here, before the migration is written. */
function toExpression(text: string, columns: string[]): Literal {
  if (text === '') return { mistake: 'the expression is empty' }
  const words = text.replaceAll(/'(?:[^']|'')*'/g, '').match(/\w+/g) ?? []
  const used = words.find((word) => columns.includes(word))
  return used ? { mistake: `the expression must not use the column ${used}` } : { sql: text }
}

function misfit(field: Field, text: string) {
  const { options, free, min, max } = field
  const values =
    factsOf(field.type).options === 'many' ? text.split(',').map((one) => one.trim()) : [text]
  const allowed = options?.map(({ value }) => value)
  if (allowed && !free && !values.every((one) => allowed.includes(one)))
    return `"${text}" must be one of ${allowed.join(', ')}`
  if (min !== undefined && Number(text) < min) return `"${text}" is less than ${min}`
  if (max !== undefined && Number(text) > max) return `"${text}" is more than ${max}`
  const longest = maxLengthOf(field)
  return longest !== undefined && text.length > longest ? `more than ${longest} characters` : null
}

/** Kinds of columns, without length and precision. */
const kindOf = (type: string) => /\[\]$/.exec(type)?.[0] ?? /^[a-z]+/.exec(type)?.[0] ?? type

/** Conversions that never fail; what doesn't fit becomes null. Null: SQL has no obvious one. */
export function convert(column: string, from: string, to: string): string | null {
  const value = name(column)
  if (kindOf(from) === kindOf(to)) return value
  return CONVERSIONS[`${kindOf(from)} ${kindOf(to)}`]?.(value) ?? null
}

const CONVERSIONS: Record<string, (value: string) => string> = {
  ...Object.fromEntries(
    ['integer', 'numeric', 'boolean', 'date', 'timestamp', 'uuid'].map((kind) => [
      `${kind} text`,
      (value: string) => `${value}::text`,
    ]),
  ),
  '[] text': (value) => `array_to_string(${value}, ', ')`,
  'text []': (value) => `CASE WHEN ${value} IS NOT NULL THEN ARRAY[${value}] END`,
  'text integer': (value) => `CASE WHEN ${value} ~ '^-?[0-9]{1,9}$' THEN ${value}::integer END`,
  'text numeric': (value) =>
    `CASE WHEN ${value} ~ '^-?[0-9]{1,11}([.][0-9]+)?$' THEN ${value}::numeric END`,
  'integer numeric': (value) => `${value}::numeric`,
  'numeric integer': (value) =>
    `CASE WHEN abs(${value}) <= 2147483647 THEN round(${value})::integer END`,
  'integer boolean': (value) => `${value} <> 0`,
  'boolean integer': (value) => `${value}::integer`,
  'date timestamp': (value) => `${value}::timestamp AT TIME ZONE 'UTC'`,
  'timestamp date': (value) => `(${value} AT TIME ZONE 'UTC')::date`,
}
