import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { requestsIn, clearFeedback, renderSite, stubServer } from '../../../test/kit.tsx'

const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  trash: true,
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'title', label: 'Title', type: 'text' },
      { name: 'owner', label: 'Owner', type: 'relation', to: 'people' },
    ],
  },
}
const page = (items: object[]) => ({ items, next: null, previous: null, total: null })
const lamp = { id: 'x1', title: 'Lamp', owner: 'p1', labels: { owner: 'Ada' } }
const at = `/things?filter=${encodeURIComponent(JSON.stringify({ all: [['owner', 'in', ['p1', 'p2']]] }))}`
const chip = () => document.querySelector('.chip b')?.textContent

afterEach(clearFeedback)

test('a filtered list requests only the names its own records lack', async () => {
  const calls = stubServer({
    'GET /api/things': page([lamp]),
    'GET /api/people/p2': { id: 'p2', name: 'Bob' },
  })
  await renderSite(things, at)
  await screen.findByRole('link', { name: 'Lamp' })
  expect(chip()).toMatch(/Ada.*Bob/)
  expect(requestsIn(calls).filter((one) => one.includes('people'))).toEqual(['GET /api/people/p2'])
})

test.each([
  ['a missing record', new Response(null, { status: 404 })],
  ['a server that fails', new Response(null, { status: 503 })],
  ['a network that fails', new Error('offline')],
])(
  'a filter’s related record is shown by its id, and the list loads, with %s',
  async (_what, answer) => {
    stubServer({ 'GET /api/things': page([lamp]), 'GET /api/people/p2': answer })
    await renderSite(things, at)
    await screen.findByRole('link', { name: 'Lamp' })
    expect(chip()).toMatch(/Ada.*p2/)
  },
)

test('a chosen related record is named before the list has loaded', async () => {
  let isHeld = false
  stubServer({
    'GET /api/things': () => (isHeld ? new Promise(() => {}) : page([])),
    'GET /api/people': page([{ id: 'p1', name: 'Ada' }]),
  })
  await renderSite(things, '/things')
  await userEvent.click(await screen.findByRole('button', { name: /Filter/ }))
  const [field] = await screen.findAllByRole('combobox', { name: 'Field' })
  await userEvent.selectOptions(field!, 'Owner')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Ada' }))
  isHeld = true
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }))
  const bar = within(screen.getByRole('search'))
  expect(await bar.findByText(/Ada/, { selector: '.chip b' })).toBeDefined()
})
