import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { offerSidebarSlot } from '#layout/sidebar-slot.ts'
import { clearFeedback, renderSite, stubServer, type Call } from '../../../test/kit.tsx'

const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  trash: true,
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [{ name: 'title', label: 'Title', type: 'text', sortable: true }],
  },
  authorise: { delete: true },
}
const record = { id: 'x1', version: 1, title: 'Lamp' }
const server: Record<string, unknown> = {
  'GET /api/things': { items: [record], next: null, total: { count: 1, exact: true } },
  'GET /api/things/x1': record,
  'GET /api/things/x1/about': { createdBy: null, updatedBy: null, referrers: [] },
  'DELETE /api/things/x1': new Response(null, { status: 204 }),
  'GET /api/models/counts': { things: { count: 12, exact: true } },
}
const counted = (calls: Call[]) => calls.filter(({ url }) => url === '/api/models/counts').length

beforeEach(() => offerSidebarSlot(document.body.appendChild(document.createElement('div'))))
afterEach(() => {
  clearFeedback()
  document.body.replaceChildren()
  offerSidebarSlot(null)
})

test('record counts are shown in the sidebar and above a filtered list', async () => {
  stubServer(server)
  await renderSite(things, '/things?q=lamp', 'admin')
  expect(await screen.findByRole('link', { name: /^Things ?12$/ })).toBeDefined()
  expect(screen.getByText('1 of 12')).toBeDefined()
})

test('record counts are reloaded after a write, not after sorting', async () => {
  const calls = stubServer(server)
  const router = await renderSite(things, '/things', 'admin')
  await screen.findByRole('link', { name: /^Things ?12$/ })
  await router.navigate('/things?sort=title')
  await router.navigate('/things/x1')
  await router.navigate('/things/delete/x1')
  expect(counted(calls)).toBe(1)
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete' })
  await waitFor(() => expect(button.disabled).toBe(false))
  await userEvent.click(button)
  await waitFor(() => expect(counted(calls)).toBe(2))
  await router.revalidate()
  await waitFor(() => expect(counted(calls)).toBe(3))
})

test('record counts that fail to load say so and offer a retry', async () => {
  const answers = { ...server, 'GET /api/models/counts': new Error('offline') as unknown }
  stubServer(answers)
  await renderSite(things, '/things', 'admin')
  const again = await screen.findByRole('button', { name: 'Try again' })
  answers['GET /api/models/counts'] = server['GET /api/models/counts']
  await userEvent.click(again)
  expect(await screen.findByRole('link', { name: /^Things ?12$/ })).toBeDefined()
})
