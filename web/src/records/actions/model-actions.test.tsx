import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearFeedback, renderSite, stubServer, type Call } from '../../../test/kit.tsx'

const ID = '0190a000-0000-7000-8000-000000000001'
const body = { name: 'body', label: 'Message', type: 'textarea', required: true }
const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'title', label: 'Title', type: 'text' },
      { name: 'status', label: 'Status', type: 'text' },
    ],
  },
  authorise: { update: true, delete: true, list: false, get: false, create: true },
  without: ['update'],
  actions: [
    {
      name: 'close',
      label: 'Close it',
      when: { all: [['status', 'eq', 'Open']] },
      fields: [],
      done: 'It is closed.',
    },
    {
      name: 'reopen',
      label: 'Reopen it',
      when: { all: [['status', 'eq', 'Closed']] },
      fields: [],
      done: 'It is open.',
    },
    { name: 'melt', label: 'Melt', confirm: 'Melt it down?', fields: [], done: 'It is molten.' },
    { name: 'tell', label: 'Tell', fields: [body], done: 'They know.' },
  ],
}
const record = { id: ID, version: 3, title: 'Lamp', status: 'Open' }
const server: Record<string, unknown> = {
  [`GET /api/things/${ID}`]: Response.json(record, { headers: { etag: '"3"' } }),
  'GET /api/things': { items: [record], next: null },
}
const OPERATION = '0190a000-0000-7000-8000-00000000000f'
const done = (changes: object = {}) =>
  Response.json({ ...record, ...changes }, { headers: { 'operation-id': OPERATION } })
const rejection = (status: number, detail: string) =>
  Response.json({ status, detail, code: 'not-now' }, { status })

// Drawers use matchMedia, which jsdom lacks.
beforeEach(() => {
  const match = { matches: false, addListener: () => {}, removeListener: () => {} }
  vi.stubGlobal('matchMedia', () => match)
})
afterEach(clearFeedback)

async function open(answers: Record<string, unknown> = {}, definition: object = things) {
  const calls = stubServer({ ...server, ...answers })
  await renderSite(definition as typeof things, `/things/${ID}`, 'admin')
  await screen.findByRole('heading', { level: 1, name: 'Lamp' })
  return calls
}
const to = (calls: Call[], path: string) =>
  calls.filter(({ method, url }) => `${method} ${url}` === `POST /api/${path}`)
const clickButton = async (name: string) =>
  userEvent.setup().click(await screen.findByRole('button', { name }))
const buttons = () =>
  within(document.querySelector<HTMLElement>('.work-h') ?? document.body)
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)

describe('the actions of a record', () => {
  test('a record offers the actions that apply to its current state', async () => {
    await open()
    expect(buttons()).toEqual(['Close it', 'Melt', 'Tell'])
  })

  test.each([
    ['without actions', undefined],
    ['with another value under actions', { close: true }],
    ['with malformed actions', [null, 7, {}, { name: 'x', label: 'X' }]],
    ['with an unknown condition', [{ ...things.actions[0], when: { some: 1 } }]],
  ])('a definition %s adds no action buttons', async (_which, actions) => {
    await open({}, { ...things, actions })
    expect(buttons()).toEqual([])
  })

  test('Edit is not offered if no field is writable', async () => {
    await open()
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
  })

  test('an action sends the version shown, shows the model’s message and can be undone', async () => {
    const calls = await open({
      [`POST /api/things/${ID}/close`]: done(),
      [`POST /api/operations/${OPERATION}/undo`]: { operation: 'o', undone: [] },
    })
    await clickButton('Close it')
    await screen.findByText('It is closed.')
    const [call] = to(calls, `things/${ID}/close`)
    expect(call?.headers.get('if-match')).toBe('"3"')
    expect(call?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
    await clickButton('Undo')
    await waitFor(() => expect(to(calls, `operations/${OPERATION}/undo`)).toHaveLength(1))
  })

  test('a rejected action says why, and the page shows the current record', async () => {
    let status = 'Open'
    await open({
      [`GET /api/things/${ID}`]: () => Response.json({ ...record, status }),
      [`POST /api/things/${ID}/close`]: () => {
        status = 'Closed'
        return rejection(409, 'This isn’t possible now.')
      },
    })
    await clickButton('Close it')
    await screen.findByText('This isn’t possible now.')
    await screen.findByRole('button', { name: 'Reopen it' })
    expect(screen.queryByText('It is closed.')).toBeNull()
  })

  test('an action with a confirmation question runs only after it', async () => {
    const calls = await open({ [`POST /api/things/${ID}/melt`]: done() })
    await clickButton('Melt')
    const dialog = within(await screen.findByRole('dialog', { name: 'Melt it down?' }))
    expect(to(calls, `things/${ID}/melt`)).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Melt' }))
    await screen.findByText('It is molten.')
  })

  test('an action’s form keeps its input after a failure, and resends it with the same key', async () => {
    let tries = 0
    const calls = await open({
      [`POST /api/things/${ID}/tell`]: () =>
        ++tries === 1 ? rejection(503, 'Try again.') : done(),
    })
    await clickButton('Tell')
    const dialog = within(await screen.findByRole('dialog', { name: 'Tell' }))
    const box = await dialog.findByLabelText('Message')
    const user = userEvent.setup()
    await user.type(box, 'Hello')
    await user.click(dialog.getByRole('button', { name: 'Tell' }))
    await dialog.findByText('Try again.')
    expect(box).toHaveProperty('value', 'Hello')
    await user.click(dialog.getByRole('button', { name: 'Tell' }))
    await screen.findByText('They know.')
    const sent = to(calls, `things/${ID}/tell`)
    expect(sent.map((call) => call.body)).toEqual([{ body: 'Hello' }, { body: 'Hello' }])
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  const openForm = async () => {
    await clickButton('Tell')
    const dialog = within(await screen.findByRole('dialog', { name: 'Tell' }))
    return { dialog, box: await dialog.findByLabelText<HTMLTextAreaElement>('Message') }
  }

  test('closing an action’s form asks first, and its input is restored until discarded', async () => {
    await open()
    const user = userEvent.setup()
    const { dialog, box } = await openForm()
    await user.type(box, 'Hello')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('dialog', { name: 'Close without saving?' })
    await user.click(within(question).getByRole('button', { name: 'Close form' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const again = await openForm()
    expect(again.box.value).toBe('Hello')
    await user.click(again.dialog.getByRole('button', { name: 'Discard' }))
    expect(again.dialog.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('')
    await user.click(again.dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('leaving the page or closing the tab asks first while an action’s form has unsaved input', async () => {
    stubServer(server)
    const router = await renderSite(things, `/things/${ID}`, 'admin')
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    const isUnloadPrevented = () =>
      !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    const { box } = await openForm()
    expect(isUnloadPrevented()).toBe(false)
    await userEvent.type(box, 'Hello')
    expect(isUnloadPrevented()).toBe(true)
    void router.navigate('/elsewhere')
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await screen.findByRole('heading', { name: 'elsewhere' })
    expect(isUnloadPrevented()).toBe(false)
    await router.navigate(`/things/${ID}`)
    expect((await openForm()).box.value).toBe('Hello')
  })

  test('another account’s draft of an action’s form is deleted without being shown', async () => {
    await open()
    const key = `recordDraft:sub-2:things/${ID}?action=tell`
    sessionStorage.setItem(key, '{"values":{"body":"Secret"}}')
    expect((await openForm()).box.value).toBe('')
    expect(sessionStorage.getItem(key)).toBeNull()
  })
})

test('a row’s menu offers the record’s actions', async () => {
  const closed = { ...record, id: 'r-2', title: 'Torch', status: 'Closed' }
  const calls = stubServer({
    ...server,
    'GET /api/things': { items: [record, closed], next: null },
    'POST /api/things/r-2/reopen': done(),
  })
  await renderSite(things, '/things', 'admin')
  await clickButton('Actions for Torch')
  const menu = within(screen.getByRole('dialog'))
  // The menu's actions load when it opens.
  const reopen = await menu.findByRole('button', { name: 'Reopen it' })
  expect(menu.queryByRole('button', { name: 'Close it' })).toBeNull()
  await userEvent.click(reopen)
  await screen.findByText('It is open.')
  expect(to(calls, 'things/r-2/reopen')).toHaveLength(1)
})
