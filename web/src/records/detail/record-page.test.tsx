import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { clearFeedback, renderSite, requestsIn, stubServer } from '../../../test/kit.tsx'

const ID = '0190a000-0000-7000-8000-000000000001'
/** Refers to itself, so that one definition has everything. */
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
      {
        name: 'status',
        label: 'Status',
        type: 'select',
        options: [{ value: 'Open', tone: 'info' }, { value: 'Closed' }],
      },
      { name: 'price', label: 'Price', type: 'decimal', currencyField: 'currency' },
      { name: 'currency', label: 'Currency', type: 'select', options: [{ value: 'EUR' }] },
      { name: 'colour', label: 'Colour', type: 'text' },
      { name: 'parent', label: 'Parent', type: 'relation', to: 'things' },
      { name: 'notes', label: 'Notes', type: 'textarea', internal: true },
    ],
  },
  authorise: { update: true, delete: true, list: false, get: false, create: true },
  summary: ['status', 'colour', 'currency'],
  list: { columns: ['title', 'status'], empty: 'No things here.' },
  glance: [{ field: 'price' }, { related: 'things.parent', label: 'open' }],
  sections: [
    { title: 'Facts', fields: ['status', 'price', 'colour'] },
    { title: 'Inside', fields: ['currency', 'parent', 'notes'] },
  ],
  related: [{ model: 'things', by: 'parent', columns: ['title', 'status'] }],
  timeline: { model: 'things', by: 'parent', text: 'title', author: 'colour', note: 'secret' },
}
const record = {
  id: ID,
  version: 3,
  title: 'Lamp',
  status: 'Open',
  price: 5280,
  currency: 'EUR',
  colour: '',
  parent: null,
  notes: 'Fragile',
  labels: {},
}
const step = (version: number, over: object = {}) => ({
  version,
  action: 'update',
  at: `2026-11-0${version}T10:00:00.000Z`,
  isYou: false,
  by: 'Ada Admin',
  operation: null,
  changes: [{ field: 'status', before: 'Closed', after: 'Open' }],
  ...over,
})
const message = {
  id: 'm-1',
  title: 'Is it on?',
  colour: 'Nora',
  createdAt: '2026-11-02T12:00:00.000Z',
}
const fields = [
  { name: 'title', label: 'Title', type: 'text', required: true },
  { name: 'colour', label: 'Colour', type: 'text' },
  { name: 'notes', label: 'Notes', type: 'textarea' },
  { name: 'parent', label: 'Parent', type: 'relation', to: 'things' },
]
const server: Record<string, unknown> = {
  [`GET /api/things/${ID}`]: Response.json(record, { headers: { etag: '"3"' } }),
  [`GET /api/things/${ID}/about`]: {
    createdBy: null,
    updatedBy: null,
    deleteRefusal: null,
    referrers: [
      { model: 'things', field: 'parent', label: 'Parent', title: 'Things', count: 7, exact: true },
    ],
    facts: [{ related: 'things.parent', label: 'open', count: 4, exact: true }],
  },
  [`GET /api/things/${ID}/history`]: {
    items: [step(3), step(1, { action: 'create' })],
    next: null,
  },
  'GET /api/things/form-metadata': { fields },
  'GET /api/things': { items: [message], next: null },
}

afterEach(clearFeedback)

async function open(answers: Record<string, unknown> = {}, role: 'admin' | 'user' = 'admin') {
  const calls = stubServer({ ...server, ...answers })
  await renderSite(things, `/things/${ID}`, role)
  await screen.findByRole('heading', { level: 1, name: 'Lamp' })
  return calls
}

test('a record page shows summary, facts and sections as its definition says', async () => {
  await open()
  expect(document.querySelector('.sub')?.textContent).toBe('Open · EUR')
  const glance = within(document.querySelector<HTMLElement>('.glance') ?? document.body)
  expect(glance.getByText('€5,280')).toBeDefined()
  const count = await glance.findByRole('link', { name: '4 open' })
  const filter = new URLSearchParams(count.getAttribute('href')?.split('?')[1]).get('filter')
  expect(JSON.parse(filter ?? '')).toEqual({ all: [['parent', 'eq', ID]] })
  const names = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(names).toEqual(['Facts', 'Inside', 'Things', 'Activity', 'Details'])
  expect(document.querySelector('.inside-txt')?.textContent).toBe('Fragile')
})

test('empty properties are folded, and shown on demand', async () => {
  await open()
  expect(screen.queryByText('Colour')).toBeNull()
  const [unfold] = screen.getAllByRole('button', { name: '1 empty field' })
  if (!unfold) throw new Error('no button')
  await userEvent.click(unfold)
  expect(screen.getByText('Colour')).toBeDefined()
  expect(unfold.getAttribute('aria-expanded')).toBe('true')
})

test('changes and messages stand in one timeline, newest first', async () => {
  await open()
  const activity = await screen.findByRole('region', { name: 'Activity' })
  await within(activity).findByText('Is it on?')
  const entries = within(activity).getAllByRole('listitem')
  expect(entries.map(({ textContent }) => textContent?.split(/[:0-9]/)[0])).toEqual([
    'Changed by Ada AdminStatus Before',
    'Nora wroteIs it on?',
    'Created by Ada Admin',
  ])
})

test('the timeline that fails to load says so and offers a retry', async () => {
  const answers: Record<string, unknown> = {
    [`GET /api/things/${ID}/history`]: new Error('offline'),
  }
  await open(answers)
  expect(await screen.findByText('Couldn’t load the activity. Try again.')).toBeDefined()
})

test('a related list has a count, a link to all, and adds a record with the relation filled in', async () => {
  const calls = await open({ 'POST /api/things': { ...record, id: 'x2', title: 'Bulb' } })
  const section = within(await screen.findByRole('region', { name: 'Things' }))
  expect(await section.findByRole('link', { name: 'All 7 things' })).toBeDefined()
  await userEvent.click(section.getByRole('button', { name: 'Add Thing' }))
  const form = within(await screen.findByRole('dialog'))
  await userEvent.type(await form.findByRole('textbox', { name: 'Title' }), 'Bulb')
  expect(form.getByRole<HTMLInputElement>('combobox', { name: /Parent/ }).value).toBe('Lamp')
  await userEvent.click(form.getByRole('button', { name: 'Create' }))
  expect(await screen.findByText('Thing (Bulb) created Successfully')).toBeDefined()
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    title: 'Bulb',
    parent: ID,
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an empty related list is shown only to those who may add', async () => {
  const empty = { 'GET /api/things': { items: [], next: null } }
  await open(empty)
  expect(await screen.findByText('No things here.')).toBeDefined()
  clearFeedback()
  await open(empty, 'user')
  await screen.findByRole('region', { name: 'Activity' })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Things' })).toBeNull())
})

test('F2 in a property edits it, Enter saves, and the focus returns', async () => {
  const calls = await open({ [`PUT /api/things/${ID}`]: { ...record, version: 4 } })
  const [unfold] = await screen.findAllByRole('button', { name: '1 empty field' })
  if (unfold) await userEvent.click(unfold)
  const pencil = await screen.findByRole('button', { name: 'Edit Colour' })
  pencil.focus()
  await userEvent.keyboard('{F2}')
  await userEvent.type(await screen.findByRole('textbox', { name: 'Colour' }), 'red{Enter}')
  expect(await screen.findByText('operation on create/edit was successful')).toBeDefined()
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ colour: 'red' })
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Colour' })),
  )
})

test('in a long text Enter begins a line, and Ctrl+Enter saves', async () => {
  const calls = await open({ [`PUT /api/things/${ID}`]: { ...record, version: 4 } })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Notes' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Notes' }), '{Enter}Heavy')
  expect(requestsIn(calls).some((one) => one.startsWith('PUT'))).toBe(false)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('operation on create/edit was successful')).toBeDefined()
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ notes: 'Fragile\nHeavy' })
})

test('Escape closes the edited property with the focus back on its button', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Notes' }))
  await userEvent.keyboard('{Escape}')
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Notes' })),
  )
})
