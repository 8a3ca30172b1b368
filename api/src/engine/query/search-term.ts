import {
  factsOf,
  fieldOf,
  isAddress,
  queryMessages,
  SEARCH_MAX_LENGTH,
  SEARCH_MIN_LENGTH,
  type JsonSchema,
  type TypeFacts,
} from '@gatehouse/model'
import { invalidQuery } from '#platform/errors.ts'
import { compiledFor } from '#engine/engine.ts'
import { INTEGER_MAX } from './column-values.ts'
import { lengthOf, readOnce } from './list-query.ts'
import type { ReadContext } from './get-record.ts'

/** Fewer digits would find most telephone numbers. */
const PHONE_MIN_DIGITS = 5
/** The last digits decide: country code and trunk zero may be written or not. */
const PHONE_LAST_DIGITS = 8

/** Trimmed, it is `#` and a number, or has at least three characters. */
export const TERM_SCHEMA: JsonSchema = {
  type: 'string',
  maxLength: SEARCH_MAX_LENGTH,
  pattern: String.raw`^\s*(#[0-9]+|[^\s\u0000][^\u0000]{${SEARCH_MIN_LENGTH - 2},}[^\s\u0000])\s*$`,
}

export function readTerm(query: Record<string, unknown>): string {
  const text = readOnce(query, 'q') ?? ''
  const term = text.trim()
  const isShort = lengthOf(term) < SEARCH_MIN_LENGTH && !isNumberTerm(term)
  if (isShort || lengthOf(text) > SEARCH_MAX_LENGTH)
    throw invalidQuery(queryMessages.searchLength(SEARCH_MIN_LENGTH, SEARCH_MAX_LENGTH))
  return term
}

/** `#1048` asks for sequence numbers alone. */
const isNumberTerm = (term: string) => /^#[0-9]+$/.test(term)

export function numberIn(term: string) {
  const number = /^#?[0-9]+$/.test(term) ? Number(term.replace('#', '')) : null
  return number !== null && number <= INTEGER_MAX ? number : null
}

/** The digits by which a telephone number is found; null if the term isn't one. */
export function phoneDigitsIn(term: string) {
  if (!/^\+?[0-9 ()./-]+$/.test(term)) return null
  const digits = term.replaceAll(/\(0\)|[^0-9]/g, '').replace(/^0+/, '')
  return digits.length < PHONE_MIN_DIGITS ? null : digits.slice(-PHONE_LAST_DIGITS)
}

/** A complete email address is compared with email fields alone: its parts occur in too many texts. */
const isEmailTerm = (term: string) => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(term)

type SearchContext = Pick<ReadContext, 'engine' | 'model' | 'caller'>

export type ComparedFields = Record<'numbers' | 'keys' | 'emails' | 'texts' | 'phones', string[]>

/** Fields visible to the caller that this term is compared with. */
export function comparedFields(context: SearchContext, term: string): ComparedFields {
  const { searched, unique, phones } = compiledFor(context)
  const hasColumn = (column: TypeFacts['column']) => (name: string) => {
    const field = fieldOf(context.model, name)
    return field !== undefined && factsOf(field.type).column === column
  }
  const isEmail = (name: string) => isAddress(fieldOf(context.model, name))
  const isSequence = (name: string) => Boolean(fieldOf(context.model, name)?.sequence)
  const integers = unique.filter(hasColumn('integer'))
  const isNumber = isNumberTerm(term)
  if (isEmailTerm(term))
    return {
      numbers: [],
      keys: unique.filter(isEmail),
      emails: searched.filter((name) => isEmail(name) && !unique.includes(name)),
      texts: [],
      phones: [],
    }
  const numbers = isNumber ? integers.filter(isSequence) : integers
  return {
    numbers: numberIn(term) === null ? [] : numbers,
    keys: isNumber ? [] : unique.filter(hasColumn('text')),
    emails: [],
    texts: isNumber ? [] : searched,
    phones: phoneDigitsIn(term) === null ? [] : phones,
  }
}
