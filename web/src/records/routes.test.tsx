import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import fc from 'fast-check'
import { matchRoutes, type RouteObject } from 'react-router'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  address,
  requestsIn,
  clearFeedback,
  modelRoutes,
  renderSite,
  SIGN_IN,
  stubServer,
  type Call,
} from '../../test/kit.tsx'

/** Path and routeName differ, and the path has capitals, to tell their uses apart. */
const things = {
  name: 'Thing',
  path: 'MyThings',
  routeName: 'Thing-List',
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [
      { name: 'title', label: 'Title', type: 'text', default: null },
      { name: 'amount', label: 'Amount', type: 'integer', default: 1 },
    ],
  },
}
const record = { id: 7, title: 'Lamp', amount: 3 }
const metadata = { fields: things.viewData.fields }
const server = {
  'GET /api/Thing-List': [record],
  'GET /api/MyThings/7': record,
  'GET /api/MyThings/form-metadata': metadata,
}

afterEach(clearFeedback)

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

describe('the pages of a model', () => {
  test.each([
    ['/mythings', 'Things', ['GET /api/Thing-List']],
    ['/mythings/7', 'Lamp', ['GET /api/MyThings/7']],
    ['/mythings/create', 'Create thing', ['GET /api/MyThings/form-metadata']],
    ['/mythings/edit/7', 'Edit thing', ['GET /api/MyThings/form-metadata', 'GET /api/MyThings/7']],
    ['/mythings/delete/7', 'Delete this thing?', ['GET /api/MyThings/7']],
  ])(
    '[DYN-03] [API-01] [API-02] [API-03] %s shows %s: routes are lowercase, API calls as written',
    async (path, title, calls) => {
      const made = stubServer(server)
      await renderSite(things, path)
      await heading(title)
      expect(requestsIn(made)).toEqual(calls)
    },
  )

  test('[DYN-03] the route uses the lowercase path, and is found regardless of case', async () => {
    const route = await modelRoutes(things)
    expect(matchRoutes([route], '/mythings')?.[0]?.params).toEqual({ model: 'mythings' })
    expect(matchRoutes([route], '/MYTHINGS/edit/7')?.at(-1)?.route.path).toBe('edit/:id')
    expect(matchRoutes([route], '/mythings/edit')?.at(-1)?.route.path).toBe(':id')
    expect(matchRoutes([route], '/mythings/7/8')).toBeNull()
  })

  test('[DYN-03] /create opens the form, not a record with the id “create”', async () => {
    const calls = stubServer({ ...server, 'GET /api/MyThings/create': record })
    await renderSite(things, '/mythings/create')
    await heading('Create thing')
    expect(requestsIn(calls)).not.toContain('GET /api/MyThings/create')
  })

  test('[DYN-03] each page has its own title, otherwise the model’s', async () => {
    stubServer(server)
    const router = await renderSite(things, '/mythings')
    await heading('Things')
    expect(document.title).toBe('Things')
    await router.navigate('/mythings/7')
    await heading('Lamp')
    expect(document.title).toBe('Lamp')
    await router.navigate('/mythings/create')
    await heading('Create thing')
    expect(document.title).toBe('Create thing')
    await router.navigate('/mythings')
    await heading('Things')
    expect(document.title).toBe('Things')
  })

  test('[API-01] the page’s query string is sent to the API, without toast and modal', async () => {
    const calls = stubServer(server)
    const toast = encodeURIComponent('{"message":"a"}')
    await renderSite(things, `/mythings?sort=-title&toast=${toast}&filter=a%26b&modal=x&filter=c`)
    await heading('Things')
    expect(calls[0]?.url.startsWith('/api/Thing-List?')).toBe(true)
    expect([...new URLSearchParams(calls[0]?.url.split('?')[1])]).toEqual([
      ['sort', '-title'],
      ['filter', 'a&b'],
      ['filter', 'c'],
    ])
  })

  test('[API-01] a page without a query string sends none to the API', async () => {
    const calls = stubServer(server)
    await renderSite(things, '/mythings?toast=x')
    await heading('Things')
    expect(requestsIn(calls)).toEqual(['GET /api/Thing-List'])
  })

  test('[API-05] API calls have a token only if signed in', async () => {
    const calls = stubServer(server)
    await renderSite(things, '/mythings', 'user')
    await heading('Things')
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer token-of-the-visitor')
    const more = stubServer(server)
    await renderSite(things, '/mythings', null)
    await waitFor(() => expect(more).toHaveLength(1))
    expect(more[0]?.headers.has('authorization')).toBe(false)
  })
})

describe('a record', () => {
  test('[DYN-15] a record shows its fields, named by their labels', async () => {
    stubServer(server)
    await renderSite(things, '/mythings/7')
    await heading('Lamp')
    const shown = within(document.querySelector<HTMLElement>('.props') ?? document.body)
    expect(shown.getAllByRole('term').map((one) => one.textContent)).toEqual(['Title', 'Amount'])
    expect(shown.getAllByRole('definition').map((one) => one.textContent)).toEqual(['Lamp', '3'])
  })

  test.each([
    ['an empty body', new Response('', { status: 200 })],
    ['no content', new Response(null, { status: 204 })],
    ['null', null],
    ['an empty object', {}],
    ['a list', []],
    ['a text', 'hello'],
  ])('[DYN-06] a record page shows No data available for %s', async (_what, answer) => {
    stubServer({ 'GET /api/MyThings/7': answer })
    await renderSite(things, '/mythings/7')
    expect(await screen.findByText('No data available')).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
  })

  test.each([
    [0, '0'],
    [7, '7'],
    [-1, '-1'],
    ['a/b', 'a%2Fb'],
    ['a b', 'a%20b'],
    ['100%', '100%25'],
    ['?x=1&y', '%3Fx%3D1%26y'],
    ['#1', '%231'],
    ['ünï', '%C3%BCn%C3%AF'],
    ['a+b', 'a%2Bb'],
    ['create', 'create'],
  ])('[DYN-15] an id %j is encoded in links and calls', async (id, encoded) => {
    const answers = {
      'GET /api/Thing-List': [{ ...record, id }],
      [`GET /api/MyThings/${encoded}`]: { ...record, id },
      'GET /api/MyThings/form-metadata': metadata,
    }
    stubServer(answers)
    const router = await renderSite(things, '/mythings')
    const link = await screen.findByRole('link', { name: 'Lamp' })
    expect(link.getAttribute('href')).toBe(`/mythings/${encoded}`)
    fireEvent.click(screen.getByRole('button', { name: 'Actions for Lamp' }))
    const edit = await screen.findByRole('link', { name: 'Edit Lamp' })
    expect(edit.getAttribute('href')).toBe(`/mythings/edit/${encoded}`)
    const calls = stubServer(answers)
    await router.navigate(`/mythings/edit/${encoded}`)
    await heading('Edit thing')
    expect(requestsIn(calls)).toContain(`GET /api/MyThings/${encoded}`)
    await router.navigate(`/mythings/delete/${encoded}`)
    await heading('Delete this thing?')
    const keep = screen.getByRole('link', { name: 'Keep record' })
    expect(keep.getAttribute('href')).toBe(`/mythings/${encoded}`)
  })

  test('[DYN-15] any id round-trips through an address', async () => {
    const route = await modelRoutes(things)
    fc.assert(
      fc.property(
        // The router can't tell "%2F" in an id from a slash; "." and ".." can't be path segments.
        fc.string({ minLength: 1 }).filter((id) => !/^\.\.?$|%2F|^create$/i.test(id)),
        (id) => {
          const { pathname } = new URL(`/mythings/${encodeURIComponent(id)}`, 'http://a.test')
          expect(matchRoutes([route], pathname)?.at(-1)?.params['id']).toBe(id)
        },
      ),
    )
  })

  test('[DYN-15] a record without its id in the response is shown', async () => {
    stubServer({ ...server, 'GET /api/MyThings/7': { title: 'Lamp', amount: 3 } })
    await renderSite(things, '/mythings/7')
    await heading('Lamp')
    expect(screen.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe('/mythings/edit/7')
    expect(screen.getByRole('link', { name: 'Delete' }).getAttribute('href')).toBe(
      '/mythings/delete/7',
    )
  })
})

describe('access to record pages', () => {
  const PAGES = [
    ['list', '/mythings?sort=title&q=a%20b'],
    ['get', '/mythings/7'],
    ['create', '/mythings/create'],
    ['update', '/mythings/edit/7'],
    ['delete', '/mythings/delete/7'],
  ] as const

  describe.each(PAGES)('%s', (action, path) => {
    test.each([true, false, null, 'true'])(
      '[PERM-03] flag %j redirects an anonymous visitor to /login with a returnUrl, without an API call',
      async (flag) => {
        const calls = stubServer(server)
        await renderSite({ ...things, authorise: { [action]: flag } }, path)
        await heading('login')
        expect(address()).toBe(`/login?returnUrl=${encodeURIComponent(path)}`)
        // Only the provider gets a request, for a session unknown to this tab.
        expect(requestsIn(calls).filter((call) => !call.includes(SIGN_IN.authority))).toEqual([])
      },
    )

    test('[PERM-04] flag true redirects a signed-in non-admin to /unauthorised', async () => {
      const calls = stubServer(server)
      await renderSite({ ...things, authorise: { [action]: true } }, path, 'user')
      await heading('unauthorised')
      expect(address()).toBe('/unauthorised')
      expect(calls).toEqual([])
    })

    test.each([
      [true, 'admin'],
      [false, 'user'],
      ['true', 'user'],
      [null, 'user'],
      [undefined, null],
    ] as const)('[PERM-02] flag %j grants access to %s', async (flag, role) => {
      stubServer(server)
      await renderSite({ ...things, authorise: { [action]: flag } }, path, role)
      await waitFor(() => expect(address()).toBe(path))
      expect(screen.queryByText('login')).toBeNull()
    })

    test('[PERM-02] flags of other actions do not restrict this page', async () => {
      stubServer(server)
      const others = PAGES.map(([one]) => one).filter((one) => one !== action)
      const authorise = Object.fromEntries(others.map((one) => [one, true]))
      await renderSite({ ...things, authorise }, path)
      await waitFor(() => expect(address()).toBe(path))
    })
  })

  test('[PERM-02] buttons follow the same rule as the guard', async () => {
    const authorise = { create: true, update: false, delete: true }
    const offered = () =>
      ['Create thing', 'Edit Lamp', 'Delete now'].filter(
        (name) => screen.queryByRole('link', { name }) ?? screen.queryByRole('button', { name }),
      )
    for (const [role, expected] of [
      [null, []],
      ['user', ['Edit Lamp']],
      ['admin', ['Create thing', 'Edit Lamp', 'Delete now']],
    ] as const) {
      stubServer(server)
      await renderSite({ ...things, authorise }, '/mythings', role)
      await heading('Things')
      fireEvent.click(screen.getByRole('button', { name: 'Actions for Lamp' }))
      await screen.findByRole('link', { name: 'Open Lamp' })
      await waitFor(() => expect(offered()).toEqual(expected))
      clearFeedback()
    }
  })
})

describe('when loading fails', () => {
  const fails = (status: number, statusText = '') => new Response('{}', { status, statusText })
  const screenOf = async (title: string) => {
    await heading(title)
    return within(screen.getByRole('heading', { name: title }).parentElement!)
  }

  test.each([
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [418, 'Short and stout'],
    [500, 'Server exploded'],
    [503, 'Service Unavailable'],
  ])('[ERR-01] [DYN-05] a list that responds with %i %s shows it', async (status, statusText) => {
    stubServer({ 'GET /api/Thing-List': fails(status, statusText) })
    await renderSite(things, '/mythings')
    const page = await screenOf(`Oops! ${status} - ${statusText}`)
    expect(page.getByText(`Error loading list: ${status}`)).toBeDefined()
  })

  test.each(['/mythings/7', '/mythings/delete/7'])(
    '[ERR-01] [DYN-05] a record rejected at %s shows the status',
    async (path) => {
      stubServer({ 'GET /api/MyThings/7': fails(403, 'Forbidden') })
      await renderSite(things, path)
      const page = await screenOf('Oops! 403 - Forbidden')
      expect(page.getByText('Error loading model: 403')).toBeDefined()
    },
  )

  test.each([
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [404, 'Not Found'],
    [408, 'Request Timeout'],
    [422, 'Unprocessable Entity'],
    [501, 'Not Implemented'],
    [503, 'Service Unavailable'],
  ])(
    '[ERR-01] [DYN-05] status %i without a status text shows the standard phrase',
    async (status, phrase) => {
      stubServer({ 'GET /api/Thing-List': fails(status) })
      await renderSite(things, '/mythings')
      expect(await heading(`Oops! ${status} - ${phrase}`)).toBeDefined()
    },
  )

  test.each<[string, string, string, unknown]>([
    ['/mythings/create', 'rejected', 'Oops! 403 - Forbidden', fails(403)],
    ['/mythings/create', 'missing', 'Oops! 404 - Not Found', fails(404)],
    ['/mythings/create', 'without fields', 'Oops! 404 - Not Found', { fields: [] }],
    ['/mythings/create', 'an empty list', 'Oops! 404 - Not Found', []],
    ['/mythings/create', 'null', 'Oops! 404 - Not Found', null],
    [
      '/mythings/create',
      'no content',
      'Oops! 404 - Not Found',
      new Response(null, { status: 204 }),
    ],
    ['/mythings/edit/7', 'rejected', 'Oops! 401 - Unauthorized', fails(401)],
  ])('[ERR-02] at %s form metadata that is %s shows %s', async (path, _what, title, answer) => {
    stubServer({ ...server, 'GET /api/MyThings/form-metadata': answer })
    await renderSite(things, path)
    const page = await screenOf(title)
    expect(page.getByText('Form metadata not found')).toBeDefined()
  })

  test.each<[string, unknown, string]>([
    ['missing', fails(404), 'Oops! 404 - Not Found'],
    ['rejected', fails(403), 'Oops! 403 - Forbidden'],
    ['empty', new Response('', { status: 200 }), 'Oops! 404 - Not Found'],
    ['null', null, 'Oops! 404 - Not Found'],
    ['an empty object', {}, 'Oops! 404 - Not Found'],
  ])(
    '[ERR-02] a record to edit that is %s shows Record not found',
    async (_what, answer, title) => {
      stubServer({ ...server, 'GET /api/MyThings/7': answer })
      await renderSite(things, '/mythings/edit/7')
      const page = await screenOf(title)
      expect(page.getByText('Record not found')).toBeDefined()
    },
  )

  test.each(['/mythings', '/mythings/7', '/mythings/create', '/mythings/edit/7'])(
    '[ERR-02] [DYN-05] any other failure at %s shows status 500 with its message',
    async (path) => {
      const down = new TypeError('Failed to fetch')
      stubServer({
        'GET /api/Thing-List': down,
        'GET /api/MyThings/7': down,
        'GET /api/MyThings/form-metadata': down,
      })
      await renderSite(things, path)
      const page = await screenOf('Oops! 500 - Internal Server Error')
      expect(page.getByText('Failed to fetch')).toBeDefined()
    },
  )

  test('[ERR-02] a response that is not JSON shows status 500 with the parser’s message', async () => {
    stubServer({ 'GET /api/Thing-List': new Response('<html>', { status: 200 }) })
    await renderSite(things, '/mythings')
    const page = await screenOf('Oops! 500 - Internal Server Error')
    expect(page.getByText(/JSON/)).toBeDefined()
  })

  test('[DYN-05] a render error is shown as an unexpected error', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    stubServer(server)
    const { children, ...route } = await modelRoutes(things)
    const broken = children?.map(({ lazy, ...child }) =>
      child.path === ':id' ? { ...child, Component: Broken } : { ...child, lazy },
    )
    await renderSite([{ ...route, children: broken } as RouteObject], '/mythings/7')
    await heading('Unexpected Error')
    expect(screen.queryByText('boom')).toBeNull()
  })

  test('[DYN-05] the error screen has a link back', async () => {
    stubServer({ ...server, 'GET /api/MyThings/8': fails(404) })
    const router = await renderSite(things, '/mythings/8')
    await heading('Oops! 404 - Not Found')
    const back = screen.getByRole('link', { name: 'Back to Things' })
    expect(back.getAttribute('href')).toBe('/mythings')
    await router.navigate('/mythings')
    await heading('Things')
  })

  test('[DYN-05] a failed page does not affect the layout and other pages', async () => {
    stubServer({ ...server, 'GET /api/Thing-List': fails(500) })
    const router = await renderSite(things, '/mythings')
    await heading('Oops! 500 - Internal Server Error')
    expect(address()).toBe('/mythings')
    await router.navigate('/mythings/7')
    await heading('Lamp')
  })
})

function Broken(): never {
  throw new Error('boom')
}

test('[LOAD-01] a record page says that it is loading', async () => {
  let release = () => {}
  const late = new Promise<void>((resolve) => (release = resolve))
  stubServer({
    'GET /api/MyThings/7': async (_call: Call) => {
      await late
      return record
    },
  })
  await renderSite(things, '/mythings/7')
  expect(await screen.findByText('Loading route...')).toBeDefined()
  release()
  await heading('Lamp')
  expect(screen.queryByText('Loading route...')).toBeNull()
})
