import { choices, np, type Field } from '@gatehouse/model'
import { describe, expect, test } from 'vitest'
import { convert, toSqlValue } from './sql-values.ts'

const state = { type: 'select', label: 'S', options: choices('A', 'B'), privacy: np } as Field
const number = { type: 'integer', label: 'N', min: 1, max: 9, privacy: np } as Field
const short = { type: 'text', label: 'T', maxLength: 3, privacy: np } as Field

describe('values', () => {
  test.each<[type: string, text: string, sql: string, field?: Field]>([
    ['text', "It's", "'It''s'"],
    ['text', 'A', "'A'", state],
    ['text[]', 'A, B', "ARRAY['A', 'B']::text[]"],
    ['integer', '7', '7', number],
    ['numeric(15, 4)', '1.25', '1.25'],
    ['boolean', 'false', 'false'],
    ['date', '2026-01-31', "'2026-01-31'"],
    ['uuid', '018f3b1c-0000-7000-8000-0000000000ff', "'018f3b1c-0000-7000-8000-0000000000ff'"],
    ['uuid', '=gen_random_uuid()', 'gen_random_uuid()'],
    ['text', "='note'", "'note'"],
  ])('%s: %s', (type, text, sql, field) => {
    expect(toSqlValue(text, { type, field, columns: ['note'] })).toEqual({ sql })
  })

  test.each<[type: string, text: string, mistake: string, field?: Field]>([
    ['integer', 'seven', 'is no integer'],
    ['boolean', 'yes', 'is no boolean'],
    ['date', '2026-13-01', 'is no date'],
    ['text', 'C', 'must be one of A, B', state],
    ['integer', '0', 'is less than 1', number],
    ['integer', '10', 'is more than 9', number],
    ['text', 'long', 'more than 3 characters', short],
    ['text', '=upper(note)', 'must not use the column note'],
    ['text', '=', 'the expression is empty'],
  ])('%s: %s is rejected', (type, text, mistake, field) => {
    expect(toSqlValue(text, { type, field, columns: ['note'] }).mistake).toContain(mistake)
  })
})

test('a conversion without an obvious SQL is asked for', () => {
  expect(convert('a', 'numeric(15, 4)', 'text')).toBe('"a"::text')
  expect(convert('a', 'text', 'text')).toBe('"a"')
  expect(convert('a', 'boolean', 'date')).toBeNull()
})
