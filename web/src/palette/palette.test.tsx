import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Outlet, type RouteObject } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  address,
  clearFeedback,
  modelRoutes,
  renderSite,
  requestsIn,
  SIGN_IN,
  stubServer,
  type Call,
} from '../../test/kit.tsx'
import { setConfig } from '#auth/read-config.ts'
import { deleteDrafts, claimDrafts } from '#base/drafts.ts'
import { paletteState } from '#layout/palette-state.ts'
import { PaletteHost } from './palette-host.tsx'

const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'title', label: 'Title', type: 'text' },
      { name: 'number', label: 'Number', type: 'integer' },
      { name: 'status', label: 'Status', type: 'select', options: [{ value: 'o', label: 'Open' }] },
      { name: 'owner', label: 'Owner', type: 'relation', to: 'people' },
      { name: 'price', label: 'Price', type: 'decimal', currency: 'EUR' },
    ],
  },
  icon: 'lamp',
  summary: ['status', 'owner', 'price'],
  authorise: { update: true, delete: true, list: false, get: false, create: true },
  trash: true,
  actions: [
    { name: 'close', label: 'Close it', fields: [], done: 'It is closed.' },
    {
      name: 'tell',
      label: 'Tell',
      fields: [{ name: 'body', label: 'Message', type: 'textarea' }],
      done: 'They know.',
    },
  ],
}
const lamp = { id: 'r-1', version: 3, title: 'Lamp', number: 1048 }
const torch = { id: 'r-2', version: 1, title: 'Torch', number: null }
const hit = (record: object) => ({ model: 'things', record })
const hits = (...records: object[]) => ({ items: records.map(hit), slow: [] })

beforeEach(() => {
  const match = { matches: false, addEventListener: () => {} }
  vi.stubGlobal('matchMedia', () => match)
  setConfig(SIGN_IN)
})
afterEach(() => {
  paletteState.set('closed')
  clearFeedback()
  localStorage.clear()
})

type Given = {
  at?: string
  answers?: Record<string, unknown>
  definition?: object
  role?: 'user' | 'admin' | null
}

/** A page with a field, below the palette's host, as router.tsx has it. */
async function openSite({
  at = '/form',
  answers = {},
  definition = things,
  role = 'admin',
}: Given = {}) {
  const calls = stubServer({
    'GET /api/things': { items: [lamp], next: null },
    'GET /api/things/r-1': lamp,
    'GET /api/things/r-2': torch,
    'GET /api/models/search': hits(),
    ...answers,
  })
  const pages: RouteObject[] = [
    {
      Component: Site,
      children: [
        { path: 'form', element: <input aria-label="Field" defaultValue="" /> },
        { path: 'desk', element: <h1>Desk</h1> },
        await modelRoutes(definition),
      ],
    },
  ]
  const router = await renderSite(pages, at, role)
  await screen.findByTestId('address')
  return { calls, router }
}

const Site = () => (
  <>
    <Outlet />
    <PaletteHost />
  </>
)

const keys = (text: string) => userEvent.keyboard(text)
const openPalette = async () => {
  await keys('{Control>}k{/Control}')
  return screen.findByRole('combobox')
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const activeOption = () =>
  screen.queryAllByRole('option').find((one) => one.getAttribute('aria-selected') === 'true')
    ?.textContent
const searches = (calls: Call[]) => requestsIn(calls).filter((one) => one.includes('models/search'))
const group = (name: string) => within(screen.getByRole('group', { name }))
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('records', () => {
  test('the palette finds a record and Enter opens it', async () => {
    const { calls } = await openSite({ answers: { 'GET /api/models/search': hits(lamp, torch) } })
    await userEvent.type(await openPalette(), 'lam')
    await screen.findByRole('option', { name: /Lamp/ })
    expect(searches(calls)).toEqual(['GET /api/models/search?q=lam'])
    expect(screen.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
      screen.getByRole('option', { name: /Lamp/ }).id,
    )
    await keys('{Enter}')
    await waitFor(() => expect(address()).toBe('/things/r-1'))
    await isClosed()
  })

  test('a hit has its number, or its model’s name, at the end', async () => {
    await openSite({ answers: { 'GET /api/models/search': hits(lamp, torch) } })
    await userEvent.type(await openPalette(), 'lam')
    await waitFor(() => expect(options()).toEqual(['Lamp#1048', 'TorchThing']))
  })

  test('a hit has its model’s icon and summary, without empty values', async () => {
    const full = { ...lamp, status: 'o', owner: 'p-1', labels: { owner: 'Ada' }, price: null }
    await openSite({ answers: { 'GET /api/models/search': hits(full) } })
    await userEvent.type(await openPalette(), 'lam')
    const option = await screen.findByRole('option', { name: /Lamp/ })
    expect(option.querySelector('.palette-detail')?.textContent).toBe('Open · Ada')
    expect(option.querySelector('use')?.getAttribute('href')).toMatch(/\.svg#lamp$/)
  })

  test('what was typed is marked in a hit, whatever its case', async () => {
    await openSite({ answers: { 'GET /api/models/search': hits(lamp) } })
    await userEvent.type(await openPalette(), 'LAM')
    const option = await screen.findByRole('option', { name: /Lamp/ })
    expect(option.querySelector('mark')?.textContent).toBe('Lam')
  })

  test('Enter pressed before the results arrive opens the first of them', async () => {
    let release = () => {}
    const late = new Promise<void>((resolve) => (release = resolve))
    await openSite({
      answers: {
        'GET /api/models/search': async () => {
          await late
          return hits(torch)
        },
      },
    })
    await userEvent.type(await openPalette(), 'thing{Enter}')
    expect(address()).toBe('/form')
    release()
    await waitFor(() => expect(address()).toBe('/things/r-2'))
  })

  test('nothing is asked below the minimum length, except for a number', async () => {
    const { calls } = await openSite({ answers: { 'GET /api/models/search': hits(lamp) } })
    const input = await openPalette()
    await userEvent.type(input, 'la')
    await screen.findByText('Type at least 3 characters to find records.', { selector: 'p' })
    await userEvent.clear(input)
    await userEvent.type(input, '#7')
    await screen.findByRole('option', { name: /Lamp/ })
    expect(searches(calls)).toEqual(['GET /api/models/search?q=%237'])
  })

  test('a superseded search is aborted', async () => {
    const signals: { q: string | null; signal: AbortSignal }[] = []
    await openSite()
    vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
      signals.push({ q: new URL(url, SIGN_IN.authority).searchParams.get('q'), signal })
      return new Promise(() => {})
    })
    const input = await openPalette()
    await userEvent.type(input, 'lam')
    await waitFor(() => expect(signals.map(({ q }) => q)).toEqual(['lam']))
    await userEvent.type(input, 'p')
    await waitFor(() => expect(signals.map(({ q }) => q)).toEqual(['lam', 'lamp']))
    expect(signals.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })

  test('a failed search says so, and trying again keeps the palette open', async () => {
    let tries = 0
    await openSite({
      answers: {
        'GET /api/models/search': () =>
          ++tries === 1 ? new Response(null, { status: 503 }) : hits(lamp),
      },
    })
    await userEvent.type(await openPalette(), 'lam')
    await screen.findByText('Couldn’t search the records. Try again.', { selector: 'p' })
    expect(options()).toEqual(['Try again'])
    await keys('{Enter}')
    await waitFor(() => expect(options()).toEqual(['Lamp#1048']))
  })

  test('models that took too long are named, and the number of results is announced', async () => {
    await openSite({
      answers: { 'GET /api/models/search': { items: [hit(lamp)], slow: ['things', 'unknown'] } },
    })
    await userEvent.type(await openPalette(), 'lam')
    await waitFor(() =>
      expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toBe(
        '1 result Things took too long to search and may have more.',
      ),
    )
  })

  test('without a hit the palette says that no records match', async () => {
    await openSite()
    await userEvent.type(await openPalette(), 'thin')
    await screen.findByText('No records match.', { selector: 'p' })
    expect(options()).toEqual(['Create thing', 'Things'])
    await userEvent.type(screen.getByRole('combobox'), 'xyz')
    await screen.findByText('No matches.', { selector: 'p' })
    expect(options()).toEqual([])
  })

  test('another server’s records are not searched, actions and pages are', async () => {
    const { trash: _, ...foreign } = things
    const { calls } = await openSite({ definition: foreign })
    await userEvent.type(await openPalette(), 'thin')
    await waitFor(() => expect(options()).toEqual(['Create thing', 'Things']))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(searches(calls)).toEqual([])
    expect(screen.queryByText(/characters|No records/)).toBeNull()
  })
})

describe('recent records', () => {
  const KEY = 'recentRecords:sub-1'

  test('opened records are stored by id alone, newest first, ten at most', async () => {
    const { router } = await openSite({ at: '/things/r-1' })
    await screen.findByRole('heading', { name: 'Lamp' })
    await router.navigate('/things/r-2')
    await screen.findByRole('heading', { name: 'Torch' })
    await waitFor(() =>
      expect(sessionStorage.getItem(KEY)).toBe(
        '[{"model":"things","id":"r-2"},{"model":"things","id":"r-1"}]',
      ),
    )
    const many = Array.from({ length: 10 }, (_, place) => ({ model: 'things', id: `x-${place}` }))
    sessionStorage.setItem(KEY, JSON.stringify(many))
    await router.navigate('/things/r-1')
    await waitFor(() =>
      expect(JSON.parse(sessionStorage.getItem(KEY) ?? '')).toEqual([
        { model: 'things', id: 'r-1' },
        ...many.slice(0, 9),
      ]),
    )
  })

  test('with nothing typed the recent records that still exist come first, without the open one', async () => {
    const { router, calls } = await openSite()
    const stored = ['r-2', 'r-1', 'gone'].map((id) => ({ model: 'things', id }))
    sessionStorage.setItem(KEY, JSON.stringify(stored))
    await openPalette()
    await waitFor(() =>
      expect(
        group('Recent')
          .getAllByRole('option')
          .map((one) => one.textContent),
      ).toEqual(['TorchThing', 'Lamp#1048']),
    )
    expect(searches(calls)).toEqual([])
    await keys('{Enter}')
    await waitFor(() => expect(address()).toBe('/things/r-2'))
    await screen.findByRole('heading', { name: 'Torch' })
    await isClosed()
    await openPalette()
    await waitFor(() => expect(group('Recent').getAllByRole('option')).toHaveLength(1))
    expect(router.state.location.pathname).toBe('/things/r-2')
  })

  test('a record that can’t be opened is not stored', async () => {
    await openSite({ at: '/things/none' })
    await screen.findByRole('heading', { level: 1, name: /404/ })
    expect(sessionStorage.getItem(KEY)).toBeNull()
  })

  test('records opened signed out are not stored', async () => {
    const { authorise: _, ...open } = things
    await openSite({ at: '/things/r-1', role: null, definition: open })
    await screen.findByRole('heading', { name: 'Lamp' })
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith('recent'))).toEqual([])
  })

  test('recent records are deleted at sign-out, and for another account', () => {
    sessionStorage.setItem(KEY, '[]')
    claimDrafts('sub-1')
    expect(sessionStorage.getItem(KEY)).toBe('[]')
    claimDrafts('sub-2')
    expect(sessionStorage.getItem(KEY)).toBeNull()
    sessionStorage.setItem(KEY, '[]')
    deleteDrafts()
    expect(sessionStorage.getItem(KEY)).toBeNull()
  })
})

describe('actions and pages', () => {
  test('the palette offers to create, switch the theme and sign out, and lists pages', async () => {
    await openSite()
    await openPalette()
    expect(
      group('Do')
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['Create thing', 'Switch theme to light', 'Keyboard shortcuts', 'Sign out'])
    expect(
      group('Go to')
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual([
      'Desk',
      'Things',
      'Requests',
      'System',
      'People',
      'Security events',
      'Changes',
      'Your sign-in',
    ])
  })

  test('a visitor is offered neither creation nor sign-out nor staff pages', async () => {
    await openSite({ role: null })
    await openPalette()
    expect(
      group('Do')
        .getAllByRole('option')
        .map((one) => one.textContent),
    ).toEqual(['Switch theme to light', 'Keyboard shortcuts'])
    expect(group('Go to').queryByRole('option', { name: 'Desk' })).toBeNull()
  })

  test('> shows actions alone', async () => {
    const { calls } = await openSite()
    const input = await openPalette()
    await userEvent.type(input, '>')
    expect(screen.getAllByRole('group').map((one) => one.ariaLabel)).toEqual(['Do'])
    await userEvent.type(input, 'cre')
    await waitFor(() => expect(options()).toEqual(['Create thing']))
    await keys('{Enter}')
    await waitFor(() => expect(address()).toBe('/things/create'))
    expect(searches(calls)).toEqual([])
  })

  test('Logout finds Sign out', async () => {
    await openSite()
    await userEvent.type(await openPalette(), '>logout')
    await waitFor(() => expect(options()).toEqual(['Sign out']))
  })

  test('the open record’s actions run with its version after the palette has closed', async () => {
    const { calls } = await openSite({
      at: '/things/r-1',
      answers: { 'POST /api/things/r-1/close': lamp },
    })
    await screen.findByRole('heading', { name: 'Lamp' })
    await userEvent.type(await openPalette(), '>')
    await waitFor(() =>
      expect(options().slice(0, 4)).toEqual(['Close it', 'Tell', 'Edit thing', 'Delete thing']),
    )
    await keys('{Enter}')
    await screen.findByText('It is closed.')
    const call = calls.find(({ method }) => method === 'POST')
    expect(call?.headers.get('if-match')).toBe('"3"')
    await isClosed()
  })

  test('an action with a form opens its drawer', async () => {
    await openSite({ at: '/things/r-1' })
    await screen.findByRole('heading', { name: 'Lamp' })
    await userEvent.type(await openPalette(), '>tell')
    await waitFor(() => expect(options()).toEqual(['Tell']))
    await keys('{Enter}')
    const drawer = within(await screen.findByRole('dialog', { name: 'Tell' }))
    await drawer.findByLabelText('Message')
  })
})

describe('keys', () => {
  test('Ctrl+K opens the palette from a field, and Escape returns the focus to it', async () => {
    await openSite()
    const field = screen.getByLabelText<HTMLInputElement>('Field')
    await userEvent.type(field, 'a')
    await openPalette()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')))
    await keys('{Escape}')
    await isClosed()
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('a')
  })

  test('Cmd+K opens the palette, a second time closes it', async () => {
    await openSite()
    await keys('{Meta>}k{/Meta}')
    await screen.findByRole('combobox')
    await keys('{Meta>}k{/Meta}')
    await isClosed()
    expect(paletteState.get()).toBe('closed')
  })

  test('arrows wrap, Home and End go to the first and last option', async () => {
    await openSite()
    await userEvent.type(await openPalette(), 'thin')
    await screen.findByText('No records match.', { selector: 'p' })
    expect(activeOption()).toBe('Create thing')
    await keys('{ArrowUp}')
    expect(activeOption()).toBe('Things')
    await keys('{ArrowDown}')
    expect(activeOption()).toBe('Create thing')
    await keys('{End}')
    expect(activeOption()).toBe('Things')
    await keys('{Home}')
    expect(activeOption()).toBe('Create thing')
  })

  test('an option chosen by arrow stays active when results arrive above it', async () => {
    await openSite({ answers: { 'GET /api/models/search': hits(lamp) } })
    await userEvent.type(await openPalette(), 'thin')
    await keys('{ArrowDown}')
    expect(activeOption()).toBe('Things')
    await screen.findByRole('option', { name: /Lamp/ })
    expect(activeOption()).toBe('Things')
  })

  test('Ctrl+Enter opens the record in a new tab', async () => {
    await openSite({ answers: { 'GET /api/models/search': hits(lamp) } })
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    await userEvent.type(await openPalette(), 'lam')
    await screen.findByRole('option', { name: /Lamp/ })
    await keys('{Control>}{Enter}{/Control}')
    expect(opened).toHaveBeenCalledWith('/things/r-1', '_blank', 'noopener')
    expect(address()).toBe('/form')
  })

  test('? opens the sheet, but not from a field, with a modifier or if letters are off', async () => {
    await openSite()
    await userEvent.click(screen.getByLabelText('Field'))
    await keys('?')
    expect(paletteState.get()).toBe('closed')
    screen.getByLabelText('Field').blur()
    await keys('{Alt>}?{/Alt}')
    expect(paletteState.get()).toBe('closed')
    await keys('?')
    const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    expect(sheet.getAllByRole('term').map((one) => one.textContent)).toEqual([
      'Search or jump to',
      'Go to the desk',
      'Jump to a message, and back',
      'This sheet',
      'Close',
      'Search this list',
      'Edit a property',
      'Save a long text',
      'Save a form',
    ])
    await userEvent.click(sheet.getByRole('switch', { name: 'Single-letter shortcuts' }))
    expect(localStorage.getItem('letterShortcutsOff')).toBe('true')
    await keys('{Escape}')
    await isClosed()
    await keys('?')
    expect(paletteState.get()).toBe('closed')
    await openPalette()
  })

  test('g d opens the desk for staff only', async () => {
    await openSite({ role: 'user' })
    await keys('gd')
    expect(address()).toBe('/form')
    clearFeedback()
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    await openSite()
    await waitFor(async () => {
      await keys('xgd')
      expect(address()).toBe('/desk')
    })
  })
})
