import { factsOf, type Field, type JsonSchema, type TypeFacts } from '@gatehouse/model'
import { isUuid, UUID_PATTERN } from '#platform/uuid.ts'

/** The largest number of an integer column. */
export const INTEGER_MAX = 2 ** 31 - 1

/** Maximum values of `in`. */
export const VALUES_MAX = 50
/** In code points, as JSON Schema counts them. */
const VALUE_MAX_LENGTH = 200

const TODAY_PATTERN = '^@today([+-][0-9]{1,4}d)?$'
const NOW_PATTERN = '^@now([+-][0-9]{1,4}[dh])?$'
const DAY_PATTERN = '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$'
/** RFC 3339, with a fraction and a zone that PostgreSQL knows. */
export const INSTANT_PATTERN =
  '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])$'

export const SHORT_TEXT: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: VALUE_MAX_LENGTH,
  pattern: '^[^\\u0000]*$',
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0')

export const isShortText = (value: unknown): value is string =>
  isText(value) && value.length > 0 && Array.from(value).length <= VALUE_MAX_LENGTH

const TODAY = new RegExp(TODAY_PATTERN)
const NOW = new RegExp(NOW_PATTERN)
const DAY = new RegExp(DAY_PATTERN)
const INSTANT = new RegExp(INSTANT_PATTERN)

/** A real date: JavaScript would take 30 February for March. */
const isDay = (text: string) => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return DAY.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

export const isInstant = (text: string) => INSTANT.test(text) && isDay(text.slice(0, 10))

type ColumnValues = {
  /** SQL type of a cursor's value. */
  sqlType: string
  /** Whether a cursor may contain the value: it is untrusted. */
  isStored: (value: unknown) => boolean
  /** SQL type of a filter's value. */
  filterType: string
  /** A filter's value, for OpenAPI; `fits` enforces the same rules. */
  schema: JsonSchema
  fits: (value: unknown) => boolean
}

const texts = (sqlType: string): ColumnValues => ({
  sqlType,
  isStored: isText,
  filterType: sqlType,
  schema: SHORT_TEXT,
  fits: isShortText,
})

const UUID_VALUES: ColumnValues = {
  sqlType: 'uuid',
  isStored: (value) => isText(value) && isUuid(value),
  filterType: 'uuid',
  schema: { type: 'string', format: 'uuid', pattern: UUID_PATTERN },
  fits: (value) => isShortText(value) && isUuid(value),
}

/** Values that a query compares with a column, by its type; a new column type does not compile without them. */
const COLUMN_VALUES = {
  text: texts('text'),
  textArray: texts('text[]'),
  integer: {
    sqlType: 'integer',
    isStored: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= INTEGER_MAX,
    // Wider than the column: a larger number matches nothing instead of failing.
    filterType: 'bigint',
    schema: {
      type: 'integer',
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    fits: Number.isSafeInteger,
  },
  numeric: {
    sqlType: 'numeric',
    isStored: (value) => typeof value === 'number',
    filterType: 'numeric',
    schema: { type: 'number', minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
    fits: Number.isFinite,
  },
  boolean: {
    sqlType: 'boolean',
    isStored: (value) => typeof value === 'boolean',
    filterType: 'boolean',
    schema: { type: 'boolean' },
    fits: (value) => typeof value === 'boolean',
  },
  date: {
    sqlType: 'date',
    isStored: (value) => isText(value) && isDay(value),
    filterType: 'date',
    schema: {
      anyOf: [
        { type: 'string', pattern: TODAY_PATTERN },
        { type: 'string', format: 'date', pattern: DAY_PATTERN },
      ],
    },
    fits: (value) => isShortText(value) && (TODAY.test(value) || isDay(value)),
  },
  timestamp: {
    sqlType: 'timestamptz',
    isStored: (value) => isText(value) && isInstant(value),
    filterType: 'timestamptz',
    schema: {
      anyOf: [
        { type: 'string', pattern: NOW_PATTERN },
        { type: 'string', format: 'date-time', pattern: INSTANT_PATTERN },
      ],
    },
    fits: (value) => isShortText(value) && (NOW.test(value) || isInstant(value)),
  },
  uuid: UUID_VALUES,
  uuidArray: { ...UUID_VALUES, sqlType: 'uuid[]', filterType: 'uuid[]' },
} satisfies Record<TypeFacts['column'], ColumnValues>

export const columnValues = ({ type }: Pick<Field, 'type'>): ColumnValues =>
  COLUMN_VALUES[factsOf(type).column]
