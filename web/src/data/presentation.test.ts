import { expect, test } from 'vitest'
import { readDefinitions } from './definitions.ts'
import { pageLayoutOf } from '#records/detail/page-layout.ts'
import { presentationOf } from './presentation.ts'

const NOTHING = {
  summary: [],
  list: {},
  glance: [],
  sections: null,
  related: [],
  timeline: null,
}
const WELL_FORMED = {
  icon: 'lamp',
  summary: ['colour'],
  list: { columns: ['title', 'colour'], phone: ['colour'], empty: 'No things yet.' },
  glance: [{ field: 'colour' }, { related: 'parts.thing', label: 'open' }],
  sections: [{ title: 'Look', fields: ['colour'] }],
  related: [{ model: 'parts', by: 'thing', columns: ['name'] }],
  timeline: { model: 'notes', by: 'thing', text: 'body', author: 'from' },
}

function read(keys: object) {
  const { definitions } = readDefinitions(
    JSON.stringify([
      {
        path: 'things',
        viewData: {
          title: 'Things',
          displayField: 'title',
          fields: [{ name: 'title' }, { name: 'colour' }],
        },
        ...keys,
      },
    ]),
  )
  const [definition] = definitions
  if (!definition) throw new Error('no definition')
  return { ...presentationOf(definition), ...pageLayoutOf(definition) }
}

test('well-formed presentation keys are read', () => {
  expect(read(WELL_FORMED)).toEqual(WELL_FORMED)
})

test('a definition without presentation keys has none', () => {
  expect(read({})).toEqual(NOTHING)
})

test.each([
  { icon: 7 },
  { icon: null },
  { summary: 'colour' },
  { summary: ['weight'] },
  { list: 'all' },
  { list: { columns: [] } },
  { list: { columns: ['title', 'weight'] } },
  { list: { columns: [{ name: 'title' }], phone: 'colour', empty: 3 } },
  { glance: {} },
  { glance: [{ field: 'weight' }] },
  { glance: [{ field: 'colour' }, null] },
  { glance: [{ related: 'parts', label: 'open' }] },
  { sections: [{ title: 'Look' }] },
  { sections: [{ title: '', fields: ['colour'] }] },
  {
    sections: [
      { title: 'A', fields: ['colour'] },
      { title: 'B', fields: ['colour'] },
    ],
  },
  { related: [{ model: 'parts', by: 'thing' }] },
  { related: [7] },
  { timeline: { model: 'notes' } },
  { timeline: [] },
])('malformed presentation keys count as absent: %j', (keys) => {
  expect(read(keys)).toEqual(NOTHING)
})
