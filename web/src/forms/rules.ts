import { violationText, type Violation } from '@gatehouse/model'
import { fieldMessages } from '#messages/fields.ts'
import { formMessages } from '#messages/form.ts'
import { ADDRESS } from './field-row.tsx'
import { fieldFacts } from '#forms/inputs/types.ts'
import { fromInput, type FormField, type FormValues } from '#forms/inputs/values.ts'

type Rules = Record<string, unknown>

/** The server's validation message, computed before sending. */
export function violationOf(
  field: FormField,
  typed: FormValues[string] | undefined,
  stored?: unknown,
): string | undefined {
  const value = fromInput(field, typed, stored)
  const { json } = fieldFacts(field)
  if (value === null || (Array.isArray(value) && value.length === 0))
    return field.required && json !== 'boolean' ? fieldMessages.required(field.label) : undefined
  const rules = rulesFor(field)
  const violation = findViolation(rules, value) ?? findPartViolation(rules, added(value, stored))
  // A server accepts its own stored value, even one older than the pattern.
  if (value === stored && (violation?.keyword === 'pattern' || !field.rules)) return undefined
  return violation && sentence(field, violation)
}

const added = (value: unknown, stored: unknown): unknown[] =>
  Array.isArray(value) ? value.filter((one) => !Array.isArray(stored) || !stored.includes(one)) : []

function sentence(field: FormField, violation: Violation) {
  const { json } = fieldFacts(field)
  if (violation.keyword === 'type' && json === 'number') return formMessages.number
  if (violation.keyword === 'type' && json === 'integer') return formMessages.wholeNumber
  if (violation.params['format'] === 'email') return fieldMessages.notAnAddress
  return formMessages.violation(field.label, violationText(violation))
}

function rulesFor(field: FormField): Rules {
  if (typeof field.rules === 'object' && field.rules !== null) return field.rules
  const { json, number, format } = fieldFacts(field)
  return {
    ...(number ? { type: json } : {}),
    ...(format === 'email' ? { format } : {}),
    minimum: field.min,
    maximum: field.max,
    multipleOf: Number.isFinite(Number(field.step)) ? field.step : undefined,
    maxLength: field.maxLength,
  }
}

/** The first violated schema keyword, most helpful message first. */
function findViolation(rules: Rules, value: unknown, isPart = false): Violation | undefined {
  const broken = Object.entries(CHECKS).find(
    ([keyword, isKept]) => rules[keyword] !== undefined && !isKept(rules[keyword], value),
  )?.[0]
  return broken ? { keyword: broken, params: paramsOf(broken, rules[broken]), isPart } : undefined
}

const findPartViolation = ({ items }: Rules, parts: unknown[]) =>
  items ? parts.map((one) => findViolation(items as Rules, one, true)).find(Boolean) : undefined

const paramsOf = (keyword: string, wanted: unknown) => ({ [keyword]: wanted, limit: wanted })

const CHECKS: Record<string, (wanted: unknown, value: unknown) => boolean> = {
  type: (wanted, value) => [wanted].flat().some((one) => IS_OF_TYPE[String(one)]?.(value) ?? true),
  minLength: (wanted, value) => typeof value !== 'string' || lengthOf(value) >= Number(wanted),
  maxLength: (wanted, value) => typeof value !== 'string' || lengthOf(value) <= Number(wanted),
  format: (wanted, value) =>
    typeof value !== 'string' || (HAS_FORMAT[String(wanted)]?.(value) ?? true),
  pattern: (wanted, value) =>
    typeof value !== 'string' || (toRegExp(String(wanted))?.test(value) ?? true),
  minimum: (wanted, value) => typeof value !== 'number' || value >= Number(wanted),
  maximum: (wanted, value) => typeof value !== 'number' || value <= Number(wanted),
  multipleOf: (wanted, value) => typeof value !== 'number' || isMultiple(value, Number(wanted)),
  maxItems: (wanted, value) => !Array.isArray(value) || value.length <= Number(wanted),
}

const IS_OF_TYPE: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
}

/** Rough checks; the server validates. Date inputs only yield valid values. */
const HAS_FORMAT: Record<string, (value: string) => boolean> = {
  email: (value) => ADDRESS.test(value),
  uri: (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
}

/** Null if another server's pattern is invalid. */
function toRegExp(pattern: string) {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}

/** Counts code points, as JSON Schema does. */
export const lengthOf = (text: string) => Array.from(text).length

/** Tolerates floating point: 0.3 is a multiple of 0.1. */
const isMultiple = (value: number, step: number) => {
  const quotient = value / step
  return Math.abs(quotient - Math.round(quotient)) < 1e-6
}
