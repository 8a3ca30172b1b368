import { describe, expect, test } from 'vitest'
import type { Field } from '#definition/fields.ts'
import type { Model } from '#definition/model.ts'
import { BASES, np, personal, PURPOSES } from '#definition/privacy.ts'
import {
  mistakesIn,
  mistakesOf,
  organisations,
  parts,
  relation,
  things,
  withField,
  wrong,
} from './invalid-models.ts'

describe('invalid privacy subjects', () => {
  const says = (subject: Model['privacy']['subject']) => ({ ...things.privacy, subject })

  test.each<[sentence: string, invalid: Partial<Model>]>([
    [
      'privacy must be declared: subject, retention, onErase',
      // As in a site that was never compiled.
      Object.assign<Partial<Model>, object>({}, { privacy: undefined }),
    ],
    [
      'privacy.subject must lead to an email address or a sub, because fields are personal',
      { privacy: says('none') },
    ],
    [
      'privacy.subject email "name" must be a field of type email',
      { privacy: says({ email: 'name' }) },
    ],
    [
      'privacy.subject email "colour" must be a field of type email',
      { privacy: says({ email: 'colour' }) },
    ],
    [
      'privacy.subject sub "email" must be a field of type text',
      { privacy: says({ sub: 'email' }) },
    ],
    [
      'privacy.subject email "email" must be personal, or erasure would leave it behind',
      withField('email', { privacy: np }),
    ],
    [
      'privacy.subject sub "name" must be personal, or erasure would leave it behind',
      { privacy: says({ sub: 'name' }) },
    ],
    [
      'privacy.subject via "name" must be a relation to a model',
      { privacy: says({ via: 'name' }) },
    ],
    [
      'privacy.subject via "organisation" must lead to an email address or a sub; organisations has neither',
      { privacy: says({ via: 'organisation' }) },
    ],
    [
      'privacy.retention "forever" is unknown',
      { privacy: { ...says({ email: 'email' }), retention: wrong('forever') } },
    ],
    [
      'privacy.onErase "hash" is unknown',
      { privacy: { ...says({ email: 'email' }), onErase: wrong('hash') } },
    ],
  ])('a privacy subject is rejected: %s', (sentence, invalid) => {
    expect(mistakesOf(invalid)).toEqual([`things: ${sentence}`])
  })

  test('a privacy subject is rejected if its path is a cycle', () => {
    const fields = { ...parts.fields, part: relation('parts') }
    const invalid = { ...parts, fields, privacy: { ...parts.privacy, subject: { via: 'part' } } }
    expect(mistakesIn([organisations, things, invalid])).toEqual([
      'parts: privacy.subject via "part" must not be circular',
    ])
  })
})

test('an error further along a privacy subject’s path is reported once, for its own model', () => {
  const invalid = { ...things, privacy: { ...things.privacy, subject: { via: 'colour' } } }
  expect(mistakesIn([organisations, invalid, parts])).toEqual([
    'things: privacy.subject via "colour" must be a relation to a model',
  ])
})

test('every purpose has one of the legal bases', () => {
  for (const { basis } of Object.values(PURPOSES)) expect(Object.keys(BASES)).toContain(basis)
})

describe('invalid privacy of a field', () => {
  const data = personal('contact', ['delivery'])
  const erasing = (erase: string) => ({ ...data, erase: wrong<'null'>(erase) })

  test.each<[sentence: string, invalid: Partial<Field>]>([
    ['privacy must be declared; use np if nothing is personal', { privacy: wrong(undefined) }],
    ['unknown category "taste"', { privacy: personal(wrong('taste'), ['delivery']) }],
    [
      'unknown source "rumour"',
      { privacy: personal('contact', ['delivery'], { source: wrong('rumour') }) },
    ],
    ['personal data needs a purpose', { privacy: personal('contact', []) }],
    ['personal data needs a purpose', { privacy: personal('contact', wrong(undefined)) }],
    ['unknown purpose "fun"', { privacy: personal('contact', [wrong('fun')]) }],
    [
      'purpose "marketing" rests on consent, so retention must be consent or technical',
      { privacy: personal('contact', ['marketing']) },
    ],
    [
      'unknown retention "forever"',
      { privacy: personal('contact', ['delivery'], { retention: wrong('forever') }) },
    ],
    [
      'retention must not be longer than the record’s',
      { privacy: personal('contact', ['analytics'], { retention: 'consent' }) },
    ],
    ['unknown erase operation "hash"', { privacy: erasing('hash') }],
    [
      'erase: null is not possible for a sequence',
      { type: 'integer', sequence: true, privacy: erasing('null') },
    ],
    ['erase: redact is for text only', { type: 'email', privacy: erasing('redact') }],
    ['erase: pseudonym is for text only', { type: 'tel', privacy: erasing('pseudonym') }],
    [
      'erase: redact is not possible for a unique field',
      { unique: true, privacy: erasing('redact') },
    ],
    [
      'erase: pseudonym is not possible for a unique field',
      { unique: true, privacy: erasing('pseudonym') },
    ],
    ['a personal file field needs erase: file', { type: 'file', privacy: erasing('null') }],
    ['erase: unlink is for relations only', { privacy: erasing('unlink') }],
    ['erase: file is for files only', { privacy: erasing('file') }],
    [
      'erase: unlink is not possible for a required field',
      {
        ...relation('organisations'),
        onDelete: 'restrict',
        required: true,
        privacy: erasing('unlink'),
      },
    ],
    ['erase: row is for the model’s onErase only', { privacy: erasing('row') }],
    [
      'freeText is for text only',
      { type: 'email', privacy: personal('contact', ['delivery'], { freeText: true }) },
    ],
  ])('the privacy of a field is rejected: %s', (sentence, invalid) => {
    expect(mistakesOf(withField('field', invalid))).toEqual([`things: field "field": ${sentence}`])
  })

  test('a field is rejected if it inherits an erase operation unsuitable for its type', () => {
    const privacy = { ...things.privacy, onErase: 'redact' } as const
    expect(mistakesOf({ privacy })).toEqual([
      'things: field "email": erase: redact is for text only',
    ])
  })
})

test('technical data may serve a purpose based on consent', () => {
  const privacy = personal('technical', ['analytics'], { retention: 'technical' })
  expect(mistakesOf(withField('field', { privacy }))).toEqual([])
})

test('a field’s retention may equal its record’s or be shorter', () => {
  for (const retention of ['customer', 'relationship', 'prospect', 'transient'] as const) {
    const privacy = personal('contact', ['delivery'], { retention })
    expect(mistakesOf(withField('field', { privacy }))).toEqual([])
  }
})

test('an unknown retention of the model is reported once, regardless of its fields', () => {
  const privacy = { ...things.privacy, retention: wrong<'customer'>('forever') }
  const field = { privacy: personal('contact', ['delivery'], { retention: 'prospect' }) }
  expect(mistakesOf({ privacy, ...withField('field', field) })).toEqual([
    'things: privacy.retention "forever" is unknown',
  ])
})
