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
} from './spoil.ts'

describe('the person behind a row is not found when', () => {
  const says = (subject: Model['privacy']['subject']) => ({ ...things.privacy, subject })

  test.each<[sentence: string, spoiled: Partial<Model>]>([
    [
      'holds personal fields, so privacy.subject must say whose they are, down to an e-mail address or a sub',
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
      'privacy.subject email "email" must be personal itself, or erasing somebody would leave it',
      withField('email', { privacy: np }),
    ],
    [
      'privacy.subject sub "name" must be personal itself, or erasing somebody would leave it',
      { privacy: says({ sub: 'name' }) },
    ],
    [
      'privacy.subject via "name" must be a relation to a model',
      { privacy: says({ via: 'name' }) },
    ],
    [
      'privacy.subject via "organisation" ends in organisations, which has no e-mail address and no sub',
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
  ])('%s', (sentence, spoiled) => {
    expect(mistakesOf(spoiled)).toEqual([`things: ${sentence}`])
  })

  test('the path runs in a circle', () => {
    const fields = { ...parts.fields, part: relation('parts') }
    const spoiled = { ...parts, fields, privacy: { ...parts.privacy, subject: { via: 'part' } } }
    expect(mistakesIn([organisations, things, spoiled])).toEqual([
      'parts: privacy.subject via "part" runs in a circle',
    ])
  })
})

test('a mistake further along the path is told once, where it is', () => {
  const spoiled = { ...things, privacy: { ...things.privacy, subject: { via: 'colour' } } }
  expect(mistakesIn([organisations, spoiled, parts])).toEqual([
    'things: privacy.subject via "colour" must be a relation to a model',
  ])
})

test('every purpose has one of the legal bases', () => {
  for (const { basis } of Object.values(PURPOSES)) expect(Object.keys(BASES)).toContain(basis)
})

describe('the privacy of a field is refused when it', () => {
  const data = personal('contact', ['delivery'])
  const erasing = (erase: string) => ({ ...data, erase: wrong<'null'>(erase) })

  test.each<[sentence: string, spoiled: Partial<Field>]>([
    [
      'has no privacy annotation; write np where it holds nothing personal',
      { privacy: wrong(undefined) },
    ],
    ['has the unknown category "taste"', { privacy: personal(wrong('taste'), ['delivery']) }],
    [
      'has the unknown source "rumour"',
      { privacy: personal('contact', ['delivery'], { source: wrong('rumour') }) },
    ],
    ['is personal, so it needs a purpose', { privacy: personal('contact', []) }],
    ['is personal, so it needs a purpose', { privacy: personal('contact', wrong(undefined)) }],
    ['has the unknown purpose "fun"', { privacy: personal('contact', [wrong('fun')]) }],
    [
      'serves "marketing", which rests on consent, so it must be kept as consent or technical',
      { privacy: personal('contact', ['marketing']) },
    ],
    [
      'has the unknown retention "forever"',
      { privacy: personal('contact', ['delivery'], { retention: wrong('forever') }) },
    ],
    [
      'is kept longer than the rest of its record; a field may only be kept shorter',
      { privacy: personal('contact', ['analytics'], { retention: 'consent' }) },
    ],
    ['has the unknown erase operation "hash"', { privacy: erasing('hash') }],
    [
      'erases to null, but a sequence can not be null',
      { type: 'integer', sequence: true, privacy: erasing('null') },
    ],
    ['erases by redact, which needs a text', { type: 'email', privacy: erasing('redact') }],
    ['erases by pseudonym, which needs a text', { type: 'tel', privacy: erasing('pseudonym') }],
    [
      'erases by redact, but is unique: the second person could not be erased',
      { unique: true, privacy: erasing('redact') },
    ],
    [
      'erases by pseudonym, but is unique: the second person could not be erased',
      { unique: true, privacy: erasing('pseudonym') },
    ],
    ['erases by unlink, which needs a relation', { privacy: erasing('unlink') }],
    [
      'erases by unlink, but is required',
      {
        ...relation('organisations'),
        onDelete: 'restrict',
        required: true,
        privacy: erasing('unlink'),
      },
    ],
    ['erases the whole row, which only the model can decide', { privacy: erasing('row') }],
    [
      'is freeText, which needs a text',
      { type: 'email', privacy: personal('contact', ['delivery'], { freeText: true }) },
    ],
  ])('%s', (sentence, spoiled) => {
    expect(mistakesOf(withField('field', spoiled))).toEqual([`things: field "field" ${sentence}`])
  })

  test('inherits an erase operation that does not suit it', () => {
    const privacy = { ...things.privacy, onErase: 'redact' } as const
    expect(mistakesOf({ privacy })).toEqual([
      'things: field "email" erases by redact, which needs a text',
    ])
  })
})

test('a field may serve what rests on consent while it is kept as technical data', () => {
  const privacy = personal('technical', ['analytics'], { retention: 'technical' })
  expect(mistakesOf(withField('field', { privacy }))).toEqual([])
})

test('a field may name the term of its record, or a shorter one', () => {
  for (const retention of ['customer', 'relationship', 'prospect', 'transient'] as const) {
    const privacy = personal('contact', ['delivery'], { retention })
    expect(mistakesOf(withField('field', { privacy }))).toEqual([])
  }
})

test('an unknown term of the model is told once, whatever its fields say', () => {
  const privacy = { ...things.privacy, retention: wrong<'customer'>('forever') }
  const field = { privacy: personal('contact', ['delivery'], { retention: 'prospect' }) }
  expect(mistakesOf({ privacy, ...withField('field', field) })).toEqual([
    'things: privacy.retention "forever" is unknown',
  ])
})
