import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, test } from 'vitest'
import { address, requestsIn, clearFeedback, renderSite, stubServer } from '../../../test/kit.tsx'

const things = {
  name: 'Thing',
  path: 'MyThings',
  routeName: 'Thing-List',
  viewData: {
    title: 'Things',
    // The last of many fields: the display value must be visible anyway.
    displayField: 'title',
    fields: [
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
        name,
        label: `Field ${name}`,
        type: 'text',
      })),
      { name: 'title', label: 'Title', type: 'text' },
    ],
  },
}
const record = { id: 7, title: 'Lamp', a: 'Value of a' }
const server = { 'GET /api/Thing-List': [record], 'GET /api/MyThings/7': record }

afterEach(clearFeedback)

async function open(answers: Record<string, unknown> = {}) {
  const calls = stubServer({ ...server, ...answers })
  await renderSite(things, '/mythings/delete/7')
  await screen.findByRole('heading', { level: 1, name: 'Delete this thing?' })
  return calls
}
const clickDelete = () => userEvent.click(screen.getByRole('button', { name: 'Delete' }))
const toast = () => document.querySelector('.toast-g')

describe('the delete page', () => {
  test('[DYN-04] the delete page shows the record and a Delete button, and deletes nothing by itself', async () => {
    const calls = await open()
    expect(screen.getAllByText('Lamp')).toHaveLength(2)
    expect(screen.getByText('Value of a')).toBeDefined()
    expect(screen.getByText('You may not be able to get this record back.')).toBeDefined()
    expect(screen.queryByText(/trash/i)).toBeNull()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(false)
    expect(requestsIn(calls)).toEqual(['GET /api/MyThings/7'])
  })

  test('[DYN-04] Keep record has the initial focus on the delete page', async () => {
    await open()
    const keep = screen.getByRole('link', { name: 'Keep record' })
    await waitFor(() => expect(document.activeElement).toBe(keep))
  })

  test('[DYN-04] Keep record returns to the record', async () => {
    const calls = await open()
    await userEvent.click(screen.getByRole('link', { name: 'Keep record' }))
    await screen.findByRole('heading', { level: 1, name: 'Lamp' })
    expect(requestsIn(calls)).not.toContain('DELETE /api/Thing-List/7')
  })

  test('[DYN-06] an empty record can’t be deleted', async () => {
    await open({ 'GET /api/MyThings/7': null })
    expect(screen.getByText('No data available')).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
  })

  test('[DYN-09] the button says Deleting... until the server has responded, and can’t be clicked twice', async () => {
    let release = () => {}
    const late = new Promise<void>((resolve) => (release = resolve))
    const calls = await open({
      'DELETE /api/Thing-List/7': async () => {
        await late
        return new Response(null, { status: 204 })
      },
    })
    await clickDelete()
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Deleting...' })
    expect(button.disabled).toBe(true)
    release()
    await screen.findByRole('heading', { level: 1, name: 'Things' })
    expect(requestsIn(calls).filter((one) => one.startsWith('DELETE'))).toHaveLength(1)
  })
})

describe('after deleting', () => {
  test.each([
    ['204', new Response(null, { status: 204 })],
    ['200', new Response('{}', { status: 200 })],
  ])(
    '[DYN-12] [API-05] a successful delete (%s) redirects to the list with a success toast',
    async (_status, answer) => {
      const calls = await open({ 'DELETE /api/Thing-List/7': answer })
      await clickDelete()
      await waitFor(() => expect(address()).toBe('/mythings'))
      await screen.findByRole('heading', { level: 1, name: 'Things' })
      expect(toast()?.textContent).toContain('Thing (Lamp) deleted Successfully')
      expect(toast()?.className).toContain('success')
      const sent = calls.find(({ method }) => method === 'DELETE')
      expect(sent?.url).toBe('/api/Thing-List/7')
      expect(sent?.body).toBeUndefined()
    },
  )

  test.each([
    ['a refusal', new Response('{}', { status: 409 })],
    ['a network that fails', new TypeError('Failed to fetch')],
  ])(
    '[DYN-12] a delete failed by %s redirects to the list with a danger toast',
    async (_what, answer) => {
      await open({ 'DELETE /api/Thing-List/7': answer })
      await clickDelete()
      await waitFor(() => expect(address()).toBe('/mythings'))
      await screen.findByRole('heading', { level: 1, name: 'Things' })
      expect(toast()?.textContent).toContain('Thing (Lamp) Delete failed. Please try again.')
      expect(toast()?.className).toContain('danger')
      expect(toast()?.getAttribute('role')).toBe('alert')
    },
  )

  test('[API-05] a record changed since is not deleted: If-Match is sent', async () => {
    const calls = await open({
      'GET /api/MyThings/7': Response.json(record, { headers: { etag: '"3"' } }),
      'DELETE /api/Thing-List/7': new Response('{}', { status: 412 }),
    })
    await clickDelete()
    await waitFor(() => expect(toast()).not.toBeNull())
    const sent = calls.find(({ method }) => method === 'DELETE')
    expect(sent?.headers.get('if-match')).toBe('"3"')
  })

  test('[DYN-15] a record without its id in the response is deleted by the id of the page’s URL', async () => {
    const calls = await open({
      'GET /api/MyThings/7': { title: 'Lamp' },
      'DELETE /api/Thing-List/7': new Response(null, { status: 204 }),
    })
    await clickDelete()
    await waitFor(() => expect(requestsIn(calls)).toContain('DELETE /api/Thing-List/7'))
  })
})
