import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadDefinitions } from '#data/definitions.ts'
import { address, requestsIn, clearFeedback, renderSite, stubServer } from '../../../test/kit.tsx'

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
      { name: 'title', label: 'Title', type: 'text' },
      {
        name: 'status',
        label: 'Status',
        type: 'select',
        options: [
          { value: 'Open', tone: 'danger' },
          { value: 'Closed', tone: 'neutral' },
        ],
      },
      {
        name: 'severity',
        label: 'Severity',
        type: 'select',
        scale: true,
        options: [{ value: 'Low' }, { value: 'Medium' }, { value: 'High' }, { value: 'Critical' }],
      },
      { name: 'hours', label: 'Hours', type: 'decimal', unit: 'h' },
      { name: 'owner', label: 'Owner', type: 'relation', to: 'things' },
      { name: 'notes', label: 'Notes', type: 'textarea' },
    ],
  },
  authorise: { update: true, delete: true, purge: true, list: false, get: false, create: true },
}
const record = {
  id: ID,
  version: 3,
  title: 'Lamp',
  status: 'Open',
  severity: 'High',
  hours: 1.5,
  owner: '0190a000-0000-7000-8000-000000000002',
  notes: 'First line\nSecond line',
  labels: { owner: 'Desk' },
  createdAt: '2026-11-12T07:52:00.000Z',
  updatedAt: '2026-11-13T08:00:00.000Z',
  sample: false,
}
const referrer = {
  model: 'things',
  field: 'owner',
  label: 'Owner',
  title: 'Things',
  onDelete: 'unlink',
  count: 2,
  exact: true,
}
const about = {
  createdBy: { name: 'Ada Admin', isYou: false },
  updatedBy: { name: 'Me', isYou: true },
  referrers: [referrer],
}
const title = { name: 'title', label: 'Title', type: 'text', required: true, maxLength: 200 }
const server: Record<string, unknown> = {
  [`GET /api/things/${ID}`]: Response.json(record, { headers: { etag: '"3"' } }),
  [`GET /api/things/${ID}/about`]: about,
  [`GET /api/things/${ID}/neighbours`]: { previous: null, next: 'n-1' },
  'GET /api/things/form-metadata': { fields: [title] },
  'GET /api/things': { items: [{ id: 'r-1', title: 'Bulb', status: 'Closed' }], next: null },
}

// Links to other records need their models' definitions.
beforeAll(async () => {
  sessionStorage.setItem('dynamicRoutes', JSON.stringify([things]))
  await loadDefinitions([])
})
afterEach(clearFeedback)

async function open(answers: Record<string, unknown> = {}, at = `/things/${ID}`) {
  const calls = stubServer({ ...server, ...answers })
  await renderSite(things, at, 'admin')
  await screen.findByRole('heading', { level: 1, name: 'Lamp' })
  return calls
}

describe('one record', () => {
  test('the detail page shows tones and scales beside the values', async () => {
    await open()
    expect(document.querySelector('.work-h .badge-s.danger')?.textContent).toBe('Open')
    expect(document.querySelector('.props .badge-s.plain.danger')?.textContent).toBe('Open')
    expect(document.querySelector('.sev.s3')?.textContent).toBe('High')
    expect(document.querySelectorAll('.sev .f')).toHaveLength(3)
    expect(screen.getByText('1.5 h')).toBeDefined()
    expect(screen.getByText(/Second line/)).toBeDefined()
    const owner = screen.getByRole('link', { name: 'Desk' })
    expect(owner.getAttribute('href')).toBe(`/things/${record.owner}`)
  })

  test('[DYN-15] a record without its id in the response uses the id of the page’s URL', async () => {
    await open({ [`GET /api/things/${ID}`]: { ...record, id: undefined } })
    expect(within(screen.getByRole('complementary')).getByText(ID)).toBeDefined()
    expect(screen.queryByText('undefined')).toBeNull()
  })

  test('the detail page shows when and by whom the record was created and changed, and its permissions', async () => {
    await open()
    await screen.findByText(/by Ada Admin/)
    const aside = within(screen.getByRole('complementary'))
    expect(aside.getByText(/by you/)).toBeDefined()
    expect(aside.getByText(ID)).toBeDefined()
    expect(aside.getByText('View: signed-in users with access')).toBeDefined()
    expect(aside.getByText('Edit and delete: staff')).toBeDefined()
  })

  test('the detail page lists referring records, with a link to all', async () => {
    await open()
    expect(await screen.findByRole('link', { name: 'Bulb' })).toBeDefined()
    const all = screen.getByRole('link', { name: 'View all 2' })
    const filter = new URLSearchParams(all.getAttribute('href')?.split('?')[1]).get('filter')
    expect(JSON.parse(filter ?? '')).toEqual({ all: [['owner', 'eq', ID]] })
  })

  test('the detail page copies the record’s link and id', async () => {
    const user = userEvent.setup()
    await open()
    await user.click(screen.getByRole('button', { name: 'Copy ID' }))
    expect(await navigator.clipboard.readText()).toBe(ID)
    await user.click(screen.getByRole('button', { name: 'Copy link' }))
    expect(await navigator.clipboard.readText()).toContain(`/things/${ID}`)
  })

  test('a record opened without a list has no neighbour links', async () => {
    const calls = await open()
    await screen.findByText(/by Ada Admin/)
    expect(screen.queryByRole('link', { name: 'Next record' })).toBeNull()
    expect(requestsIn(calls).some((one) => one.includes('neighbours'))).toBe(false)
  })

  test('on another server the detail page requests only the record', async () => {
    const { trash: _, ...rest } = things
    const calls = stubServer({ [`GET /api/others/${ID}`]: record })
    await renderSite({ ...rest, path: 'others' }, `/others/${ID}`, 'admin')
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    expect(requestsIn(calls)).toEqual([`GET /api/others/${ID}`])
    expect(screen.queryByRole('link', { name: /History/ })).toBeNull()
  })
})

describe('quick edit', () => {
  test('[DYN-13] quick edit sends one field to the route’s action, with the version shown', async () => {
    const calls = await open({
      [`PUT /api/things/${ID}`]: { ...record, title: 'Torch', version: 4 },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Title' }))
    const input = await screen.findByRole('textbox', { name: 'Title' })
    expect(document.activeElement).toBe(input)
    await userEvent.clear(input)
    await userEvent.type(input, 'Torch')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('operation on create/edit was successful')).toBeDefined()
    const sent = calls.find(({ method }) => method === 'PUT')
    expect(sent?.body).toEqual({ title: 'Torch' })
    expect(sent?.headers.get('if-match')).toBe('"3"')
    expect(address()).toBe(`/things/${ID}`)
  })

  test('quick edit shows the server’s error and keeps the input', async () => {
    const answer = Response.json(
      { detail: 'No', errors: [{ field: 'title', message: 'Title is already in use.' }] },
      { status: 409 },
    )
    await open({ [`PUT /api/things/${ID}`]: answer })
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Title' }))
    await userEvent.type(await screen.findByRole('textbox', { name: 'Title' }), 's')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Title is already in use.')).toBeDefined()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Lamps')
  })

  test('quick edit is not offered for read-only fields, and Escape changes nothing', async () => {
    const calls = await open()
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Title' }))
    expect(screen.queryByRole('button', { name: 'Change Hours' })).toBeNull()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull()
    expect(requestsIn(calls).some((one) => one.startsWith('PUT'))).toBe(false)
  })
})

describe('a quick edit draft', () => {
  const edit = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Title' }))
    return screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })
  }
  const drafts = () => Object.keys(sessionStorage).filter((key) => key.includes('Draft:'))

  test('a quick edit draft is restored after Escape until discarded', async () => {
    await open()
    await userEvent.type(await edit(), 's{Escape}')
    expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull()
    expect((await edit()).value).toBe('Lamps')
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Lamp')
    expect(drafts()).toEqual([])
  })

  test('a quick edit draft is saved with the version it is based on, and deleted after saving', async () => {
    const answers: Record<string, unknown> = {
      [`PUT /api/things/${ID}`]: ({ headers }: { headers: Headers }) =>
        headers.get('if-match') === '"3"'
          ? Response.json({ current: { ...record, title: 'Theirs', version: 4 } }, { status: 412 })
          : { ...record, title: 'Lamps', version: 5 },
    }
    const calls = await open(answers)
    await userEvent.type(await edit(), 's{Escape}')
    answers[`GET /api/things/${ID}`] = { ...record, title: 'Theirs', version: 4 }
    await edit()
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('heading', { name: 'Someone else changed this record' })
    await userEvent.click(screen.getByRole('radio', { name: 'Title: yours' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save merged record' }))
    await screen.findByText('operation on create/edit was successful')
    await waitFor(() => expect(drafts()).toEqual([]))
    const sent = calls.filter(({ method }) => method === 'PUT')
    expect(sent.map(({ headers }) => headers.get('if-match'))).toEqual(['"3"', '"4"'])
  })

  test('a quick edit draft is saved and deleted even if another field was changed since', async () => {
    await open({
      [`PUT /api/things/${ID}`]: ({ headers }: { headers: Headers }) =>
        headers.get('if-match') === '"3"'
          ? Response.json({ current: { ...record, hours: 2, version: 4 } }, { status: 412 })
          : { ...record, title: 'Lamps', version: 5 },
    })
    await userEvent.type(await edit(), 's')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('operation on create/edit was successful')
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull())
    expect(drafts()).toEqual([])
  })

  test('a quick edit draft is deleted if the record already has its value', async () => {
    sessionStorage.setItem(
      `recordDraft:sub-1:things/${ID}?field=title`,
      JSON.stringify({
        values: { title: 'Lamp' },
        record: { title: 'Old', version: 2 },
        etag: '"2"',
      }),
    )
    await open()
    expect((await edit()).value).toBe('Lamp')
    expect(screen.queryByText('Your unsaved changes were restored.')).toBeNull()
    expect(drafts()).toEqual([])
  })

  test('a quick edit of a password stores no draft', async () => {
    const key = { name: 'notes', label: 'Notes', type: 'password' }
    await open({ 'GET /api/things/form-metadata': { fields: [key] } })
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Notes' }))
    await userEvent.type(await screen.findByLabelText('Notes'), 'secret')
    expect(JSON.stringify(Object.values(sessionStorage))).not.toContain('secret')
  })
})

test('[DYN-13] the detail page has one Delete, which links to the delete page', async () => {
  await open()
  expect(screen.getAllByText(/^Delete/)).toHaveLength(1)
  expect(screen.getByRole('link', { name: 'Delete' }).getAttribute('href')).toBe(
    `/things/delete/${ID}`,
  )
})

describe('a record in the trash', () => {
  const trashed = { ...record, deletedAt: '2026-11-14T10:00:00.000Z' }
  const inTrash = { [`GET /api/things/${ID}?trash=true`]: trashed }

  test('a record in the trash shows its purge date and can only be restored or purged', async () => {
    await open(inTrash, `/things/${ID}?trash=true`)
    expect(screen.getByText(/permanently deleted on 14 Dec 2026/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Delete' })).toBeNull()
  })

  test('restoring a record redirects to it', async () => {
    const answer = Response.json(record, { headers: { 'operation-id': 'op-1' } })
    const calls = await open(
      { ...inTrash, [`POST /api/things/${ID}/restore`]: answer },
      `/things/${ID}?trash=true`,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(address()).toBe(`/things/${ID}`))
    expect(requestsIn(calls)).toContain(`POST /api/things/${ID}/restore`)
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeDefined()
  })

  test('purging a record asks for its name', async () => {
    const calls = await open(
      { ...inTrash, [`POST /api/things/${ID}/purge`]: new Response(null, { status: 204 }) },
      `/things/${ID}?trash=true`,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Delete permanently' }))
    const dialog = within(await screen.findByRole('dialog'))
    const purge = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete permanently' })
    expect(purge.disabled).toBe(true)
    await userEvent.type(dialog.getByRole('textbox'), 'Lamp')
    await userEvent.click(purge)
    await waitFor(() => expect(requestsIn(calls)).toContain(`POST /api/things/${ID}/purge`))
  })
})

describe('the delete page', () => {
  const at = `/things/delete/${ID}`
  const openDelete = async (answers: Record<string, unknown>) => {
    const calls = stubServer({ ...server, ...answers })
    await renderSite(things, at, 'admin')
    await screen.findByRole('heading', { name: 'Related records' })
    await waitFor(() => expect(screen.queryByText('Checking…')).toBeNull())
    return calls
  }

  test('the delete page names unlinked and cascading records', async () => {
    const referrers = [
      referrer,
      {
        ...referrer,
        field: 'parent',
        title: 'Messages',
        onDelete: 'cascade',
        count: 100,
        exact: false,
      },
    ]
    await openDelete({ [`GET /api/things/${ID}/about`]: { ...about, referrers } })
    expect(screen.getByText('2 things will lose their owner. They aren’t deleted.')).toBeDefined()
    expect(screen.getByText('100+ messages will move to the trash too.')).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(false)
  })

  test('the delete page disables Delete until the dependents are loaded, and reports a failure to load them', async () => {
    let release = () => {}
    const answer = new Promise<Response>((resolve) => {
      release = () => resolve(new Response(null, { status: 503 }))
    })
    stubServer({ ...server, [`GET /api/things/${ID}/about`]: () => answer })
    await renderSite(things, at, 'admin')
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' })
    await screen.findByText('Checking…')
    expect(button().disabled).toBe(true)
    expect(screen.queryByText(/trash/i)).toBeNull()
    release()
    await screen.findByText(
      'Couldn’t check for related records. If others need this one, deleting it will be refused.',
    )
    expect(button().disabled).toBe(false)
  })

  test('the delete page names blocking records, and does not offer Delete', async () => {
    const referrers = [{ ...referrer, onDelete: 'restrict' }]
    await openDelete({ [`GET /api/things/${ID}/about`]: { ...about, referrers } })
    expect(
      screen.getByText(
        'Can’t be deleted yet: 2 things use it as their owner. Reassign or delete them first.',
      ),
    ).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
  })

  test('the delete page says why a record may not be deleted, and neither mentions the trash nor offers Delete', async () => {
    const deleteRefusal = 'A thing in use is kept. Retire it instead.'
    stubServer({ ...server, [`GET /api/things/${ID}/about`]: { ...about, deleteRefusal } })
    await renderSite(things, at, 'admin')
    await screen.findByText(deleteRefusal)
    expect(screen.queryByText(/trash/i)).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Related records' })).toBeNull()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
    expect(screen.getByRole('link', { name: 'Keep record' })).toBeDefined()
  })

  test('a deletion can be undone from its toast', async () => {
    const calls = await openDelete({
      [`DELETE /api/things/${ID}`]: new Response(null, {
        status: 204,
        headers: { 'operation-id': 'op-9' },
      }),
      'POST /api/operations/op-9/undo': { operation: 'op-10', undone: [] },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(requestsIn(calls)).toContain('POST /api/operations/op-9/undo'))
    await waitFor(() => expect(address()).toBe(`/things/${ID}`))
  })
})
