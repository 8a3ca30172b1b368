import { cleanup, screen, waitFor } from '@testing-library/react'
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

const fields = [
  { name: 'title', label: 'Title', type: 'text', default: 'Untitled', required: true },
  { name: 'amount', label: 'Amount', type: 'integer', default: 1 },
]
const things = {
  name: 'Thing',
  path: 'MyThings',
  routeName: 'Thing-List',
  viewData: { title: 'Things', displayField: 'title', fields },
}
const record = { id: 7, title: 'Lamp', amount: null, secret: 's' }
const server = {
  'GET /api/Thing-List': [record],
  'GET /api/MyThings/7': record,
  'GET /api/MyThings/form-metadata': { fields },
}

afterEach(clearFeedback)

async function open(path: string, answers: Record<string, unknown> = {}) {
  const calls = stubServer({ ...server, ...answers })
  await renderSite(things, path)
  await screen.findByRole('button', { name: SAVE })
  return calls
}
const input = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const SAVE = /^(Create|Save changes)$/
const save = () => userEvent.click(screen.getByRole('button', { name: SAVE }))
const toast = () => document.querySelector('.toast-g')
const sent = (calls: Call[]) => calls.filter(({ method }) => method !== 'GET')
const summary = () => screen.findByRole('alert')

describe('creating', () => {
  test('[DYN-10] [API-04] creating a record redirects to the list with a toast that names the model and the record', async () => {
    const calls = await open('/mythings/create', {
      'POST /api/Thing-List': Response.json({ id: 9, title: 'Lamp!' }, { status: 201 }),
    })
    await userEvent.clear(input(/Title/))
    await userEvent.type(input(/Title/), 'Lamp')
    await save()
    // The list's skeleton has the same heading.
    await waitFor(() => expect(address()).toBe('/mythings'))
    await screen.findByRole('heading', { level: 1, name: 'Things' })
    expect(sent(calls)).toMatchObject([
      { method: 'POST', url: '/api/Thing-List', body: { title: 'Lamp', amount: 1 } },
    ])
    expect(toast()?.textContent).toContain('Thing (Lamp!) created Successfully')
    expect(toast()?.className).toContain('success')
  })

  test.each([
    ['only the id', Response.json({ id: 9 }, { status: 201 }), 'Untitled'],
    ['nothing', new Response(null, { status: 204 }), 'Untitled'],
    ['no JSON', new Response('created', { status: 201 }), 'Untitled'],
  ])(
    '[DYN-10] the toast of a creation names the typed value if the server returns %s',
    async (_what, answer, x) => {
      await open('/mythings/create', { 'POST /api/Thing-List': answer })
      await save()
      await waitFor(() =>
        expect(toast()?.textContent).toContain(`Thing (${x}) created Successfully`),
      )
    },
  )

  test('[DYN-07] defaults fill the create form, and are sent', async () => {
    const calls = await open('/mythings/create', { 'POST /api/Thing-List': { id: 1 } })
    expect(input(/Title/).value).toBe('Untitled')
    expect(input(/Amount/).value).toBe('1')
    await save()
    await waitFor(() => expect(sent(calls)[0]?.body).toEqual({ title: 'Untitled', amount: 1 }))
  })

  test('[API-04] a retry after a lost response creates one record: same Idempotency-Key', async () => {
    const calls = await open('/mythings/create', {
      'POST /api/Thing-List': new TypeError('Failed to fetch'),
    })
    await save()
    expect((await summary()).textContent).toContain('We couldn’t reach the server.')
    expect(input(/Title/).value).toBe('Untitled')
    await save()
    await waitFor(() => expect(sent(calls)).toHaveLength(2))
    const [first, second] = sent(calls).map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
  })
})

describe('changing', () => {
  test('[DYN-11] [API-05] saving a record redirects to the detail page with a toast that names the model and the record', async () => {
    const calls = await open('/mythings/edit/7', {
      'PUT /api/Thing-List/7': new Response(null, { status: 204 }),
    })
    await userEvent.type(input(/Title/), ' 2')
    await save()
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    expect(address()).toBe('/mythings/7')
    expect(sent(calls)).toMatchObject([
      { method: 'PUT', url: '/api/Thing-List/7', body: { title: 'Lamp 2', amount: null } },
    ])
    expect(toast()?.textContent).toContain('Thing (Lamp 2) updated Successfully')
    expect(toast()?.className).toContain('success')
  })

  test('[DYN-07] the edit form applies no defaults: empty fields remain empty', async () => {
    const calls = await open('/mythings/edit/7', { 'PUT /api/Thing-List/7': {} })
    expect(input(/Amount/).value).toBe('')
    await save()
    await waitFor(() => expect(sent(calls)[0]?.body).toEqual({ title: 'Lamp', amount: null }))
  })

  test('[API-05] a record changed since is not overwritten: If-Match is sent', async () => {
    const calls = await open('/mythings/edit/7', {
      'GET /api/MyThings/7': Response.json(record, { headers: { etag: '"3"' } }),
      'PUT /api/Thing-List/7': Response.json({ detail: 'Changed' }, { status: 412 }),
    })
    await save()
    expect((await summary()).textContent).toContain('Changed')
    expect(sent(calls)[0]?.headers.get('if-match')).toBe('"3"')
  })

  test('[DYN-15] a record without its id in the response is saved by the id of the page’s URL', async () => {
    const calls = await open('/mythings/edit/7', {
      'GET /api/MyThings/7': { title: 'Lamp' },
      'PUT /api/Thing-List/7': {},
    })
    await save()
    await waitFor(() => expect(requestsIn(sent(calls))).toEqual(['PUT /api/Thing-List/7']))
  })

  test('[DYN-03] Cancel returns to the record and sends nothing', async () => {
    const calls = await open('/mythings/edit/7')
    await userEvent.click(screen.getByRole('link', { name: 'Cancel' }))
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    expect(sent(calls)).toEqual([])
  })
})

describe('a slow or failed save', () => {
  test('[DYN-08] the button says Saving... until the server has responded, and can’t be clicked twice', async () => {
    let release = () => {}
    const late = new Promise<void>((resolve) => (release = resolve))
    const calls = await open('/mythings/create', {
      'POST /api/Thing-List': async () => {
        await late
        return { id: 1 }
      },
    })
    await save()
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Saving...' })
    expect(button.disabled).toBe(true)
    await userEvent.type(input(/Title/), '{Enter}')
    release()
    await screen.findByRole('heading', { level: 1, name: 'Things' })
    expect(sent(calls)).toHaveLength(1)
  })

  test.each<[string, string | object, string]>([
    ['detail', { detail: 'In the detail', message: 'M' }, 'In the detail'],
    ['message', { message: 'In the message' }, 'In the message'],
    ['error', { error: 'In the error' }, 'In the error'],
    ['its text', 'Plain words', 'Plain words'],
  ])(
    '[DYN-08] a failed save shows the server’s message in the form, from %s',
    async (_where, body, words) => {
      await open('/mythings/create', {
        'POST /api/Thing-List': new Response(
          typeof body === 'string' ? body : JSON.stringify(body),
          {
            status: 400,
          },
        ),
      })
      await save()
      expect((await summary()).textContent).toContain(words)
      expect(document.activeElement).toBe(await summary())
      expect(input(/Title/).value).toBe('Untitled')
      expect(address()).toBe('/mythings/create')
      expect(toast()).toBeNull()
    },
  )

  test('[DYN-08] a field error is shown in the summary and at the field', async () => {
    await open('/mythings/create', {
      'POST /api/Thing-List': Response.json(
        { detail: 'Title is taken', errors: [{ field: 'title', message: 'Title is taken' }] },
        { status: 422 },
      ),
    })
    await save()
    expect((await summary()).textContent).toContain('Title is taken')
    const title = input(/Title/)
    expect(title.getAttribute('aria-invalid')).toBe('true')
    const described = document.getElementById(title.getAttribute('aria-describedby') ?? '')
    expect(described?.textContent).toBe('Title is taken')
    expect(input(/Amount/).getAttribute('aria-invalid')).toBeNull()
  })

  test('[DYN-08] an error for a field the form lacks is shown too, and does not block the next attempt', async () => {
    const calls = await open('/mythings/create', {
      'POST /api/Thing-List': Response.json(
        { detail: 'Refused', errors: [{ field: 'owner', message: 'Owner is gone' }] },
        { status: 422 },
      ),
    })
    await save()
    expect((await summary()).textContent).toContain('Refused')
    expect((await summary()).textContent).toContain('Owner is gone')
    await save()
    await waitFor(() => expect(sent(calls)).toHaveLength(2))
  })

  test('[DYN-08] corrected fields are sent, and old errors are cleared', async () => {
    let tries = 0
    await open('/mythings/create', {
      'POST /api/Thing-List': () => {
        tries += 1
        return tries === 1
          ? Response.json(
              { detail: 'No', errors: [{ field: 'title', message: 'Title is taken' }] },
              { status: 422 },
            )
          : { id: 1 }
      },
    })
    await save()
    await summary()
    await userEvent.type(input(/Title/), '!')
    await save()
    await screen.findByRole('heading', { level: 1, name: 'Things' })
    expect(tries).toBe(2)
  })

  test('[DYN-08] missing required fields are reported before sending', async () => {
    const calls = await open('/mythings/create')
    await userEvent.clear(input(/Title/))
    await save()
    expect((await summary()).textContent).toBe(
      'Your changes weren’t saved.  1 field needs fixing: Title.',
    )
    expect(screen.getByText('Title is required.')).toBeDefined()
    await userEvent.click(screen.getByRole('link', { name: 'Title' }))
    expect(document.activeElement).toBe(input(/Title/))
    expect(input(/Title/).getAttribute('aria-invalid')).toBe('true')
    expect(sent(calls)).toEqual([])
  })
})

/** A record of our own server: versions, history, the current record in its rejections. */
const v = (version: number, over: object = {}) => ({ ...record, amount: 1, version, ...over })
const rejection = (current: object) =>
  Response.json({ detail: 'Someone changed this record', current }, { status: 412 })
const loadedAt = (current: { version: number }) =>
  Response.json(current, { headers: { etag: `"${current.version}"` } })

describe('a record that another user changed meanwhile', () => {
  /** Rejects the first PUT and accepts the next one. */
  function openStale(current: object, more: Record<string, unknown> = {}) {
    const answers = [rejection(current), Response.json({}), Response.json({})]
    return open('/mythings/edit/7', {
      'GET /api/MyThings/7': loadedAt(v(3)),
      'PUT /api/Thing-List/7': () => answers.shift(),
      ...more,
    })
  }

  test('a concurrent change to other fields is merged and saved with the current version', async () => {
    const calls = await openStale(v(4, { amount: 5 }))
    await userEvent.type(input(/Title/), '!')
    await save()
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    expect(sent(calls).map(({ body, headers }) => [body, headers.get('if-match')])).toEqual([
      [{ title: 'Lamp!', amount: 1 }, '"3"'],
      [{ title: 'Lamp!', amount: 5 }, '"4"'],
    ])
    expect(screen.getByText(/changes to Amount are kept too\./)).toBeDefined()
  })

  test('a concurrent change to the same field shows both versions, none preselected, and saves the choice', async () => {
    const calls = await openStale(v(4, { title: 'Their lamp', amount: 5 }))
    await userEvent.type(input(/Title/), '!')
    await save()
    const clash = await screen.findByRole('group', { name: 'Title' })
    expect(clash.textContent).toBe('TitleOriginalLampYoursLamp!TheirsTheir lamp')
    await userEvent.click(screen.getByRole('button', { name: 'Save merged record' }))
    expect((await summary()).textContent).toContain('Choose yours or theirs')
    expect(sent(calls)).toHaveLength(1)
    await userEvent.click(screen.getByRole('radio', { name: 'Title: theirs' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save merged record' }))
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    expect(sent(calls)[1]).toMatchObject({ body: { title: 'Their lamp', amount: 5 } })
    expect(sent(calls)[1]?.headers.get('if-match')).toBe('"4"')
  })

  test('returning from the merge view to the form keeps the input', async () => {
    await openStale(v(4, { title: 'Their lamp' }))
    await userEvent.type(input(/Title/), '!')
    await save()
    await userEvent.click(await screen.findByRole('button', { name: 'Back to form' }))
    expect(input(/Title/).value).toBe('Lamp!')
  })

  test('the form says so and keeps its input if the record was deleted meanwhile', async () => {
    await open('/mythings/edit/7', {
      'PUT /api/Thing-List/7': Response.json({ detail: 'Record not found' }, { status: 404 }),
    })
    await userEvent.type(input(/Title/), '!')
    await save()
    expect((await summary()).textContent).toContain('Record not found. Someone deleted this record')
    expect(input(/Title/).value).toBe('Lamp!')
  })

  test('repeated concurrent changes show the server’s message after some retries', async () => {
    let version = 3
    const calls = await open('/mythings/edit/7', {
      'GET /api/MyThings/7': loadedAt(v(3)),
      'PUT /api/Thing-List/7': () => rejection(v((version += 1), { amount: version })),
    })
    await userEvent.type(input(/Title/), '!')
    await save()
    expect((await summary()).textContent).toContain('Someone changed this record')
    expect(sent(calls)).toHaveLength(5)
  })
})

describe('drafts of record forms', () => {
  const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('recordDraft:'))
  async function leaveAndReturn(router: Awaited<ReturnType<typeof renderSite>>) {
    void router.navigate('/elsewhere')
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await screen.findByRole('heading', { name: 'elsewhere' })
    await router.navigate('/mythings/edit/7')
    await screen.findByText('Your unsaved changes were restored.')
  }

  test('leaving a form with unsaved changes asks first; the draft is restored on return', async () => {
    stubServer(server)
    const router = await renderSite(things, '/mythings/edit/7')
    await screen.findByRole('button', { name: SAVE })
    await userEvent.type(input(/Title/), '!')
    await userEvent.click(screen.getByRole('link', { name: 'Cancel' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Stay on page' }))
    expect(address()).toBe('/mythings/edit/7')
    await userEvent.click(screen.getByRole('link', { name: 'Cancel' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    await router.navigate('/mythings/edit/7')
    await screen.findByText('Your unsaved changes were restored.')
    expect(input(/Title/).value).toBe('Lamp!')
    await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(input(/Title/).value).toBe('Lamp')
    expect(drafts()).toEqual([])
  })

  test('closing the tab asks only with unsaved changes', async () => {
    await open('/mythings/edit/7')
    const isUnloadPrevented = () =>
      !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(isUnloadPrevented()).toBe(false)
    await userEvent.type(input(/Title/), '!')
    expect(isUnloadPrevented()).toBe(true)
    await userEvent.type(input(/Title/), '{Backspace}')
    expect(isUnloadPrevented()).toBe(false)
    expect(drafts()).toEqual([])
  })

  test('a draft is saved with the version it is based on', async () => {
    const stub = {
      ...server,
      'GET /api/MyThings/7': loadedAt(v(3)),
      'PUT /api/Thing-List/7': rejection(v(4, { title: 'Their lamp' })),
    }
    stubServer(stub)
    const router = await renderSite(things, '/mythings/edit/7')
    await screen.findByRole('button', { name: SAVE })
    await userEvent.type(input(/Title/), '!')
    const calls = stubServer({
      ...stub,
      'GET /api/MyThings/7': loadedAt(v(4, { title: 'Their lamp' })),
    })
    await leaveAndReturn(router)
    await save()
    expect((await screen.findByRole('group', { name: 'Title' })).textContent).toContain(
      'OriginalLamp',
    )
    expect(sent(calls)[0]?.headers.get('if-match')).toBe('"3"')
  })

  test('[DYN-07] a draft holds no stored password, and saving it sends the stored one back', async () => {
    const form = [...fields, { name: 'key', label: 'Key', type: 'password' }]
    const stub = {
      ...server,
      'GET /api/MyThings/7': loadedAt(v(3, { key: 'stored-key' })),
      'GET /api/MyThings/form-metadata': { fields: form },
      'PUT /api/Thing-List/7': {},
    }
    const calls = stubServer(stub)
    const router = await renderSite(things, '/mythings/edit/7')
    await screen.findByRole('button', { name: SAVE })
    await userEvent.type(input(/Title/), '!')
    await waitFor(() => expect(drafts()).toHaveLength(1))
    const kept = JSON.stringify(Object.values(sessionStorage))
    expect(kept).not.toContain('stored-key')
    // Nor fields that the form doesn't have.
    expect(kept).not.toContain('secret')
    await leaveAndReturn(router)
    await save()
    await waitFor(() =>
      expect(sent(calls)[0]?.body).toEqual({ title: 'Lamp!', amount: 1, key: 'stored-key' }),
    )
  })

  test('[API-05] a draft on a server without versions does not revert others’ changes', async () => {
    const stub = { ...server, 'PUT /api/Thing-List/7': {} }
    stubServer(stub)
    const router = await renderSite(things, '/mythings/edit/7')
    await screen.findByRole('button', { name: SAVE })
    await userEvent.type(input(/Title/), '!')
    const calls = stubServer({ ...stub, 'GET /api/MyThings/7': { ...record, amount: 5 } })
    await leaveAndReturn(router)
    expect(input(/Amount/).value).toBe('5')
    await save()
    await waitFor(() => expect(sent(calls)[0]?.body).toEqual({ title: 'Lamp!', amount: 5 }))
  })

  test('another account’s draft in this tab is deleted without being shown', async () => {
    stubServer(server)
    await renderSite(things, '/mythings/edit/7', 'admin')
    await screen.findByRole('button', { name: SAVE })
    sessionStorage.setItem('recordDraft:sub-2:MyThings/7', '{"values":{"title":"Secret"}}')
    cleanup()
    const kept = Object.entries(sessionStorage)
    await renderSite(things, '/elsewhere', 'admin').then((router) => {
      for (const [key, value] of kept) sessionStorage.setItem(key, value)
      return router.navigate('/mythings/edit/7')
    })
    await screen.findByRole('button', { name: SAVE })
    expect(input(/Title/).value).toBe('Lamp')
    expect(drafts()).toEqual([])
  })

  test('[DYN-08] a save rejected with 401 keeps the form open and says what to do', async () => {
    await open('/mythings/edit/7', {
      'PUT /api/Thing-List/7': Response.json({ detail: 'Sign in to do this' }, { status: 401 }),
    })
    await userEvent.type(input(/Title/), '!')
    await save()
    expect((await summary()).textContent).toContain(
      'Sign in to do this. Your session has expired. Nothing you typed is lost: sign in again in another tab',
    )
    expect(input(/Title/).value).toBe('Lamp!')
  })
})

describe('ways to save', () => {
  const choose = async (way: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'More save options' }))
    await userEvent.click(await screen.findByRole('button', { name: way }))
  }

  test('[DYN-10] Save and keep editing, when creating, redirects to the edit page', async () => {
    await open('/mythings/create', { 'POST /api/Thing-List': { id: 7, title: 'Lamp' } })
    await userEvent.type(input(/Title/), '!')
    await choose('Save and keep editing')
    await screen.findByRole('button', { name: 'Save changes' })
    expect(address()).toBe('/mythings/edit/7')
    expect(toast()?.textContent).toContain('Thing (Lamp) created Successfully')
  })

  test('[DYN-11] Save and keep editing, when changing, keeps the page, and the next save uses the new version', async () => {
    let version = 3
    const calls = await open('/mythings/edit/7', {
      'GET /api/MyThings/7': () => loadedAt(v(version)),
      'PUT /api/Thing-List/7': () => {
        version += 1
        return {}
      },
    })
    await userEvent.type(input(/Title/), '!')
    await choose('Save and keep editing')
    await waitFor(() => expect(screen.queryByText(/unsaved change/)).toBeNull())
    expect(address()).toBe('/mythings/edit/7')
    await userEvent.type(input(/Title/), '?')
    await save()
    await waitFor(() => expect(sent(calls)[1]?.headers.get('if-match')).toBe('"4"'))
  })

  test('[DYN-10] Save and create another opens an empty form', async () => {
    const calls = await open('/mythings/create', { 'POST /api/Thing-List': { id: 7 } })
    await userEvent.type(input(/Title/), '!')
    await choose('Save and create another')
    await waitFor(() => expect(input(/Title/).value).toBe('Untitled'))
    expect(address()).toBe('/mythings/create')
    await save()
    await waitFor(() => expect(sent(calls)).toHaveLength(2))
    const [first, second] = sent(calls).map(({ headers }) => headers.get('idempotency-key'))
    expect(first).not.toBe(second)
  })
})

describe('undo', () => {
  const kept = { ...things, trash: true }
  const operation = { headers: { 'operation-id': 'op-1' } }
  async function change(given: object, answers: Record<string, unknown>) {
    const calls = stubServer({ ...server, ...answers })
    await renderSite(given, '/mythings/create')
    await screen.findByRole('button', { name: SAVE })
    await save()
    await screen.findByText(/created Successfully/)
    return calls
  }

  test('Undo reverts a creation, says so, and shows the list', async () => {
    const calls = await change(kept, {
      'POST /api/Thing-List': Response.json({ id: 9 }, operation),
      'POST /api/operations/op-1/undo': { operation: 'op-2', undone: [] },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Undone')).toBeDefined()
    expect(requestsIn(sent(calls))).toContain('POST /api/operations/op-1/undo')
    await waitFor(() => expect(address()).toBe('/mythings'))
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })

  test('a rejected Undo shows the server’s message', async () => {
    await change(kept, {
      'POST /api/Thing-List': Response.json({ id: 9 }, operation),
      'POST /api/operations/op-1/undo': Response.json(
        { detail: 'It was changed since' },
        { status: 409 },
      ),
    })
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(
      (await screen.findByText('It was changed since')).closest('[role]')?.className,
    ).toContain('danger')
  })

  test.each([
    ['has no history', things, operation],
    ['returns no operation ID', kept, {}],
  ])('Undo is not offered if the server %s', async (_what, given, init) => {
    await change(given, { 'POST /api/Thing-List': Response.json({ id: 9 }, init) })
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})
