import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import { address, asked, clearFeedback, openSite, stubServer, type Call } from '../../test/kit.tsx'

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
  await openSite(things, path)
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
  test('[DYN-10] [API-04] leads to the list with a toast that names the model and the record', async () => {
    const calls = await open('/mythings/create', {
      'POST /api/Thing-List': Response.json({ id: 9, title: 'Lamp!' }, { status: 201 }),
    })
    await userEvent.clear(input(/Title/))
    await userEvent.type(input(/Title/), 'Lamp')
    await save()
    await screen.findByRole('heading', { level: 1, name: 'Things' })
    expect(address()).toBe('/mythings')
    expect(sent(calls)).toMatchObject([
      { method: 'POST', url: '/api/Thing-List', body: { title: 'Lamp', amount: 1 } },
    ])
    expect(toast()?.textContent).toContain('Things (Lamp!) created Successfully')
    expect(toast()?.className).toContain('success')
  })

  test.each([
    ['only the id', Response.json({ id: 9 }, { status: 201 }), 'Untitled'],
    ['nothing', new Response(null, { status: 204 }), 'Untitled'],
    ['no JSON', new Response('created', { status: 201 }), 'Untitled'],
  ])('[DYN-10] a server that answers with %s: x is what was typed', async (_what, answer, x) => {
    await open('/mythings/create', { 'POST /api/Thing-List': answer })
    await save()
    await waitFor(() =>
      expect(toast()?.textContent).toContain(`Things (${x}) created Successfully`),
    )
  })

  test('[DYN-07] defaults stand in the form, and are sent', async () => {
    const calls = await open('/mythings/create', { 'POST /api/Thing-List': { id: 1 } })
    expect(input(/Title/).value).toBe('Untitled')
    expect(input(/Amount/).value).toBe('1')
    await save()
    await waitFor(() => expect(sent(calls)[0]?.body).toEqual({ title: 'Untitled', amount: 1 }))
  })

  test('[API-04] pressing again after a lost answer makes one record: the key stays', async () => {
    const calls = await open('/mythings/create', {
      'POST /api/Thing-List': new TypeError('Failed to fetch'),
    })
    await save()
    expect((await summary()).textContent).toContain('Failed to fetch')
    expect(input(/Title/).value).toBe('Untitled')
    await save()
    await waitFor(() => expect(sent(calls)).toHaveLength(2))
    const [first, second] = sent(calls).map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
  })
})

describe('changing', () => {
  test('[DYN-11] [API-05] leads to the detail page with a toast that names the model and the record', async () => {
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
    expect(toast()?.textContent).toContain('Things (Lamp 2) updated Successfully')
    expect(toast()?.className).toContain('success')
  })

  test('[DYN-07] defaults are for creating only: what is empty stays empty', async () => {
    const calls = await open('/mythings/edit/7', { 'PUT /api/Thing-List/7': {} })
    expect(input(/Amount/).value).toBe('')
    await save()
    await waitFor(() => expect(sent(calls)[0]?.body).toEqual({ title: 'Lamp', amount: null }))
  })

  test('[API-05] what somebody else changed meanwhile is not overwritten: the etag goes along', async () => {
    const calls = await open('/mythings/edit/7', {
      'GET /api/MyThings/7': Response.json(record, { headers: { etag: '"3"' } }),
      'PUT /api/Thing-List/7': Response.json({ detail: 'Changed' }, { status: 412 }),
    })
    await save()
    expect((await summary()).textContent).toContain('Changed')
    expect(sent(calls)[0]?.headers.get('if-match')).toBe('"3"')
  })

  test('[DYN-15] a record that does not repeat its id is saved at the address it was opened by', async () => {
    const calls = await open('/mythings/edit/7', {
      'GET /api/MyThings/7': { title: 'Lamp' },
      'PUT /api/Thing-List/7': {},
    })
    await save()
    await waitFor(() => expect(asked(sent(calls))).toEqual(['PUT /api/Thing-List/7']))
  })

  test('[DYN-03] Cancel leads back to the record and sends nothing', async () => {
    const calls = await open('/mythings/edit/7')
    await userEvent.click(screen.getByRole('link', { name: 'Cancel' }))
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    expect(sent(calls)).toEqual([])
  })
})

describe('while and when saving does not work', () => {
  test('[DYN-08] the button says Saving... until the server has answered, and can not be pressed twice', async () => {
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
  ])('[DYN-08] the server’s words are shown in the form, from %s', async (_where, body, words) => {
    await open('/mythings/create', {
      'POST /api/Thing-List': new Response(typeof body === 'string' ? body : JSON.stringify(body), {
        status: 400,
      }),
    })
    await save()
    expect((await summary()).textContent).toContain(words)
    expect(document.activeElement).toBe(await summary())
    expect(input(/Title/).value).toBe('Untitled')
    expect(address()).toBe('/mythings/create')
    expect(toast()).toBeNull()
  })

  test('[DYN-08] words that belong to a field stand in the summary and at the field', async () => {
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

  test('[DYN-08] words for a field the form does not have are shown too, and do not block the next try', async () => {
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

  test('[DYN-08] what was corrected is sent, and the old words go away', async () => {
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

  test('[DYN-08] what is plainly missing is said before the server is asked', async () => {
    const calls = await open('/mythings/create')
    await userEvent.clear(input(/Title/))
    await save()
    expect((await summary()).textContent).toBe(
      'The record was not saved.  One field needs a change: Title.',
    )
    expect(screen.getByText('Title is required.')).toBeDefined()
    await userEvent.click(screen.getByRole('link', { name: 'Title' }))
    expect(document.activeElement).toBe(input(/Title/))
    expect(input(/Title/).getAttribute('aria-invalid')).toBe('true')
    expect(sent(calls)).toEqual([])
  })
})
