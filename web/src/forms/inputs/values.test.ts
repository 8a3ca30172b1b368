import { FIELD_TYPES, type FieldType } from '@gatehouse/model'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { storedValues } from '../../../test/stored-values.ts'
import { typeOf } from './types.ts'
import { fromFormData, fromInput, startValues, toBody, toInput, type FormField } from './values.ts'

const field = (type: string, over: Partial<FormField> = {}): FormField => ({
  name: 'it',
  label: 'It',
  type,
  // Without it, `file` is another server’s.
  ...(type === 'file' ? { max: 2 } : {}),
  ...over,
})

const TYPES = Object.keys(FIELD_TYPES) as FieldType[]

describe('a form saved unchanged sends the stored values', () => {
  test.each(TYPES)('[DYN-07] a form saved unchanged sends a %s as our API stores it', (type) => {
    fc.assert(
      fc.property(fc.option(storedValues(type)), (value) => {
        expect(fromInput(field(type), toInput(field(type), value), value)).toStrictEqual(value)
      }),
    )
  })

  test.each([...TYPES, 'colour'])(
    '[DYN-07] a form saved unchanged sends a %s as another server stores it',
    (type) => {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          expect(fromInput(field(type), toInput(field(type), value), value)).toStrictEqual(value)
        }),
      )
    },
  )
})

test('[DYN-07] a value that can’t be converted to text is shown as JSON', () => {
  const odd = { toString: null }
  expect(toInput(field('text'), odd)).toBe('{"toString":null}')
  expect(toInput(field('multiselect'), [odd])).toEqual(['{"toString":null}'])
})

describe('input converted for the API', () => {
  test.each<[string, string | boolean | string[], unknown]>([
    ['text', 'a', 'a'],
    ['textarea', 'a\nb', 'a\nb'],
    ['markdown', '# a', '# a'],
    ['email', 'a@b.test', 'a@b.test'],
    ['tel', '+353 1', '+353 1'],
    ['url', 'https://a.test', 'https://a.test'],
    ['integer', '42', 42],
    ['integer', '0', 0],
    ['decimal', '-1.5', -1.5],
    ['boolean', true, true],
    ['boolean', false, false],
    ['date', '2026-02-03', '2026-02-03'],
    ['select', 'one', 'one'],
    ['multiselect', ['a', 'b'], ['a', 'b']],
    ['multiselect', [], []],
    ['file', ['some-id'], ['some-id']],
    ['file', [], []],
    ['relation', 'some-id', 'some-id'],
    ['colour', 'red', 'red'],
  ])('[DYN-07] input of a %s field is converted for the API: %j', (type, typed, value) => {
    expect(fromInput(field(type), typed)).toEqual(value)
  })

  test.each(TYPES.filter((type) => !['boolean', 'array'].includes(FIELD_TYPES[type].json)))(
    '[DYN-07] an emptied %s input is sent as null',
    (type) => {
      expect(fromInput(field(type), '', '2026-01-02T03:04:05Z')).toBeNull()
    },
  )

  test('[DYN-07] a field `file` of a server that doesn’t say how many is a line of text', () => {
    const foreign: FormField = { name: 'it', label: 'It', type: 'file' }
    expect(toInput(foreign, 'report.pdf')).toBe('report.pdf')
    expect(fromInput(foreign, 'other.pdf', 'report.pdf')).toBe('other.pdf')
  })

  test('[DYN-07] an entered date and time is in the author’s time zone', () => {
    const typed = '2026-07-01T09:30'
    expect(fromInput(field('datetime'), typed)).toBe(new Date(2026, 6, 1, 9, 30).toISOString())
    expect(toInput(field('datetime'), fromInput(field('datetime'), typed))).toBe(typed)
  })

  test.each(['integer', 'decimal', 'datetime'])(
    '[DYN-08] unparsable %s input is sent unchanged, so that the server reports the error',
    (type) => {
      expect(fromInput(field(type), 'soon')).toBe('soon')
    },
  )

  test('[DYN-07] a value changed back to the original is sent as stored', () => {
    const at = '2026-07-01T09:30:15.123Z'
    expect(fromInput(field('datetime'), toInput(field('datetime'), at), at)).toBe(at)
  })
})

test('[DYN-07] a date that another server stores as an instant is shown as that date', () => {
  expect(toInput(field('date'), '2026-02-03T00:00:00.000Z')).toBe('2026-02-03')
})

test('[DYN-07] an unknown field type is text, even if it is a property of every object', () => {
  expect(typeOf(field('colour'))).toBe('text')
  expect(typeOf(field('constructor'))).toBe('text')
})

test('[API-05] a request body holds the form’s fields and no others of the record', () => {
  const fields = [field('text', { name: 'title' }), field('integer', { name: 'amount' })]
  expect(
    toBody(fields, { title: 'New', amount: '2' }, { id: 7, title: 'Old', amount: 2, secret: 1 }),
  ).toEqual({ title: 'New', amount: 2 })
})

test('[API-05] an update sends every field as the form shows it, even if the record lacks it; an empty password is left out', () => {
  const fields = ['text', 'integer', 'boolean', 'multiselect', 'color', 'range', 'date'].map(
    (type) => field(type, { name: type }),
  )
  const password = field('password', { name: 'password' })
  const all = [...fields, password]
  const loaded = { id: 7, text: 'Lamp' }
  const shown = {
    text: 'Lamp',
    integer: null,
    boolean: false,
    multiselect: [],
    color: '#000000',
    range: 50,
    date: null,
  }
  expect(toBody(all, startValues(all, loaded), loaded)).toEqual(shown)
  expect(
    toBody(all, { ...startValues(all, loaded), password: 'new', integer: '3' }, loaded),
  ).toEqual({ ...shown, integer: 3, password: 'new' })
})

test('[DYN-13] a native form post is parsed by field types, without missing fields', () => {
  const data = new FormData()
  data.append('title', 'A')
  data.append('amount', '3')
  data.append('on', 'on')
  data.append('tags', 'x')
  data.append('tags', 'y')
  data.append('stranger', '1')
  const fields = [
    field('text', { name: 'title' }),
    field('integer', { name: 'amount' }),
    field('boolean', { name: 'on' }),
    field('boolean', { name: 'absent' }),
    field('multiselect', { name: 'tags' }),
  ]
  expect(fromFormData(fields, data)).toEqual({
    title: 'A',
    amount: 3,
    on: true,
    tags: ['x', 'y'],
  })
})
