import { expect, test } from 'vitest'
import { overrideMessages } from './override-messages.ts'

const messages = {
  rows: 'Rows per page',
  search: (title: string) => `Search ${title}`,
  parts: { filters: 'the filters', editor: 'the editor' },
}

test('a site replaces single messages, including those in a group, and keeps the others', () => {
  const own = { rows: 'Lines', parts: { editor: 'the form' } }
  expect(overrideMessages(messages, own, 'list')).toEqual({
    ...messages,
    rows: 'Lines',
    parts: { filters: 'the filters', editor: 'the form' },
  })
})

test.each([
  [{ lines: 'Lines' }, 'There is no message list.lines'],
  [{ parts: { menu: 'the menu' } }, 'There is no message list.parts.menu'],
  [{ search: 'Search' }, 'list.search must be a function'],
  [{ parts: 'parts' }, 'list.parts must be a group of messages'],
  [{ rows: { one: 'Row' } }, 'list.rows must be a string'],
])('the message override %j is rejected: %s', (own, sentence) => {
  expect(() => overrideMessages(messages, own, 'list')).toThrow(sentence)
})
