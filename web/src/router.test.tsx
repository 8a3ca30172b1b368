import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { AuthProvider } from 'react-oidc-context'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  requestsIn,
  buildUser,
  clearFeedback,
  SIGN_IN,
  signInAs,
  stubServer,
} from '../test/kit.tsx'
import { watchInstructions } from '#feedback/instructions.ts'
import { definitionAt, loadDefinitions, refreshDefinitions } from '#data/definitions.ts'
import { setConfig, type SiteConfig } from '#auth/read-config.ts'
import { buildProductPages } from './product-pages.tsx'
import { buildRouter, routesOf } from './router.tsx'
import { FIXED_PATHS, PRODUCT_PATHS } from './site-map.tsx'

const things = {
  name: 'Thing',
  path: 'things',
  routeName: 'things',
  viewData: {
    title: 'Things',
    displayField: 'title',
    fields: [{ name: 'title', label: 'Title', type: 'text' }],
  },
}
const server = {
  'GET /api/models': [things],
  'GET /api/things': [{ id: 1, title: 'Lamp' }],
  'GET /api/things/1': { id: 1, title: 'Lamp' },
}

const pending: (() => void)[] = []
let stop = () => {}
// A router consumes `lazy`; these tests create many routers.
beforeAll(() => routesOf('/unauthorised').then(() => {}))
afterEach(async () => {
  stop()
  for (const release of pending.splice(0)) release()
  cleanup()
  sessionStorage.setItem('dynamicRoutes', '[]')
  await loadDefinitions([])
  clearFeedback()
  window.history.replaceState(null, '', '/')
})

/** The site as main.tsx starts it. */
async function start(
  address: string,
  answers: Record<string, unknown> = server,
  claims?: Record<string, unknown>,
  config: Partial<SiteConfig> = {},
) {
  const userManager = await signInAs(null)
  setConfig({ ...SIGN_IN, ...config })
  if (claims) await userManager.storeUser(buildUser(claims))
  const calls = stubServer(answers)
  // Missing in jsdom.
  vi.stubGlobal('scrollTo', () => {})
  vi.stubGlobal('matchMedia', () => ({ matches: false, addListener() {}, removeListener() {} }))
  window.history.replaceState(null, '', address)
  void loadDefinitions(FIXED_PATHS, PRODUCT_PATHS)
  const router = buildRouter()
  const stopWatching = watchInstructions(router)
  stop = () => {
    stopWatching()
    router.dispose()
  }
  render(
    <AuthProvider userManager={userManager} skipSigninCallback>
      <RouterProvider router={router} />
    </AuthProvider>,
  )
  return { router, calls, userManager }
}
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const trail = () => [...document.querySelectorAll('.crumbs li')].map((one) => one.textContent)
const toasts = () => [...document.querySelectorAll('.toast-message')].map((one) => one.textContent)
/** A response that is pending until `release`; released even if the test fails. */
function later() {
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  pending.push(release)
  return { until, release }
}

// Must be the first test: later ones start with loaded models.
test('[LOAD-01] [CRUMB-02] a possible record path shows Loading route..., and only Home as breadcrumb until the page has loaded', async () => {
  const models = later()
  const record = later()
  await start('/things/1', {
    'GET /api/models': async () => {
      await models.until
      return [things]
    },
    'GET /api/things/1': async () => {
      await record.until
      return { id: 1, title: 'Lamp' }
    },
  })
  expect(await screen.findByText('Loading route...')).toBeDefined()
  expect(screen.queryByText('Loading view...')).toBeNull()
  await waitFor(() => expect(trail()).toEqual(['Home']))
  expect(document.title).not.toContain('Not Found')
  models.release()
  await waitFor(() => expect(definitionAt('things')).toBeDefined())
  expect(trail()).toEqual(['Home'])
  record.release()
  await heading('Lamp')
  expect(trail()).toEqual(['Home', 'Things', 'Lamp'])
})

describe('record pages of definitions that load later', () => {
  test.each(['/things', '/THINGS', '/things/1'])(
    '[DYN-01] [DYN-03] %s opens as soon as the definitions have loaded',
    async (address) => {
      await start(address)
      expect(await heading(address === '/things/1' ? 'Lamp' : 'Things')).toBeDefined()
    },
  )

  test('[DYN-03] [LAY-04] an instruction in the URL does not make the page unknown', async () => {
    const { until, release } = later()
    await start(`/things?toast=${encodeURIComponent('{"message":"Hello"}')}`, {
      ...server,
      'GET /api/models': async () => {
        await until
        return [things]
      },
    })
    await act(() => Promise.resolve())
    release()
    await heading('Things')
    expect(window.location.search).toBe('')
    expect(toasts()).toEqual(['Hello'])
  })

  test('[ROUTE-02] a path without a definition is not found', async () => {
    await start('/nothings')
    await heading('404 - Not Found')
    expect(screen.getByText("The page you're looking for doesn't exist.")).toBeDefined()
  })

  test('[DYN-01] a page opened right after signing in uses the user’s own definitions', async () => {
    const { router, userManager } = await start('/things', {
      ...server,
      'GET /api/models': [{ ...things, viewData: { ...things.viewData, fields: [] } }],
    })
    await heading('Things')
    await act(() => router.navigate('/unauthorised'))
    const { until, release } = later()
    stubServer({
      ...server,
      'GET /api/models': async () => {
        await until
        return [things]
      },
    })
    await act(async () => {
      await userManager.storeUser(buildUser({}))
      void refreshDefinitions()
      void router.navigate('/things')
      await Promise.resolve()
    })
    release()
    await heading('Things')
    expect(screen.getByRole('columnheader', { name: 'Title' })).toBeDefined()
  })

  test('[PERM-03] a new definition’s permissions apply immediately', async () => {
    const { router } = await start('/things')
    await heading('Things')
    stubServer({
      ...server,
      'GET /api/models': [{ ...things, authorise: { get: false } }],
    })
    await act(() => refreshDefinitions())
    await act(() => router.navigate('/things/1'))
    expect(window.location.pathname).toBe('/login')
  })
})

describe('broken definitions', () => {
  test('[LOAD-02] a failure to load the definitions is shown on every page, and the site’s own pages still work', async () => {
    const { router } = await start('/unauthorised', {
      'GET /api/models': new Response('', { status: 503 }),
    })
    await heading('401 - Unauthorized')
    const words = 'Critical error loading routes. Please try again later.'
    await waitFor(() =>
      expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual([words]),
    )
    await act(() => router.navigate('/contact/nowhere'))
    await heading('404 - Not Found')
    expect(screen.getByText(words)).toBeDefined()
  })

  test('[LOAD-02] a record path shows the failed definitions instead of 404, and recovers without a reload', async () => {
    const answers: Record<string, unknown> = {
      ...server,
      'GET /api/models': new Response('', { status: 503 }),
    }
    await start('/things', answers)
    const words = 'Critical error loading routes. Please try again later.'
    expect(await screen.findByText(words)).toBeDefined()
    expect(screen.queryByText(/Not Found/)).toBeNull()
    await waitFor(() => expect(document.title).toContain('Unexpected Error'))
    expect(document.querySelector('main')?.textContent).not.toMatch(/error|couldn’t/i)
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    expect(trail()).toEqual(['Home'])
    answers['GET /api/models'] = [things]
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await heading('Things')
    expect(screen.queryByText(words)).toBeNull()
  })

  test('[DYN-14] a broken definition shows a danger toast, and the others have their pages', async () => {
    await start('/things', { ...server, 'GET /api/models': [{ name: 'No path' }, things] })
    await heading('Things')
    await waitFor(() => expect(toasts()).toEqual(['A model definition has no valid path.']))
    expect(document.querySelector('.toast-g')?.className).toContain('danger')
  })

  test.each(['api', 'silent-renew.html'])(
    '[DYN-03] [DYN-14] a model can’t use %s, a path that the server handles',
    async (path) => {
      await start('/unauthorised', {
        ...server,
        'GET /api/models': [{ ...things, path }, things],
      })
      await waitFor(() => expect(toasts()).toEqual([`The path /${path} is reserved.`]))
    },
  )

  test('[DYN-03] [DYN-14] a fixed route overrides a model’s, and a toast says so', async () => {
    expect(FIXED_PATHS).toEqual(
      expect.arrayContaining(['profile', 'contact', 'privacy', 'login', 'unauthorised']),
    )
    await start('/unauthorised', {
      ...server,
      'GET /api/models': [{ ...things, path: 'Unauthorised' }, things],
    })
    await heading('401 - Unauthorized')
    await waitFor(() => expect(toasts()).toEqual(['The path /unauthorised is reserved.']))
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toContain('/things')
    expect(links).not.toContain('/unauthorised')
  })
})

describe('the product’s own pages', () => {
  const people = { ...things, name: 'Person', path: 'People', routeName: 'people' }
  const foreign = {
    'GET /api/models': [people],
    'GET /api/people': [{ id: 1, title: 'Kim' }],
  }

  test.each(PRODUCT_PATHS)(
    '[ROUTE-02] without productPages in config.json /%s is not found',
    async (path) => {
      await start(`/${path}`, server, { role: 'admin' }, { productPages: false })
      expect(await heading('404 - Not Found')).toBeDefined()
    },
  )

  test('PRODUCT_PATHS lists all product pages', () => {
    expect(PRODUCT_PATHS).toEqual(buildProductPages().map(({ path }) => path))
  })

  test('[DYN-03] without productPages in config.json a model can use the path of a product page', async () => {
    await start('/people', foreign, { role: 'admin' }, { productPages: false })
    await heading('Things')
    expect(await screen.findByText('Kim')).toBeDefined()
    expect(toasts()).toEqual([])
  })

  test('[DYN-14] with productPages in config.json no model can use the path of a product page', async () => {
    await start('/unauthorised', foreign)
    await waitFor(() => expect(toasts()).toEqual(['The path /people is reserved.']))
  })

  test('[PERM-04] with productPages in config.json a product page is guarded', async () => {
    await start('/desk', server, { role: 'user' })
    expect(await heading('401 - Unauthorized')).toBeDefined()
  })
})

describe('/unauthorised', () => {
  const words = 'You’re signed in as Kim. Only staff can open this page.'

  test('[PERM-04] /unauthorised shows a non-admin their name and who has access', async () => {
    await start('/unauthorised', server, { name: 'Kim' })
    expect(await screen.findByText(words)).toBeDefined()
  })

  test('[PERM-04] /unauthorised does not tell admins that only staff have access', async () => {
    await start('/unauthorised', server, { name: 'Kim', role: 'admin' })
    await screen.findByRole('button', { name: 'Switch account' })
    expect(screen.queryByText(/admins/)).toBeNull()
  })
})

describe('while something is loading', () => {
  test('[LOAD-01] Loading view... is shown while the code of a site page loads', async () => {
    await start('/login')
    expect(await screen.findByText('Loading view...')).toBeDefined()
    expect(screen.queryByText('Loading route...')).toBeNull()
    await waitFor(() => expect(screen.queryByText('Loading view...')).toBeNull())
  })

  test('[LOAD-01] the loading text between two pages depends on the next one', async () => {
    const { until, release } = later()
    const { router } = await start('/unauthorised', {
      ...server,
      'GET /api/things': async () => {
        await until
        return []
      },
    })
    await heading('401 - Unauthorized')
    act(() => void router.navigate('/things'))
    expect(await screen.findByText('Loading route...')).toBeDefined()
    release()
    await heading('Things')
    expect(screen.queryByText('Loading route...')).toBeNull()
  })

  test('[LOAD-01] the site’s own pages never wait for the definitions', async () => {
    const { until, release } = later()
    const { calls } = await start('/unauthorised', {
      'GET /api/models': async () => {
        await until
        return []
      },
    })
    await heading('401 - Unauthorized')
    expect(requestsIn(calls)).toEqual(['GET /api/models'])
    release()
  })
})

describe('the focus after a navigation', () => {
  test('[DYN-04] [LAY-01] a navigation focuses the new page’s heading, unless the page sets the focus itself', async () => {
    const { router } = await start('/things')
    await heading('Things')
    await act(() => router.navigate('/things/1'))
    expect(document.activeElement).toBe(await heading('Lamp'))
    await act(() => router.navigate('/things/delete/1'))
    await heading('Delete this thing?')
    expect(document.activeElement?.textContent).toBe('Keep record')
  })
})
