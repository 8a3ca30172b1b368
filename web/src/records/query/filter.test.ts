import { conditionsOf, FIELD_TYPES, type Condition, type Filter } from '@gatehouse/model'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DefinitionField } from '#data/field.ts'
import { choicesOf, fromDraft, toDraft } from './filter-draft.ts'
import { chipLabel, sentenceOf } from './filter-labels.ts'
import { nextDays, readFilter, toChips, toFilter, writeFilter, type Chip } from './filter.ts'

const fields: DefinitionField[] = Object.keys(FIELD_TYPES).map((type) => ({
  name: type,
  label: `The ${type}`,
  type,
  ...(type === 'select' ? { options: [{ value: 'a', label: 'Active' }, { value: 'b' }] } : {}),
  ...(type === 'relation' ? { to: 'people' } : {}),
  // Without a limit it is a text of another server.
  ...(type === 'file' ? { max: 1 } : {}),
}))
const field = (type: string) => fields.find(({ name }) => name === type)!

const VALUES: Record<string, fc.Arbitrary<string | number | boolean>> = {
  integer: fc.integer(),
  decimal: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
  boolean: fc.boolean(),
  date: fc.constantFrom('2026-02-03', '@today', '@today-7d', '@today+30d'),
  datetime: fc.constantFrom('2026-02-03T10:00:00Z', '@now', '@now-2h', '@now-30d'),
}
const words = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '')

/** Any condition the API accepts. */
const condition = fc.constantFrom(...fields).chain(({ name }) => {
  const value = VALUES[name] ?? words
  const operators = FIELD_TYPES[name as keyof typeof FIELD_TYPES].operators
  return fc.constantFrom(...operators).chain((operator): fc.Arbitrary<Condition> => {
    const values: fc.Arbitrary<unknown> =
      operator === 'empty'
        ? fc.boolean()
        : operator === 'in'
          ? fc.array(value, { minLength: 1, maxLength: 5 })
          : value
    return values.map((one) => [name, operator, one] as Condition)
  })
})
const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc
    .tuple(
      fc.boolean(),
      fc.array(fc.oneof({ maxDepth: 3 }, condition, tie('filter')), { maxLength: 4 }),
    )
    .map(([isAll, parts]) => (isAll ? { all: parts } : { any: parts })),
})).filter

describe('filter and chips', () => {
  test('any filter survives a round trip through a URL and chips', () => {
    fc.assert(
      fc.property(filter, (given) => {
        const chips = toChips(readFilter(writeFilter(given)))
        const back = toFilter(chips)
        expect(toChips(back)).toEqual(chips)
        expect(back ? conditionsOf(back) : []).toEqual(conditionsOf(given))
      }),
    )
  })

  test('a list of conditions survives a round trip through chips', () => {
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1 }), (all) => {
        expect(toFilter(toChips({ all }))).toEqual({ all })
      }),
    )
  })

  test('any condition survives a round trip through the editor', () => {
    fc.assert(
      fc.property(condition, (one) => {
        const draft = toDraft([one], fields)
        expect(draft).not.toBeNull()
        expect(fromDraft(draft!, field(one[0]))).toEqual([one])
      }),
      // Enough runs for every operator of every type with each kind of value.
      { numRuns: 3_000 },
    )
  })

  test('every choice of the filter editor is valid for its type, and creates one chip', () => {
    for (const one of fields)
      for (const choice of choicesOf(one)) {
        const text = VALUES[one.type] ? (one.type === 'boolean' ? 'true' : '7') : 'x'
        const chip = fromDraft({ field: one.name, choice, values: [text] }, one)
        expect(chip, `${one.name} ${choice}`).not.toBeNull()
        expect(toChips(toFilter([chip!]))).toEqual([chip])
        for (const part of chip as Condition[])
          expect(FIELD_TYPES[one.type as 'text'].operators).toContain(part[1])
      }
  })

  test('an incomplete condition creates no chip', () => {
    expect(fromDraft({ field: 'text', choice: 'eq', values: [] }, field('text'))).toBeNull()
    expect(fromDraft({ field: 'text', choice: 'in', values: [] }, field('text'))).toBeNull()
    expect(
      fromDraft({ field: 'integer', choice: 'eq', values: ['x'] }, field('integer')),
    ).toBeNull()
    expect(fromDraft({ field: 'date', choice: 'last', values: ['0'] }, field('date'))).toBeNull()
  })

  test.each([null, '', 'x', '[]', '{}', '{"all":1}', '{"all":[["a"]]}', '{"all":[],"any":[]}'])(
    'an invalid filter is ignored: %s',
    (text) => expect(readFilter(text)).toBeNull(),
  )
})

describe('the text of a filter', () => {
  const names = { 'id-1': 'Harbour & Lyle' }
  const context = { fields, names }
  const say = (...chip: Chip) => {
    const { label, text } = chipLabel(chip, context)
    return `${label} ${text}`
  }

  test.each<[Chip, string]>([
    [[['relation', 'in', ['1', '2', '3', '4', '5', '6']]], 'The relation any of 6'],
    [[['datetime', 'gte', '@now-30d']], 'The datetime last 30 days'],
    [[['date', 'gte', '@today-1d']], 'The date last 1 day'],
    [nextDays('date', 'today', 30), 'The date next 30 days'],
    [[['date', 'eq', '@today']], 'The date is today'],
    [[['date', 'lt', '@today-7d']], 'The date before 7 days ago'],
    [[['datetime', 'gt', '@now+2h']], 'The datetime after 2 hours from now'],
    [[['date', 'lte', '2026-02-03']], 'The date on or before 3 Feb 2026'],
    [[['select', 'in', ['a', 'b']]], 'The select is Active or b'],
    [[['select', 'ne', 'a']], 'The select is not Active'],
    [[['relation', 'eq', 'id-1']], 'The relation is Harbour & Lyle'],
    [[['relation', 'eq', 'id-2']], 'The relation is id-2'],
    [[['integer', 'gte', 5]], 'The integer at least 5'],
    [[['boolean', 'eq', true]], 'The boolean is Yes'],
    [[['text', 'eq', '@me']], 'The text is me'],
    [[['text', 'contains', 'vpn']], 'The text contains “vpn”'],
    [[['text', 'startsWith', 'v']], 'The text starts with “v”'],
    [[['text', 'empty', true]], 'The text is empty'],
    [[['text', 'empty', false]], 'The text is not empty'],
    [[['unheard', 'eq', 'x']], 'unheard is “x”'],
    [
      [
        {
          any: [
            ['integer', 'lt', 5],
            ['boolean', 'eq', false],
          ],
        },
      ],
      'Any of The integer less than 5 or The boolean is No',
    ],
  ])('the filter condition %j has its text', (chip, expected) =>
    expect(say(...chip)).toBe(expected),
  )

  test('a filter is described in one sentence, with every value named', () => {
    const chips: Chip[] = [
      [['select', 'in', ['a', 'b', 'c']]],
      [['datetime', 'gte', '@now-30d']],
      nextDays('date', 'today', 7),
    ]
    expect(sentenceOf({ title: 'Things', q: 'vpn', chips }, context)).toBe(
      'Things where the text contains “vpn”, The select is Active, b or c, The datetime is in the last 30 days and The date is in the next 7 days.',
    )
    expect(sentenceOf({ title: 'Things', q: '', chips: [] }, context)).toBe('All things.')
  })

  test('every filter condition has a text', () => {
    fc.assert(
      fc.property(condition, (one) => {
        expect(say(one)).toMatch(/^The \w+ \S/)
        expect(say(one)).not.toContain('undefined')
      }),
    )
  })
})
