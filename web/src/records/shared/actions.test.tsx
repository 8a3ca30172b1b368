import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { address, requestsIn, clearFeedback, renderSite, stubServer } from '../../../test/kit.tsx'

const things = {
  name: 'Thing',
  path: 'MyThings',
  routeName: 'Thing-List',
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'title', label: 'Title', type: 'text' },
      { name: 'amount', label: 'Amount', type: 'integer' },
      { name: 'on', label: 'On', type: 'boolean' },
    ],
  },
}
const record = { id: 7, title: 'Lamp', amount: 3, on: true }
const server = {
  'GET /api/Thing-List': [record],
  'GET /api/MyThings/7': record,
  'GET /api/MyThings/a%2Fb': { ...record, id: 'a/b' },
  'GET /api/MyThings/form-metadata': { fields: things.viewData.fields },
}

afterEach(clearFeedback)

type Role = 'user' | 'admin' | null
type Sent = {
  method: 'post' | 'put' | 'patch' | 'delete'
  to: string
  json?: object
  form?: Record<string, string>
}

/** Submits to a route's action from another page. */
async function send(
  { method, to, json, form = {} }: Sent,
  answers: Record<string, unknown>,
  { definition = things, role = null }: { definition?: object; role?: Role } = {},
) {
  const calls = stubServer({ ...server, ...answers })
  const router = await renderSite(definition, '/elsewhere', role)
  await screen.findByRole('heading', { name: 'elsewhere' })
  const formData = new FormData()
  for (const [name, value] of Object.entries(form)) formData.append(name, value)
  await act(() =>
    router.navigate(
      to,
      json
        ? { formMethod: method, formEncType: 'application/json', body: json }
        : { formMethod: method, formData },
    ),
  )
  return calls
}
const toast = () => document.querySelector('.toast-g')
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

describe('submissions to a route’s action', () => {
  test.each(['/mythings?index', '/mythings', '/mythings/create'])(
    '[DYN-13] [API-04] POST to %s creates and redirects to the detail page',
    async (to) => {
      const calls = await send(
        { method: 'post', to, form: { title: 'Lamp', amount: '3', on: 'on', stranger: 'x' } },
        { 'POST /api/Thing-List': new Response('{"id":7}', { status: 201 }) },
      )
      await heading('Lamp')
      expect(address()).toBe('/mythings/7')
      expect(calls.find(({ method }) => method === 'POST')).toMatchObject({
        url: '/api/Thing-List',
        body: { title: 'Lamp', amount: 3, on: true },
      })
      expect(toast()?.textContent).toContain('operation on create/edit was successful')
      expect(toast()?.className).toContain('success')
    },
  )

  test.each(['/mythings/7', '/mythings/edit/7'])(
    '[DYN-13] [API-05] PUT to %s changes and redirects to the detail page',
    async (to) => {
      const calls = await send(
        { method: 'put', to, json: { title: 'Lamp 2' } },
        { 'PUT /api/Thing-List/7': new Response(null, { status: 204 }) },
      )
      await heading('Lamp')
      expect(address()).toBe('/mythings/7')
      expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
        url: '/api/Thing-List/7',
        body: { title: 'Lamp 2' },
      })
      expect(toast()?.textContent).toContain('operation on create/edit was successful')
    },
  )

  test.each(['/mythings/7', '/mythings/edit/7', '/mythings/delete/7'])(
    '[DYN-13] [API-05] DELETE to %s deletes, without a body, and redirects to the list',
    async (to) => {
      const calls = await send(
        { method: 'delete', to },
        { 'DELETE /api/Thing-List/7': new Response(null, { status: 204 }) },
      )
      await heading('Things')
      expect(address()).toBe('/mythings')
      const sent = calls.find(({ method }) => method === 'DELETE')
      expect(sent?.url).toBe('/api/Thing-List/7')
      expect(sent?.body).toBeUndefined()
      expect(toast()?.textContent).toContain('Deleted successfully')
      expect(toast()?.className).toContain('success')
    },
  )

  test('[DYN-13] [DYN-15] ids are encoded in API calls and redirects', async () => {
    const calls = await send(
      { method: 'put', to: '/mythings/a%2Fb', json: { title: 'x' } },
      { 'PUT /api/Thing-List/a%2Fb': {} },
    )
    await heading('Lamp')
    expect(address()).toBe('/mythings/a%2Fb')
    expect(requestsIn(calls)).toContain('PUT /api/Thing-List/a%2Fb')
  })

  test('[DYN-13] [API-04] a creation whose response has no id redirects to the list', async () => {
    await send(
      { method: 'post', to: '/mythings?index', form: { title: 'Lamp' } },
      { 'POST /api/Thing-List': new Response(null, { status: 204 }) },
    )
    await heading('Things')
    expect(address()).toMatch(/^\/mythings\/?$/)
  })

  test.each<[Sent['method'], string]>([
    ['patch', '/mythings/7'],
    ['patch', '/mythings?index'],
    ['post', '/mythings/7'],
    ['post', '/mythings/edit/7'],
    ['post', '/mythings/delete/7'],
    ['put', '/mythings?index'],
    ['put', '/mythings'],
    ['put', '/mythings/create'],
    ['delete', '/mythings?index'],
    ['delete', '/mythings'],
  ])('[ERR-03] %s to %s is an unsupported action without an API call', async (method, to) => {
    const calls = await send({ method, to }, {})
    await heading('Oops! 405 - Method Not Allowed')
    expect(screen.getByText('Unsupported action')).toBeDefined()
    expect(calls.filter((call) => call.method !== 'GET')).toEqual([])
  })

  test('[DYN-13] a rejected submission keeps the page, without a success toast', async () => {
    const calls = await send(
      { method: 'put', to: '/mythings/7', json: { title: '' } },
      { 'PUT /api/Thing-List/7': Response.json({ detail: 'Title is required' }, { status: 422 }) },
    )
    await heading('Lamp')
    expect(toast()?.textContent ?? '').not.toContain('successful')
    expect(requestsIn(calls)).toContain('PUT /api/Thing-List/7')
  })

  test('[API-01] the router’s own ?index does not reach the API', async () => {
    const calls = await send(
      { method: 'post', to: '/mythings?index', form: { title: '' } },
      { 'POST /api/Thing-List': Response.json({ detail: 'No' }, { status: 422 }) },
    )
    await heading('Things')
    await waitFor(() => expect(requestsIn(calls).at(-1)).toBe('GET /api/Thing-List'))
  })
})

describe('permissions of submissions', () => {
  const cases: { flag: string; sent: Sent }[] = [
    { flag: 'create', sent: { method: 'post', to: '/mythings?index', form: { title: 'x' } } },
    { flag: 'create', sent: { method: 'post', to: '/mythings', form: { title: 'x' } } },
    { flag: 'create', sent: { method: 'post', to: '/mythings/create', form: { title: 'x' } } },
    { flag: 'update', sent: { method: 'put', to: '/mythings/7', json: {} } },
    { flag: 'update', sent: { method: 'put', to: '/mythings/edit/7', json: {} } },
    { flag: 'delete', sent: { method: 'delete', to: '/mythings/7' } },
    { flag: 'delete', sent: { method: 'delete', to: '/mythings/delete/7' } },
  ]

  test.each(cases)(
    '[PERM-03] $sent.method $sent.to by an anonymous visitor redirects to /login',
    async ({ flag, sent }) => {
      const definition = { ...things, authorise: { [flag]: false } }
      const calls = await send(sent, {}, { definition })
      await heading('login')
      expect(calls).toEqual([])
    },
  )

  test.each(cases)(
    '[PERM-04] $sent.method $sent.to by a non-admin redirects to /unauthorised',
    async ({ flag, sent }) => {
      const definition = { ...things, authorise: { [flag]: true } }
      const calls = await send(sent, {}, { definition, role: 'user' })
      await heading('unauthorised')
      expect(calls).toEqual([])
    },
  )
})
