import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import {
  address,
  requestsIn,
  clearFeedback,
  renderSite,
  stubServer,
  type Call,
} from '../../../test/kit.tsx'

/** A model of our own server: with trash, sorting and search. */
const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  trash: true,
  authorise: { create: false, update: false, delete: false, purge: true },
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'title', label: 'Title', type: 'text', sortable: true, searchable: true },
      {
        name: 'state',
        label: 'State',
        type: 'select',
        sortable: true,
        options: [
          { value: 'new', label: 'New' },
          { value: 'done', label: 'Done' },
          { value: 'lost' },
        ],
      },
      { name: 'owner', label: 'Owner', type: 'relation', to: 'people' },
      { name: 'amount', label: 'Amount', type: 'integer' },
      { name: 'openedAt', label: 'Opened', type: 'datetime', sortable: true },
    ],
  },
}
const record = {
  id: 'x1',
  title: 'Lamp',
  state: 'new',
  owner: 'id-1',
  labels: { owner: 'Ann' },
  amount: 3,
  openedAt: '2026-02-03T10:00:00Z',
}
const page = (over: object = {}) => ({
  items: [record],
  next: null,
  previous: null,
  total: { count: 1, exact: true },
  ...over,
})
const filterOf = (...all: unknown[]) => `filter=${encodeURIComponent(JSON.stringify({ all }))}`

type Given = { answers?: Record<string, unknown>; role?: 'user' | 'admin' | null }

async function open(path: string, { answers = {}, role = null }: Given = {}) {
  const calls = stubServer({ 'GET /api/things': page(), ...answers })
  const router = await renderSite(things, path, role)
  await screen.findByRole('heading', { level: 1 })
  return { calls, router, user: userEvent.setup() }
}
const lists = (calls: Call[]) =>
  requestsIn(calls).filter((one) => one.startsWith('GET /api/things'))
const header = (name: string) => screen.getByRole('columnheader', { name })
const headers = () => screen.getAllByRole('columnheader').map((one) => one.textContent)
const query = () => new URLSearchParams(address()?.split('?')[1])

afterEach(clearFeedback)

describe('list state in the URL', () => {
  test('the list’s query is sent to the API and shown on the page', async () => {
    const search = `?q=lamp&${filterOf(['state', 'eq', 'new'])}&sort=-title&columns=amount,title&limit=50&density=compact`
    const { calls } = await open(`/things${search}`)
    expect(lists(calls)).toHaveLength(1)
    expect(new URL(calls[0]!.url, 'http://x').searchParams.get('q')).toBe('lamp')
    expect(screen.getByRole('textbox', { name: 'Search things' })).toHaveProperty('value', 'lamp')
    expect(screen.getByRole('button', { name: 'Edit filter: State is New' })).toBeDefined()
    expect(header('Title').getAttribute('aria-sort')).toBe('descending')
    expect(headers()).toEqual(['Amount', 'Title', 'Actions'])
    expect(screen.getByLabelText('Rows per page')).toHaveProperty('value', '50')
    expect(screen.getByRole('table').className).toContain('compact')
  })

  test.each(['amount', '-amount'])(
    'a link with a sort that is not offered, %s, opens the list in its default order',
    async (sort) => {
      const { calls } = await open(`/things?sort=${sort}&after=c1&q=lamp`)
      await waitFor(() => expect(address()).toBe('/things?q=lamp'))
      expect(lists(calls)).toHaveLength(1)
      expect(calls[0]!.url).not.toContain('sort')
      expect(screen.getByRole('link', { name: 'Lamp' })).toBeDefined()
    },
  )

  test('Back restores the list', async () => {
    const { router, user } = await open('/things')
    await user.click(within(header('Title')).getByRole('button'))
    await waitFor(() => expect(address()).toBe('/things?sort=title'))
    await router.navigate(-1)
    await waitFor(() => expect(address()).toBe('/things'))
    expect(header('Title').hasAttribute('aria-sort')).toBe(false)
  })

  test.each([
    ['sort', async () => fireEvent.click(within(header('Title')).getByRole('button'))],
    [
      'limit',
      async () =>
        fireEvent.change(screen.getByLabelText('Rows per page'), { target: { value: '10' } }),
    ],
    ['filter', async () => fireEvent.click(screen.getByRole('button', { name: /^Remove filter/ }))],
    [
      'q',
      async () =>
        fireEvent.change(screen.getByRole('textbox', { name: 'Search things' }), {
          target: { value: 'lamp' },
        }),
    ],
  ])('changing %s drops the cursor from the list’s query', async (_what, act) => {
    await open(`/things?${filterOf(['state', 'eq', 'new'])}&after=c1&toast=x`, {
      answers: { 'GET /api/things': page({ next: 'n', previous: 'p' }) },
    })
    await act()
    await waitFor(() => expect(query().has('after')).toBe(false))
    expect(query().has('toast')).toBe(false)
  })

  test('old rows remain, marked busy, while new ones load', async () => {
    let answer = (_value: unknown) => {}
    let isFirst = true
    const { user } = await open('/things', {
      answers: {
        'GET /api/things': () => {
          if (!isFirst) return new Promise((resolve) => (answer = resolve))
          isFirst = false
          return page()
        },
      },
    })
    await user.click(within(header('Title')).getByRole('button'))
    const panel = screen.getByRole('table').closest('.grid-panel')
    await waitFor(() => expect(panel?.getAttribute('aria-busy')).toBe('true'))
    expect(header('Title').getAttribute('aria-sort')).toBe('ascending')
    expect(screen.getByRole('link', { name: 'Lamp' })).toBeDefined()
    answer(page())
    await waitFor(() => expect(panel?.getAttribute('aria-busy')).toBe('false'))
  })
})

describe('sorting', () => {
  test('a column header cycles ascending, descending, default order', async () => {
    const { user } = await open('/things')
    for (const [sort, direction] of [
      ['title', 'ascending'],
      ['-title', 'descending'],
      [null, null],
    ]) {
      await user.click(within(header('Title')).getByRole('button'))
      await waitFor(() => expect(query().get('sort')).toBe(sort))
      expect(header('Title').getAttribute('aria-sort')).toBe(direction)
    }
  })

  test('sorting is offered only if the definition allows it', async () => {
    await open('/things')
    expect(within(header('Amount')).queryByRole('button')).toBeNull()
  })
})

describe('searching', () => {
  const box = () => screen.getByRole('textbox', { name: 'Search things' })

  test('a search keeps a sort chosen while typing', async () => {
    const { user } = await open('/things')
    await user.type(screen.getByRole('textbox', { name: 'Search things' }), 'lamp')
    fireEvent.click(screen.getByRole('button', { name: 'Title' }))
    await waitFor(() => expect(address()).toBe('/things?sort=title'))
    await waitFor(() => expect(address()).toBe('/things?sort=title&q=lamp'))
  })

  test('a navigation while typing cancels the search', async () => {
    const { user, router } = await open('/things?q=lamp')
    await user.type(screen.getByRole('textbox', { name: 'Search things' }), 's')
    await act(() => router.navigate('/things?q=chair'))
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(address()).toBe('/things?q=chair')
  })

  test('two concurrent changes of the list’s query are both kept', async () => {
    await open('/things')
    act(() => {
      fireEvent.click(screen.getByRole('button', { name: 'Title' }))
      fireEvent.change(screen.getByRole('combobox', { name: /Rows/ }), { target: { value: '50' } })
    })
    await waitFor(() => expect(address()).toBe('/things?sort=title&limit=50'))
  })

  test('a search is debounced, and refining it adds one history entry', async () => {
    const { calls, router, user } = await open('/things')
    await user.type(box(), 'lam')
    await waitFor(() => expect(query().get('q')).toBe('lam'))
    await user.type(box(), 'p')
    await waitFor(() => expect(query().get('q')).toBe('lamp'))
    expect(lists(calls)).toHaveLength(3)
    await router.navigate(-1)
    await waitFor(() => expect(address()).toBe('/things'))
    await waitFor(() => expect(box()).toHaveProperty('value', ''))
  })

  test('a search needs three characters, and says so', async () => {
    const { calls, user } = await open('/things')
    await user.type(box(), 'la')
    expect(screen.getByText('Type at least 3 characters.')).toBeDefined()
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(lists(calls)).toHaveLength(1)
  })

  test('the key / focuses the search unless a field has the focus, Escape clears it', async () => {
    const { user } = await open('/things?q=lamp')
    await user.keyboard('/')
    expect(document.activeElement).toBe(box())
    expect(box()).toHaveProperty('value', 'lamp')
    await user.keyboard('{End}/')
    expect(box()).toHaveProperty('value', 'lamp/')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(address()).toBe('/things'))
    expect(box()).toHaveProperty('value', '')
  })
})

describe('chips', () => {
  test('each filter chip opens its editor, and has its own remove button', async () => {
    const both = [
      ['state', 'in', ['new', 'done', 'lost']],
      ['openedAt', 'gte', '@now-30d'],
    ]
    const { user } = await open(`/things?${filterOf(...both)}`)
    const chip = screen.getByRole('button', { name: 'Edit filter: State any of 3' })
    await user.click(chip)
    await user.click(await screen.findByRole('checkbox', { name: 'lost' }))
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    await waitFor(() =>
      expect(JSON.parse(query().get('filter') ?? '')).toEqual({
        all: [['state', 'in', ['new', 'done']], both[1]],
      }),
    )
    await user.click(
      await screen.findByRole('button', { name: 'Remove filter: Opened last 30 days' }),
    )
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filter' }))
    await waitFor(() =>
      expect(JSON.parse(query().get('filter') ?? '')).toEqual({
        all: [['state', 'in', ['new', 'done']]],
      }),
    )
  })

  test('a filter is added with the keyboard alone, Escape closes the editor and returns the focus', async () => {
    const { user } = await open('/things')
    const add = screen.getByRole('button', { name: 'Filter' })
    add.focus()
    await user.keyboard('{Enter}')
    const field = await screen.findByLabelText('Field')
    await waitFor(() => expect(document.activeElement).toBe(field))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(add)
    await user.keyboard('{Enter}')
    await user.selectOptions(await screen.findByLabelText('Field'), 'Opened')
    await user.clear(screen.getByLabelText('Days'))
    await user.type(screen.getByLabelText('Days'), '7{Enter}')
    await waitFor(() =>
      expect(query().get('filter')).toBe('{"all":[["openedAt","gte","@now-7d"]]}'),
    )
  })

  test('“me” can be chosen as a filter value of a text field', async () => {
    const { user } = await open('/things')
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    await user.click(await screen.findByRole('checkbox', { name: /^Me/ }))
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    await waitFor(() => expect(query().get('filter')).toBe('{"all":[["title","eq","@me"]]}'))
  })

  test('related records in a filter are shown by name and found by typing', async () => {
    const { user } = await open(`/things?${filterOf(['owner', 'in', ['id-1', 'id-2']])}`, {
      answers: {
        'GET /api/people/id-2': { id: 'id-2', name: 'Ben' },
        'GET /api/people': { items: [{ id: 'id-3', name: 'Cat' }] },
      },
    })
    await user.click(
      await screen.findByRole('button', { name: 'Edit filter: Owner is Ann or Ben' }),
    )
    expect(await screen.findByRole('checkbox', { name: 'Ann' })).toHaveProperty('checked', true)
    await user.click(await screen.findByRole('checkbox', { name: 'Cat' }))
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    expect(await screen.findByRole('button', { name: 'Edit filter: Owner any of 3' })).toBeDefined()
  })

  test('a condition the editor can’t show is a chip with its sentence, and can be removed', async () => {
    const any = {
      any: [
        ['state', 'eq', 'new'],
        ['amount', 'gt', 5],
      ],
    }
    const { user } = await open(`/things?filter=${encodeURIComponent(JSON.stringify(any))}`)
    expect(screen.getByText('State is New or Amount more than 5')).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Edit filter/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: /^Remove filter: Any of/ }))
    await waitFor(() => expect(address()).toBe('/things'))
  })

  test('the filter is shown as one sentence', async () => {
    await open(`/things?q=lamp&${filterOf(['state', 'eq', 'new'])}`)
    const sentence = 'Things where the text contains “lamp” and State is New.'
    expect(screen.getByText(sentence).getAttribute('role')).toBe('status')
    expect(screen.getByTitle(sentence)).toBeDefined()
  })
})

describe('empty and failed lists', () => {
  const nothing = { 'GET /api/things': page({ items: [], total: { count: 0, exact: true } }) }

  test('an empty list says so, and offers to create the first record', async () => {
    await open('/things', { answers: nothing, role: 'user' })
    expect(screen.getByRole('heading', { level: 2, name: 'No data available' })).toBeDefined()
    const ways = screen.getAllByRole('link', { name: 'Create thing' })
    expect(ways.map((way) => way.getAttribute('href'))).toEqual([
      '/things/create',
      '/things/create',
    ])
  })

  test('an empty list only says so to a user who may not create', async () => {
    await open('/things', { answers: nothing })
    expect(
      screen.getByText(
        'There is nothing here for your account. If you expected something, contact us.',
      ),
    ).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Create thing' })).toBeNull()
  })

  test('a list without matches names the search, and offers to clear search and filters', async () => {
    const { user } = await open(`/things?q=vpn&sort=title&${filterOf(['state', 'eq', 'new'])}`, {
      answers: nothing,
    })
    expect(screen.getByRole('heading', { level: 2, name: 'No matches for “vpn”' })).toBeDefined()
    expect(screen.getByText(/^No data available\. 1 filter is also applied\./)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Clear all' }))
    await waitFor(() => expect(address()).toBe('/things?sort=title'))
  })

  test.each([
    [
      401,
      'You’re not signed in, or your session has expired. Sign in to see this list.',
      'Sign In',
    ],
    [
      403,
      'Your account doesn’t have access to this list. Ask an admin if you need it.',
      'Try again',
    ],
  ])('a list without access (%i) says why', async (status, why, button) => {
    await open('/things', { answers: { 'GET /api/things': new Response(null, { status }) } })
    expect(screen.getByText(`Error loading list: ${status}`)).toBeDefined()
    expect(screen.getByText(why)).toBeDefined()
    expect(screen.getByRole('button', { name: button })).toBeDefined()
  })

  test('a list that fails with 500 does not say that the server didn’t respond', async () => {
    await open('/things', { answers: { 'GET /api/things': new Response(null, { status: 500 }) } })
    expect(screen.getByText('Error loading list: 500')).toBeDefined()
    expect(screen.getByText('The server had a problem. Try again.')).toBeDefined()
  })

  test('a failed list offers a retry', async () => {
    let isDown = true
    const { user } = await open('/things?sort=title', {
      answers: {
        'GET /api/things': () => (isDown ? new Response('<html>', { status: 503 }) : page()),
      },
    })
    expect(screen.getByText('Error loading list: 503')).toBeDefined()
    expect(screen.getByText('The server didn’t respond. Try again in a moment.')).toBeDefined()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: 'Lamp' })).toBeDefined()
    expect(address()).toBe('/things?sort=title')
  })
})

describe('pages', () => {
  test('the pager shows the range on the first page and those after it, not on direct entry', async () => {
    const { router, user } = await open('/things', {
      answers: {
        'GET /api/things': page({ next: 'n', total: { count: 48, exact: true } }),
        'GET /api/things?after=n': page({
          next: 'm',
          previous: 'p',
          total: { count: 48, exact: true },
        }),
      },
    })
    expect(screen.getByText('1', { selector: '.range b' })).toBeDefined()
    await user.click(screen.getByRole('link', { name: 'Next' }))
    expect(await screen.findByText('2', { selector: '.range b' })).toBeDefined()
    await router.navigate('/things?after=n')
    await waitFor(() => expect(document.querySelector('.range')?.textContent).toBe('48'))
  })

  test('an estimated total can be counted exactly', async () => {
    const { user } = await open('/things', {
      answers: {
        'GET /api/things': page({ total: { count: 1000, exact: false } }),
        'GET /api/things?total=exact': page({ total: { count: 1234, exact: true } }),
      },
    })
    await user.click(screen.getByRole('button', { name: 'Show exact total' }))
    expect(await screen.findByText('1,234')).toBeDefined()
  })
})

describe('rows', () => {
  test('a row on a phone shows the name and two fields, and hides the rest', async () => {
    await open('/things')
    expect(screen.getAllByRole('cell').map(({ className }) => className)).toEqual([
      'c-main',
      'm2',
      'm2',
      'r hide-m',
      'r hide-m',
      'c-act',
    ])
  })

  test('a record’s page links back to the list it was opened from', async () => {
    const { router, user } = await open('/things?sort=title', {
      answers: { 'GET /api/things/x1': record },
    })
    await user.click(screen.getByRole('link', { name: 'Lamp' }))
    await waitFor(() => expect(address()).toBe('/things/x1'))
    expect(router.state.location.state).toEqual({ list: '?sort=title' })
  })

  test('a row’s menu copies the record’s link', async () => {
    const { user } = await open('/things')
    await user.click(screen.getByRole('button', { name: 'Actions for Lamp' }))
    await user.click(await screen.findByRole('button', { name: 'Copy link' }))
    expect(await screen.findByText('Copied.')).toBeDefined()
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/things/x1`)
  })
})

describe('the trash', () => {
  const trash = {
    'GET /api/things?trash=true': page({
      items: [{ ...record, deletedAt: '2026-02-03T10:00:00Z' }],
    }),
  }

  test('the trash is offered only to users who may delete', async () => {
    await open('/things')
    expect(screen.queryByRole('link', { name: 'Trash' })).toBeNull()
    clearFeedback()
    await open('/things', { role: 'user' })
    expect(screen.getByRole('link', { name: 'Trash' }).getAttribute('href')).toBe(
      '/things?trash=true',
    )
  })

  test('the trash restores records', async () => {
    const { calls, user } = await open('/things?trash=true', {
      answers: { ...trash, 'POST /api/things/x1/restore': record },
      role: 'user',
    })
    expect(
      screen.getByText('Records in the trash are permanently deleted after 30 days.'),
    ).toBeDefined()
    expect(headers()).toContain('Deleted')
    await user.click(screen.getByRole('button', { name: 'Actions for Lamp' }))
    const restore = await screen.findByRole('button', { name: 'Restore' })
    expect(screen.queryByRole('button', { name: 'Delete permanently' })).toBeNull()
    await user.click(restore)
    expect(await screen.findByText('Lamp restored.')).toBeDefined()
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({})
    await waitFor(() => expect(lists(calls)).toHaveLength(2))
  })

  test('the trash purges a record for permitted users, after they type its name', async () => {
    const { calls, user } = await open('/things?trash=true', {
      answers: { ...trash, 'POST /api/things/x1/purge': new Response(null, { status: 204 }) },
      role: 'admin',
    })
    await user.click(screen.getByRole('button', { name: 'Actions for Lamp' }))
    await user.click(await screen.findByRole('button', { name: 'Delete permanently' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Permanently delete “Lamp”?' }))
    expect(dialog.getByRole('button', { name: 'Delete permanently' })).toHaveProperty(
      'disabled',
      true,
    )
    await user.type(dialog.getByLabelText('Type Lamp to confirm'), 'Lamp')
    await user.click(dialog.getByRole('button', { name: 'Delete permanently' }))
    expect(await screen.findByText('Lamp permanently deleted.')).toBeDefined()
    expect(requestsIn(calls)).toContain('POST /api/things/x1/purge')
  })
})
