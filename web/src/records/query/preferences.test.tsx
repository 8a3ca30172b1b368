import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Call } from '../../../test/kit.tsx'

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
      { name: 'state', label: 'State', type: 'text' },
      { name: 'amount', label: 'Amount', type: 'integer' },
    ],
  },
}
const record = { id: 'x1', title: 'Lamp', state: 'new', amount: 3 }

type Given = { answers?: Record<string, unknown>; role?: 'user' | 'admin' | null }
let putAway = () => {}

/** Opens a freshly loaded page, without cached preferences. */
async function open(path: string, { answers = {}, role = null }: Given) {
  vi.resetModules()
  // Where a browser would be.
  history.replaceState(null, '', path)
  const kit = await import('../../../test/kit.tsx')
  putAway = kit.clearFeedback
  const calls = kit.stubServer({
    'GET /api/things': { items: [record], next: null, previous: null, total: null },
    ...answers,
  })
  const router = await kit.renderSite(things, path, role)
  await screen.findByRole('heading', { level: 1 })
  return { calls, router, user: userEvent.setup() }
}
const address = () => screen.getByTestId('address').textContent
const query = () => new URLSearchParams(address()?.split('?')[1])
const headers = () => screen.getAllByRole('columnheader').map((one) => one.textContent)
const lists = (calls: Call[]) => calls.filter(({ url }) => url.startsWith('/api/things'))

afterEach(() => putAway())

describe('list preferences', () => {
  const views = { things: { columns: ['amount', 'title'], limit: 10, density: 'compact' } }

  test('list preferences are added to a URL without settings before the list loads', async () => {
    const { calls, router } = await open('/things?q=lamp', {
      answers: { 'GET /api/me/views': views },
      role: 'user',
    })
    expect(address()).toBe('/things?q=lamp&columns=amount%2Ctitle&limit=10&density=compact')
    expect(lists(calls)).toHaveLength(1)
    expect(router.state.historyAction).toBe('REPLACE')
    expect(headers()).toEqual(['Amount', 'Title', 'Actions'])
  })

  test.each(['/elsewhere', '/things?q=lamp&limit=25', '/things?limit=25'])(
    'Back leads from a list with preferences to %s, where its link was clicked',
    async (from) => {
      const { router } = await open(from, { answers: { 'GET /api/me/views': views }, role: 'user' })
      await act(() => router.navigate('/things?sort=-amount'))
      await waitFor(() => expect(address()).toMatch(/^\/things\?columns=.*limit=10/))
      await act(() => router.navigate(-1))
      await waitFor(() => expect(address()).toBe(from))
    },
  )

  test('list preferences do not change a URL with settings', async () => {
    await open('/things?limit=100', { answers: { 'GET /api/me/views': views }, role: 'user' })
    expect(address()).toBe('/things?limit=100')
  })

  test.each([
    ['a server without preferences', new Response(null, { status: 404 })],
    ['a rejected request', new Response(null, { status: 401 })],
    ['a network failure', new Error('down')],
  ])('list preferences are empty with %s', async (_what, answer) => {
    await open('/things', { answers: { 'GET /api/me/views': answer }, role: 'admin' })
    expect(screen.getByRole('link', { name: 'Lamp' })).toBeDefined()
  })

  test('list preferences store the last choice', async () => {
    const { calls, user } = await open('/things?columns=title,state', {
      answers: { 'PUT /api/me/views/things': new Response(null, { status: 204 }) },
      role: 'user',
    })
    await user.click(screen.getByRole('button', { name: 'View' }))
    await user.click(await screen.findByRole('button', { name: 'Move State up' }))
    await waitFor(() => expect(query().get('columns')).toBe('state,title'))
    await waitFor(() =>
      expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
        columns: ['state', 'title'],
        limit: null,
        density: 'comfortable',
      }),
    )
    await user.click(screen.getByRole('checkbox', { name: 'Amount' }))
    await waitFor(() => expect(query().get('columns')).toBe('state,title,amount'))
    await user.click(screen.getByRole('radio', { name: 'Compact' }))
    await waitFor(() => expect(query().get('density')).toBe('compact'))
    await user.click(screen.getByRole('button', { name: 'Reset' }))
    await waitFor(() => expect(query().has('columns')).toBe(false))
  })
})
