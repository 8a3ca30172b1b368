import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { requestsIn, clearFeedback, renderSite, stubServer } from '../../../test/kit.tsx'

const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'amount', label: 'Amount', type: 'integer' },
      { name: 'title', label: 'Title', type: 'text' },
      { name: 'notes', label: 'Notes', type: 'textarea' },
      { name: 'state', label: 'State', type: 'select', options: [{ value: 'a', label: 'Active' }] },
      { name: 'owner', label: 'Owner', type: 'relation', to: 'people' },
      { name: 'tags', label: 'Tags', type: 'multiselect' },
      { name: 'on', label: 'On', type: 'boolean' },
      { name: 'day', label: 'Day', type: 'date' },
      { name: 'site', label: 'Site', type: 'url' },
      { name: 'mail', label: 'Mail', type: 'email' },
      { name: 'colour', label: 'Colour', type: 'colour' },
    ],
  },
}
const record = {
  id: 'x1',
  title: 'Lamp',
  amount: 0,
  state: 'a',
  owner: 'id-of-ann',
  labels: { owner: 'Ann' },
  tags: ['new', 'old'],
  on: false,
  day: '2026-02-03',
  site: 'javascript:alert(1)',
  mail: null,
  colour: { r: 1 },
}

afterEach(clearFeedback)

async function open(answer: unknown, address = '/things') {
  const calls = stubServer({ 'GET /api/things': answer })
  await renderSite(things, address)
  await screen.findByRole('heading', { level: 1, name: 'Things' })
  return calls
}
const page = (over: object = {}) => ({
  items: [record],
  next: null,
  previous: null,
  total: { count: 1, exact: true },
  ...over,
})
const cells = () => screen.getAllByRole('cell').map((cell) => cell.textContent)

describe('the response of a list', () => {
  test.each([
    ['our own response', page()],
    ['the plain array of another server', [record]],
    ['another server’s array under data', { data: [record], total: 1 }],
    ['another server’s array under results', { results: [record], count: 1 }],
  ])('[API-01] a list accepts %s', async (_what, answer) => {
    await open(answer)
    expect(screen.getByRole('link', { name: 'Lamp' }).getAttribute('href')).toBe('/things/x1')
  })

  test.each([
    ['an empty array', []],
    ['our own response without items', page({ items: [], total: { count: 0, exact: true } })],
    ['null', null],
    ['no content', new Response(null, { status: 204 })],
    ['an empty body', new Response('', { status: 200 })],
  ])('[DYN-06] a list shows No data available for %s', async (_what, answer) => {
    await open(answer)
    expect(screen.getByText('No data available')).toBeDefined()
    expect(screen.queryByRole('table')).toBeNull()
  })

  test.each([
    ['an object of another kind', { hello: 1 }],
    ['rows under another name', { rows: [record] }],
    ['entries that are not records', [null, 7, 'x']],
    ['a text', 'Lamp'],
    ['HTML', new Response('<h1>Lamps</h1>', { status: 200 })],
  ])('[API-01] [ERR-02] a list fails to load if the response is %s', async (_what, answer) => {
    stubServer({ 'GET /api/things': answer })
    await renderSite(things, '/things')
    await screen.findByRole('heading', { name: 'Oops! 500 - Internal Server Error' })
    expect(screen.getByText('The server’s response isn’t a list of records.')).toBeDefined()
    expect(screen.queryByText(/No data available|didn’t respond/)).toBeNull()
  })

  test('[API-01] a relation embedded as a record shows its label, and no other record is read', async () => {
    const { labels: _labels, ...bare } = record
    const calls = await open([{ ...bare, owner: { id: 5, label: 'Ann' } }])
    expect(screen.getByText('Ann')).toBeDefined()
    expect(requestsIn(calls).filter((one) => one.includes('/people'))).toEqual([])
  })

  test('[API-01] a list shows an inexact total as such', async () => {
    await open(page({ total: { count: 1000, exact: false } }))
    expect(screen.getByText(/^1.?000\+$/)).toBeDefined()
  })

  test('[API-01] a list without a total, as from another server, shows none', async () => {
    await open(page({ total: 17 }))
    expect(screen.queryByText('17')).toBeNull()
    expect(screen.getByRole('table')).toBeDefined()
  })
})

describe('the content of a list', () => {
  test('[DYN-02] a list shows the display field first, then the fields of the response, each under its label', async () => {
    await open(page())
    expect(screen.getAllByRole('columnheader').map((one) => one.textContent)).toEqual([
      'Title',
      'Amount',
      'State',
      'Owner',
      'Tags',
      'On',
      'Day',
      'Site',
      'Mail',
      'Colour',
      'Actions',
    ])
  })

  test('[DYN-15] a list formats values for reading', async () => {
    await open(page())
    expect(cells().slice(0, 10)).toEqual([
      'Lamp',
      '0',
      'Active',
      'Ann',
      'new, old',
      'No',
      expect.stringMatching(/3 Feb 2026/),
      'javascript:alert(1)',
      '–empty',
      '{"r":1}',
    ])
  })

  test('[DYN-15] a list links only http(s) values', async () => {
    await open(page())
    const row = within(screen.getAllByRole('row')[1]!)
    expect(row.getAllByRole('link').map((one) => one.getAttribute('href'))).toEqual(['/things/x1'])
  })

  test('a row’s menu opens immediately, and its actions follow', async () => {
    await open(page())
    fireEvent.click(screen.getByRole('button', { name: 'Actions for Lamp' }))
    expect(screen.getByRole('dialog', { name: 'Actions for Lamp' })).toBeDefined()
    expect(await screen.findByRole('link', { name: 'Open Lamp' })).toBeDefined()
  })

  test('[DYN-13] a row’s record is deleted only after confirmation', async () => {
    const calls = await open(page())
    fireEvent.click(screen.getByRole('button', { name: 'Actions for Lamp' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Delete now' }))
    await screen.findByRole('dialog', { name: 'Delete Lamp?' })
    expect(requestsIn(calls).some((one) => one.startsWith('DELETE'))).toBe(false)
  })

  test('[DYN-15] a record without a display value is shown by its id', async () => {
    await open([{ id: 0, amount: 1 }])
    expect(screen.getByRole('link', { name: '0' }).getAttribute('href')).toBe('/things/0')
  })

  test('[API-01] a list links to the next and previous page and keeps the rest of the query', async () => {
    await open(page({ next: 'n&1', previous: 'p1' }), '/things?sort=title&after=old')
    expect(screen.getByRole('link', { name: 'Next' }).getAttribute('href')).toBe(
      '/things?sort=title&after=n%261',
    )
    expect(screen.getByRole('link', { name: 'Previous' }).getAttribute('href')).toBe(
      '/things?sort=title&before=p1',
    )
  })

  test('[API-01] a list of a single page has no page links', async () => {
    await open(page())
    expect(screen.queryByRole('navigation')).toBeNull()
  })
})

describe('columns that the server names', () => {
  const named = {
    ...things,
    list: { columns: ['state', 'title', 'day'], phone: ['day'], empty: 'No things here.' },
  }
  const openNamed = async (answer: unknown) => {
    stubServer({ 'GET /api/things': answer })
    await renderSite(named, '/things')
    await screen.findByRole('heading', { level: 1, name: 'Things' })
  }
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

  test('a list shows the columns its definition names, in their order', async () => {
    await openNamed(page())
    expect(heads()).toEqual(['State', 'Title', 'Day', 'Actions'])
    expect(screen.getByRole('link', { name: 'Lamp' })).toBeDefined()
  })

  test('a phone shows the fields its definition names first', async () => {
    await openNamed(page())
    const [, shown, , hidden] = screen.getAllByRole('cell').map(({ className }) => className)
    expect([shown, hidden]).toEqual(['c-main', 'c-act'])
    expect(screen.getByText('3 Feb 2026').className).toContain('m2')
  })

  test('columns that name an unknown field count as absent', async () => {
    stubServer({ 'GET /api/things': page() })
    await renderSite({ ...things, list: { columns: ['title', 'weight'] } }, '/things')
    await screen.findByRole('heading', { level: 1, name: 'Things' })
    expect(heads().length).toBeGreaterThan(3)
  })
})
