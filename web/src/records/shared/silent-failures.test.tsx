import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { clearFeedback, renderSite, stubServer } from '../../../test/kit.tsx'
import { loadDefinitions } from '#data/definitions.ts'

const ID = '0190a000-0000-7000-8000-000000000001'
const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  trash: true,
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'title', label: 'Title', type: 'text', sortable: true },
      { name: 'owner', label: 'Owner', type: 'relation', to: 'things' },
    ],
  },
  authorise: { update: true, delete: true, create: true },
}
const record = { id: ID, version: 3, title: 'Lamp', owner: null }
const referrer = {
  model: 'things',
  field: 'owner',
  label: 'Owner',
  title: 'Things',
  onDelete: 'restrict',
  count: 1,
  exact: true,
}
const fields = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'owner', label: 'Owner', type: 'relation', to: 'things' },
]
const responses: Record<string, unknown> = {
  [`GET /api/things/${ID}`]: record,
  [`GET /api/things/${ID}/about`]: { createdBy: null, updatedBy: null, referrers: [referrer] },
  [`GET /api/things/${ID}/neighbours`]: { previous: null, next: 'n-1' },
  'GET /api/things/form-metadata': { fields },
  'GET /api/things': {
    items: [{ id: 'r-1', title: 'Bulb' }],
    next: null,
    previous: null,
    total: null,
  },
}

beforeAll(async () => {
  sessionStorage.setItem('dynamicRoutes', JSON.stringify([things]))
  await loadDefinitions([])
})
afterEach(clearFeedback)

type Case = {
  what: string
  at: string
  /** The request that fails. */
  broken: string
  says: string
  /** Shown once the server responds again. */
  found: () => Promise<unknown>
}
const CASES: Case[] = [
  {
    what: 'metadata of a record',
    at: `/things/${ID}`,
    broken: `GET /api/things/${ID}/about`,
    says: 'Couldn’t load the related records. Try again.',
    found: () => screen.findByRole('link', { name: 'Bulb' }),
  },
  {
    what: 'referring records',
    at: `/things/${ID}`,
    broken: 'GET /api/things',
    says: 'Couldn’t load these records. Try again.',
    found: () => screen.findByRole('link', { name: 'Bulb' }),
  },
  {
    what: 'inputs of quick edit',
    at: `/things/${ID}`,
    broken: 'GET /api/things/form-metadata',
    says: 'Couldn’t load inline editing. Try again.',
    found: () => screen.findByRole('button', { name: 'Edit Title' }),
  },
  {
    what: 'dependents on the delete page',
    at: `/things/delete/${ID}`,
    broken: `GET /api/things/${ID}/about`,
    says: 'Couldn’t check for related records. If others need this one, deleting it will be refused.',
    found: () => screen.findByText(/1 thing /, { selector: '.blocks' }),
  },
]

test.each(CASES)('a failure to load $what is shown, with a retry', async (one) => {
  const answers = { ...responses, [one.broken]: new Response(null, { status: 503 }) }
  stubServer(answers)
  await renderSite(things, one.at, 'admin')
  expect(await screen.findByText(one.says)).toBeDefined()
  answers[one.broken] = responses[one.broken] as Response
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await one.found()).toBeDefined()
  expect(screen.queryByText(one.says)).toBeNull()
})

test('a failure to load a record’s neighbours is shown, with a retry', async () => {
  const path = `GET /api/things/${ID}/neighbours`
  const answers: Record<string, unknown> = { ...responses, [path]: new Error('offline') }
  stubServer(answers)
  const router = await renderSite(things, '/elsewhere', 'admin')
  await router.navigate(`/things/${ID}`, { state: { list: '?sort=title' } })
  const words = 'Couldn’t load the previous and next records. Try again.'
  expect(await screen.findByText(words)).toBeDefined()
  answers[path] = responses[path]
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Next record' })).toBeDefined()
})

test('a failure to load the choices of a relation is shown, with a retry', async () => {
  const answers: Record<string, unknown> = { ...responses, 'GET /api/things': new Error('offline') }
  stubServer(answers)
  await renderSite(things, '/things/create', 'admin')
  await userEvent.click(await screen.findByRole('combobox', { name: /Owner/ }))
  expect(
    await screen.findByText('Couldn’t load the options. Try again.', { selector: 'p' }),
  ).toBeDefined()
  answers['GET /api/things'] = responses['GET /api/things']
  await userEvent.click(screen.getByRole('option', { name: 'Try again' }))
  expect(await screen.findByRole('option', { name: 'Bulb' })).toBeDefined()
})

test('a quick edit that can’t be sent keeps its input and says why', async () => {
  stubServer({ ...responses, [`PUT /api/things/${ID}`]: new Error('offline') })
  await renderSite(things, `/things/${ID}`, 'admin')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Title' }))
  const input = await screen.findByRole('textbox', { name: /Title/ })
  fireEvent.change(input, { target: { value: 'Lantern' } })
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/couldn’t reach the server/)).toBeDefined()
  expect(screen.getByRole('textbox', { name: /Title/ })).toHaveProperty('value', 'Lantern')
})

test('a failure to save columns is shown, with a retry', async () => {
  const path = 'PUT /api/me/views/things'
  const answers: Record<string, unknown> = { ...responses, [path]: new Error('offline') }
  const calls = stubServer(answers)
  await renderSite(things, '/things', 'user')
  await userEvent.click(await screen.findByRole('button', { name: 'View' }))
  await userEvent.click(await screen.findByRole('radio', { name: 'Compact' }))
  expect(await screen.findByText('Couldn’t save this view. Try again.')).toBeDefined()
  answers[path] = new Response(null, { status: 204 })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(2))
})
