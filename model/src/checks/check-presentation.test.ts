import { describe, expect, test } from 'vitest'
import type { Field } from '#definition/fields.ts'
import type { Model } from '#definition/model.ts'
import type { Presentation, RelatedCount } from '#definition/presentation.ts'
import { np } from '#definition/privacy.ts'
import { mistakesIn, organisations, parts, things, withField, wrong } from './invalid-models.ts'

const shown: Model = {
  ...things,
  fields: {
    ...things.fields,
    story: { type: 'textarea', label: 'Story', privacy: np },
    secret: { type: 'text', label: 'Secret', hidden: true, privacy: np },
    ...Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [
        `size${index}`,
        { type: 'integer', label: 'Size', privacy: np } as const,
      ]),
    ),
  },
}
const listed: Model = {
  ...parts,
  fields: {
    ...parts.fields,
    thing: {
      type: 'relation',
      label: 'Thing',
      to: 'things',
      onDelete: 'cascade',
      immutable: true,
      covers: ['done'],
      privacy: np,
    },
    done: { type: 'boolean', label: 'Done', privacy: np },
    story: { type: 'markdown', label: 'Story', privacy: np },
  },
}

const mistakesOf = (presentation: Presentation, part: Partial<Model> = {}) =>
  mistakesIn([organisations, { ...shown, ...presentation }, { ...listed, ...part }])

const count: RelatedCount = {
  related: 'parts.thing',
  where: { all: [['done', 'eq', false]] },
  label: 'open parts',
}
const counting = (changes: Partial<RelatedCount>): Presentation => ({
  glance: [{ ...count, ...changes }],
})
const timeline = { model: 'parts', by: 'thing', text: 'note', author: 'done' }

test('a valid presentation is accepted', () => {
  const presentation: Presentation = {
    icon: 'hdd-stack',
    summary: ['email', 'organisation'],
    list: {
      columns: ['name', 'email', 'size0', 'size1', 'size2', 'size3', 'size4', 'size5'],
      phone: ['name', 'owner'],
      reader: ['name', 'organisation'],
      empty: 'No things yet.',
    },
    glance: [{ field: 'size0' }, count, { related: 'parts.thing', label: 'parts' }],
    sections: [
      { title: 'Thing', fields: ['name', 'story'] },
      { title: 'Owner', fields: ['email', 'owner', 'organisation'] },
    ],
    related: [{ model: 'parts', by: 'thing', columns: ['note', 'done'] }],
    timeline: { ...timeline, note: 'done' },
  }
  expect(mistakesOf(presentation)).toEqual([])
})

test('a long display field may be a column, and the text of a timeline', () => {
  const note = { type: 'textarea', label: 'Note', privacy: np } as const
  const fields = { ...listed.fields, note }
  const list = { columns: ['note', 'done'] }
  const related = [{ model: 'parts', by: 'thing', columns: ['note'] }]
  expect(mistakesOf({ related, timeline }, { fields, list })).toEqual([])
})

describe('an invalid presentation', () => {
  const sizes = Array.from({ length: 8 }, (_, index) => `size${index}`)
  const twice = [{ field: 'size0' }, { field: 'size0' }]
  const six = ['name', 'email', 'size0', 'size1', 'size2', 'size3'].map((field) => ({ field }))

  test.each<[sentence: string, presentation: Presentation]>([
    [
      'icon must be the name of a symbol, of lower-case letters, digits and hyphens',
      { icon: '<svg>' },
    ],
    ['summary: unknown field "colour"', { summary: ['colour'] }],
    ['summary: unknown field "toString"', { summary: ['toString'] }],
    ['summary: "secret" must not be hidden from all callers', { summary: ['secret'] }],
    ['summary: "story" must not be a long text', { summary: ['story'] }],
    ['summary: "name" must not be named twice', { summary: ['name', 'name'] }],
    ...(['columns', 'phone', 'reader'] as const).flatMap((key): [string, Presentation][] => [
      [`list ${key}: must be at most 8 fields`, { list: { [key]: ['name', ...sizes] } }],
      [`list ${key}: must contain "name"`, { list: { [key]: ['email'] } }],
      [`list ${key}: must contain "name"`, { list: { [key]: [] } }],
      [`list ${key}: unknown field "colour"`, { list: { [key]: ['name', 'colour'] } }],
      [`list ${key}: "story" must not be a long text`, { list: { [key]: ['name', 'story'] } }],
      [
        `list ${key}: "email" must not be named twice`,
        { list: { [key]: ['name', 'email', 'email'] } },
      ],
    ]),
    ['list empty must not be an empty text', { list: { empty: ' ' } }],
    ['glance must be at most 5 facts', { glance: six }],
    ['glance: unknown field "colour"', { glance: [{ field: 'colour' }] }],
    ['glance: "story" must not be a long text', { glance: [{ field: 'story' }] }],
    ['glance: "size0" must not be named twice', { glance: twice }],
    ['glance must not count "parts.thing open parts" twice', { glance: [count, count] }],
    ['glance "parts.thing": label must not be empty', counting({ label: ' ' })],
    ['glance "bits.thing": unknown model "bits"', counting({ related: 'bits.thing' })],
    [
      'glance "parts.note": "note" of parts must be a relation to things',
      counting({ related: 'parts.note' }),
    ],
    [
      'glance "things.organisation": "organisation" of things must be a relation to things',
      counting({ related: 'things.organisation' }),
    ],
    [
      'glance "parts": "" of parts must be a relation to things',
      counting({ related: wrong('parts') }),
    ],
    [
      'glance "parts.thing": filter: unknown field "colour"',
      counting({ where: { all: [['colour', 'eq', 'red']] } }),
    ],
    [
      'glance "parts.thing": filter value of "done" must fit boolean',
      counting({ where: { all: [['done', 'eq', 'yes']] } }),
    ],
    [
      'glance "parts.thing": filter must have at least one condition',
      counting({ where: { all: [] } }),
    ],
    [
      'glance "parts.thing": where uses "note", which the relation’s covers must contain',
      counting({ where: { all: [['note', 'empty', true]] } }),
    ],
    ['section title must not be empty', { sections: [{ title: '', fields: ['name'] }] }],
    [
      'section "Thing" must not be there twice',
      {
        sections: [
          { title: 'Thing', fields: ['name'] },
          { title: 'Thing', fields: ['email'] },
        ],
      },
    ],
    [
      'section "Other" is reserved for fields in no section',
      { sections: [{ title: 'Other', fields: ['name'] }] },
    ],
    ['section "Thing" must have a field', { sections: [{ title: 'Thing', fields: [] }] }],
    ['sections: unknown field "colour"', { sections: [{ title: 'Thing', fields: ['colour'] }] }],
    [
      'sections: "name" must be in one section only',
      {
        sections: [
          { title: 'Thing', fields: ['name'] },
          { title: 'More', fields: ['email', 'name'] },
        ],
      },
    ],
    [
      'sections: "name" must be in one section only',
      { sections: [{ title: 'Thing', fields: ['name', 'name'] }] },
    ],
    [
      'related "bits.thing": unknown model "bits"',
      { related: [{ model: 'bits', by: 'thing', columns: ['note'] }] },
    ],
    [
      'related "parts.done": "done" of parts must be a relation to things',
      { related: [{ model: 'parts', by: 'done', columns: ['note'] }] },
    ],
    [
      'related "parts.thing": columns: unknown field "colour"',
      { related: [{ model: 'parts', by: 'thing', columns: ['note', 'colour'] }] },
    ],
    [
      'related "parts.thing": columns: "story" must not be a long text',
      { related: [{ model: 'parts', by: 'thing', columns: ['note', 'story'] }] },
    ],
    [
      'related "parts.thing": columns: must contain "note"',
      { related: [{ model: 'parts', by: 'thing', columns: ['done'] }] },
    ],
    ['timeline: unknown model "bits"', { timeline: { ...timeline, model: 'bits' } }],
    [
      'timeline: "done" of parts must be a relation to things',
      { timeline: { ...timeline, by: 'done' } },
    ],
    ['timeline: unknown field "colour"', { timeline: { ...timeline, text: 'colour' } }],
    ['timeline: unknown field "colour"', { timeline: { ...timeline, author: 'colour' } }],
    ['timeline: "story" must not be a long text', { timeline: { ...timeline, text: 'story' } }],
    ['timeline: note must name a boolean field', { timeline: { ...timeline, note: 'note' } }],
    ['timeline: note must name a boolean field', { timeline: { ...timeline, note: 'colour' } }],
  ])('a presentation is rejected: %s', (sentence, presentation) => {
    expect(mistakesOf(presentation)).toEqual([`things: ${sentence}`])
  })

  test('related lists and timelines are rejected if no index serves newest first', () => {
    const presentation: Presentation = {
      related: [{ model: 'parts', by: 'thing', columns: ['note'] }],
      timeline,
    }
    const reason = 'parts must have no defaultSort: the relation’s index serves newest first only'
    const sorted = { type: 'integer', label: 'Rank', sortable: true, scopedSort: true } as const
    const fields = { ...listed.fields, rank: { ...sorted, required: true, privacy: np } }
    expect(mistakesOf(presentation, { fields, defaultSort: 'rank' })).toEqual([
      `things: related "parts.thing": ${reason}`,
      `things: timeline: ${reason}`,
    ])
  })

  test.each<[how: string, changes: Partial<Field>]>([
    ['hidden', { hidden: true }],
    ['computed when read', { computed: 'sql' }],
  ])('counts, related lists and timelines are rejected if the relation is %s', (_how, changes) => {
    const thing = { ...listed.fields['thing'], ...changes } as Field
    const presentation: Presentation = {
      glance: [count],
      related: [{ model: 'parts', by: 'thing', columns: ['note'] }],
      timeline,
    }
    const mistakes = mistakesOf(presentation, { fields: { ...listed.fields, thing } })
    expect(mistakes.filter((mistake) => mistake.startsWith('things: '))).toEqual([
      'things: glance "parts.thing": "thing" must be stored and visible',
      'things: related "parts.thing": "thing" must be stored and visible',
      'things: timeline: "thing" must be stored and visible',
    ])
  })
})

describe('reading pages', () => {
  const code = { type: 'text', label: 'Code', required: true, unique: true, privacy: np } as const
  const withCode = (changes: Partial<Field>) =>
    mistakesIn([
      organisations,
      {
        ...shown,
        fields: { ...shown.fields, code: { ...code, ...changes } as Field },
        pages: { kind: 'reading', by: 'code' },
      },
      listed,
    ])

  test('are accepted by a text that is required and unique, or null', () => {
    expect(withCode({})).toEqual([])
    expect(mistakesOf({ pages: null })).toEqual([])
  })

  test.each<[how: string, changes: Partial<Field>, mistake: string]>([
    ['not unique', { unique: false }, 'must be a stored text that is required and unique'],
    ['optional', { required: false }, 'must be a stored text that is required and unique'],
    ['visible to staff only', { visibleTo: 'admin' }, 'must be visible to everyone'],
  ])('are rejected by a field that is %s', (_how, changes, mistake) => {
    expect(withCode(changes)).toContain(`things: pages: "code" ${mistake}`)
  })

  test('are rejected by an unknown field or of another kind', () => {
    expect(mistakesOf({ pages: { kind: 'reading', by: 'nothing' } })).toEqual([
      'things: pages: unknown field "nothing"',
    ])
    expect(mistakesOf({ pages: { kind: wrong('map'), by: 'name' } })).toContain(
      'things: pages: kind must be "reading"',
    )
  })
})

test('a field of an unknown type is reported once, not by the presentation', () => {
  const fields = withField('size', { type: wrong('colour') })
  const list = { columns: ['name', 'size'] }
  expect(mistakesIn([organisations, { ...things, ...fields, list }])).toEqual([
    expect.stringContaining('things: field "size"'),
  ])
})
