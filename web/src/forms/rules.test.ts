import { valueSchema, type Field } from '@gatehouse/model'
import { describe, expect, test } from 'vitest'
import { violationOf } from './rules.ts'
import type { FormField } from '#forms/inputs/values.ts'

const privacy = { personal: false } as const

function served(type: Field['type'], over: Partial<Field> = {}): FormField {
  const field: Field = { type, label: 'It', privacy, ...over }
  return { ...over, name: 'it', label: 'It', type, rules: valueSchema(field) } as FormField
}

describe('browser validation shows the server’s message', () => {
  test.each<[FormField, string | string[], string]>([
    [served('text', { required: true }), '', 'It is required.'],
    [served('text', { required: true }), '   ', 'It is blank or contains invalid characters.'],
    [served('text', { maxLength: 3 }), 'four', 'It can have at most 3 characters.'],
    [served('email'), 'me', 'Enter a full email address, such as name@example.com.'],
    [
      served('url'),
      'ftp://a.test',
      'It must be a web address that starts with https:// or http://.',
    ],
    [served('url'), 'www.a.test', 'It must be a web address that starts with https:// or http://.'],
    [served('text'), 'a\u202eb', 'It is blank or contains invalid characters.'],
    [
      served('multiselect', { free: true }),
      ['a\tb'],
      'It is blank or contains invalid characters.',
    ],
    [served('tel'), 'call me', 'It is blank or contains invalid characters.'],
    [served('integer'), 'six', 'Enter a whole number, such as 6.'],
    [served('integer'), '1.5', 'Enter a whole number, such as 6.'],
    [served('decimal'), 'six', 'Enter a number, such as 6 or 1.5.'],
    [served('integer', { min: 1 }), '0', 'It must be at least 1.'],
    [served('integer', { max: 9 }), '10', 'It must be at most 9.'],
    [served('decimal', { step: 0.1 }), '0.25', 'It must be a multiple of 0.1.'],
    [
      served('multiselect', { free: true }),
      ['x'.repeat(51)],
      'It can have at most 50 characters each.',
    ],
    [
      served('multiselect', { free: true }),
      Array.from({ length: 51 }, (_one, index) => String(index)),
      'It can have at most 50 entries.',
    ],
  ])('browser validation rejects, for the field %j, the value %j', (field, typed, words) => {
    expect(violationOf(field, typed)).toBe(words)
  })

  test.each<[FormField, string | string[]]>([
    [served('text'), ''],
    [served('text', { maxLength: 3 }), '🙂🙂🙂'],
    [served('decimal', { step: 0.1 }), '0.3'],
    [served('decimal'), '-12.75'],
    [served('url'), 'https://a.test/?q=ü'],
    [served('tel'), '+353 1 555 0100'],
    [served('multiselect', { free: true }), []],
    [served('text'), 'a\u200db'],
    [served('textarea'), 'a\r\nb\u202e'],
    [served('date'), '2026-02-03'],
  ])('browser validation accepts, for the field %j, the value %j', (field, typed) => {
    expect(violationOf(field, typed)).toBeUndefined()
  })
})

test('a stored value that predates its pattern is valid until changed', () => {
  const [line, tags] = [served('text'), served('multiselect', { free: true })]
  expect(violationOf(line, 'a\u202eb', 'a\u202eb')).toBeUndefined()
  expect(violationOf(line, 'a\u202ec', 'a\u202eb')).toBeDefined()
  expect(violationOf(tags, ['a\tb', 'c'], ['a\tb'])).toBeUndefined()
  expect(violationOf(tags, ['a\tb', 'c\td'], ['a\tb'])).toBeDefined()
})

describe('another server, which sends no rules', () => {
  test('a stored value of another server is valid until changed', () => {
    const amount: FormField = { name: 'it', label: 'It', type: 'number', max: 10 }
    expect(violationOf(amount, '12', '12')).toBeUndefined()
    expect(violationOf(amount, '13', '12')).toBe('It must be at most 10.')
  })

  test.each<[Partial<FormField>, string, string | undefined]>([
    [{ type: 'integer', min: 1 }, '0', 'It must be at least 1.'],
    [{ type: 'decimal' }, 'x', 'Enter a number, such as 6 or 1.5.'],
    [{ type: 'text' }, 'x'.repeat(10_000), undefined],
    [{ type: 'url' }, 'anything', undefined],
    [{ type: 'text', rules: { pattern: '(' } }, 'anything', undefined],
  ])('rules derived from the metadata %j check the value %j', (over, typed, words) => {
    expect(violationOf({ name: 'it', label: 'It', type: 'text', ...over }, typed)).toBe(words)
  })
})
