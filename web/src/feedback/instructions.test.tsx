import { act, render, screen, waitFor } from '@testing-library/react'
import {
  createBrowserRouter,
  createMemoryRouter,
  redirect,
  type DataRouter,
  type InitialEntry,
  type RouteObject,
} from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clearFeedback } from '../../test/kit.tsx'
import { watchInstructions } from './instructions.ts'
import { fromQuery, fromState } from './read-instruction.ts'
import { ModalHost } from './modals.tsx'
import { ToastHost } from './toasts.tsx'

const FROM_LINK = 'This message came from the link you opened, not from us.'

let loads = 0
const routes: RouteObject[] = [
  { path: '/', element: <h1>start</h1> },
  { path: '/page', element: <h1>page</h1> },
  {
    path: '/records',
    loader: () => {
      loads += 1
      return null
    },
    HydrateFallback: () => null,
    element: <h1>records</h1>,
  },
  {
    path: '/guarded',
    middleware: [
      () => {
        throw redirect('/login?returnUrl=%2Fguarded')
      },
    ],
    loader: () => null,
    HydrateFallback: () => null,
    element: <h1>guarded</h1>,
  },
  {
    path: '/open',
    middleware: [async () => {}],
    loader: () => null,
    shouldRevalidate: () => true,
    HydrateFallback: () => null,
    element: <h1>open</h1>,
  },
  {
    path: '/broken',
    loader: () => {
      throw new Error('broken')
    },
    HydrateFallback: () => null,
    errorElement: <h1>broken</h1>,
  },
  { path: '/login', element: <h1>login</h1> },
]

let warn = vi.spyOn(console, 'warn')
let stop = () => {}
beforeEach(() => {
  loads = 0
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  stop()
  clearFeedback()
  window.history.replaceState(null, '', '/')
})

function watch<R extends DataRouter>(router: R) {
  stop = watchInstructions(router)
  render(
    <>
      <RouterProvider router={router} />
      <ToastHost />
      <ModalHost />
    </>,
  )
  return router
}

const open = (...initialEntries: InitialEntry[]) =>
  watch(createMemoryRouter(routes, { initialEntries }))

/** Uses the browser's own history, to see that the state is really cleared. */
function openInBrowser(address: string, state: unknown = null) {
  window.history.replaceState(state, '', address)
  return watch(createBrowserRouter(routes))
}

const go = (router: DataRouter, to: string, state: unknown) =>
  act(() => router.navigate(to, { state }))
const heading = (name: string) => screen.findByRole('heading', { name })
const toasts = () => [...document.querySelectorAll('.toast-message')].map((one) => one.textContent)
const asParameter = (name: string, value: unknown) =>
  `${name}=${encodeURIComponent(JSON.stringify(value))}`
const idle = (router: DataRouter) =>
  waitFor(() => {
    expect(router.state.navigation.state).toBe('idle')
    expect(router.state.location.state).toBeNull()
  })

describe('instructions in navigation state', () => {
  test('[LAY-02] a toast in navigation state is shown once, then the history state is cleared', async () => {
    const router = open('/')
    await go(router, '/page', { toast: { message: 'Saved', type: 'success' } })
    await heading('page')
    await idle(router)
    expect(toasts()).toEqual(['Saved'])
    expect(screen.getByText('Saved').closest('.toast-g')?.className).toContain('success')
    expect(screen.queryByText(FROM_LINK)).toBeNull()
  })

  test.each(['/page', '/records', '/open'])(
    '[LAY-02] the browser’s own history is cleared at %s, so a reload shows nothing',
    async (path) => {
      const router = openInBrowser('/')
      await go(router, `${path}?sort=name`, { toast: { message: 'Saved' } })
      await idle(router)
      await waitFor(() => expect(JSON.stringify(window.history.state)).not.toContain('Saved'))
      expect(window.location.href).toBe(`${window.location.origin}${path}?sort=name`)
      router.dispose()
      stop()
      const reloaded = createBrowserRouter(routes)
      stop = watchInstructions(reloaded)
      await waitFor(() => expect(reloaded.state.initialized).toBe(true))
      expect(toasts()).toEqual(['Saved'])
    },
  )

  test('[LAY-02] a toast in navigation state is shown after a reload, then cleared', async () => {
    const router = openInBrowser('/page', { usr: { toast: { message: 'Kept' } }, key: 'k', idx: 0 })
    await heading('page')
    await idle(router)
    expect(toasts()).toEqual(['Kept'])
    await waitFor(() => expect(JSON.stringify(window.history.state)).not.toContain('Kept'))
  })

  test('[LAY-02] clearing an instruction adds no history entry', async () => {
    const router = openInBrowser('/')
    await go(router, '/page', { toast: { message: 'Saved' } })
    await idle(router)
    await act(() => router.navigate(-1))
    await heading('start')
    expect(toasts()).toEqual(['Saved'])
  })

  test('[LAY-02] returning to the page of a toast does not show it again', async () => {
    const router = openInBrowser('/')
    await go(router, '/page', { toast: { message: 'Saved' } })
    await idle(router)
    await go(router, '/records', null)
    await heading('records')
    await act(() => router.navigate(-1))
    await heading('page')
    expect(toasts()).toEqual(['Saved'])
  })

  test('[LAY-02] clearing an instruction does not reload the page', async () => {
    const router = open('/')
    await go(router, '/records', { toast: { message: 'Saved' } })
    await heading('records')
    await idle(router)
    expect(loads).toBe(1)
  })

  test('[LAY-02] a page that fails to load shows its error, and its toast once', async () => {
    const router = open('/')
    await go(router, '/broken', { toast: { message: 'Saved' } })
    await heading('broken')
    await idle(router)
    expect(screen.getByRole('heading', { name: 'broken' })).toBeDefined()
    expect(toasts()).toEqual(['Saved'])
  })

  test('[LAY-02] a toast survives a guard’s redirect, once', async () => {
    const router = open('/')
    await go(router, '/guarded', { toast: { message: 'Welcome back!', type: 'success' } })
    await heading('login')
    expect(toasts()).toEqual(['Welcome back!'])
    await go(router, '/page', null)
    await heading('page')
    expect(toasts()).toEqual(['Welcome back!'])
  })

  test('[LAY-02] two navigations with the same toast show two toasts', async () => {
    const router = open('/')
    await go(router, '/page', { toast: { message: 'Saved' } })
    await idle(router)
    await go(router, '/page', { toast: { message: 'Saved' } })
    await idle(router)
    expect(toasts()).toEqual(['Saved', 'Saved'])
  })

  test('[LAY-02] a navigation that interrupts the clearing does not show the toast again', async () => {
    const router = createBrowserRouter(routes)
    let isCut = false
    router.subscribe(({ location, navigation }) => {
      if (isCut || location.pathname !== '/records' || navigation.state !== 'idle') return
      isCut = true
      queueMicrotask(() => void router.navigate('/page'))
    })
    watch(router)
    await go(router, '/records', { toast: { message: 'Saved' } })
    await heading('page')
    await act(() => router.navigate(-1))
    await heading('records')
    await idle(router)
    expect(toasts()).toEqual(['Saved'])
  })

  test('[LAY-03] a modal in navigation state is opened once, then the history state is cleared', async () => {
    const router = openInBrowser('/')
    await go(router, '/page', { modal: { title: 'Done', body: 'All done.', size: 'lg' } })
    await idle(router)
    expect(await screen.findByRole('dialog', { name: 'Done' })).toBeDefined()
    expect(document.querySelector('.modal-message')?.textContent).toBe('All done.')
    expect(document.querySelector('.modal-lg')).not.toBeNull()
    // Written by our own code, so without the warning.
    expect(screen.queryByText(FROM_LINK)).toBeNull()
    await waitFor(() => expect(JSON.stringify(window.history.state)).not.toContain('Done'))
  })

  test('[LAY-03] a modal survives a guard’s redirect', async () => {
    const router = open('/')
    await go(router, '/guarded', { modal: { title: 'Done', body: 'All done.' } })
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    expect(await screen.findByRole('dialog', { name: 'Done' })).toBeDefined()
  })

  test('[LAY-02] navigation state without an instruction is not changed', async () => {
    const router = open('/')
    await go(router, '/login', { signInFailure: { message: 'x' } })
    await heading('login')
    expect(router.state.location.state).toEqual({ signInFailure: { message: 'x' } })
    expect(warn).not.toHaveBeenCalled()
  })

  test.each([
    ['of an unknown type', { message: 'Hello', type: 'loud' }],
    ['without a message', { type: 'info' }],
    ['with an empty message', { message: '' }],
    ['whose message is no text', { message: 7 }],
    ['that is a text', 'Hello'],
    ['that is a list', ['Hello']],
  ])(
    '[LAY-06] [TOAST-01] a toast in navigation state %s is only logged, and cleared',
    async (_what, toast) => {
      const router = open('/')
      await go(router, '/page', { toast })
      await heading('page')
      await idle(router)
      expect(warn).toHaveBeenCalledOnce()
      expect(toasts()).toEqual([])
    },
  )

  test('[LAY-02] an instruction of our own code may be long', () => {
    expect(fromState({ toast: { message: 'a'.repeat(501) } }).toast?.message).toHaveLength(501)
  })
})

describe('instructions in the URL', () => {
  test('[LAY-04] a toast in the URL is shown, then removed from the URL', async () => {
    const toast = { message: 'Hello & welcome 100%', type: 'warning' }
    openInBrowser(`/page?sort=name&${asParameter('toast', toast)}#row`)
    await heading('page')
    await waitFor(() => expect(window.location.search).toBe('?sort=name'))
    expect(window.location.hash).toBe('#row')
    expect(toasts()).toEqual([toast.message])
    expect(screen.getByText(toast.message).closest('.toast-g')?.className).toContain('warning')
  })

  test('[LAY-04] the element of a toast in the URL holds exactly the given text, and a sibling says it came from a link', async () => {
    const message = ' <b>Call</b> +353 1 555 0100, https://evil.test \u202E& "now" '
    open(`/page?${asParameter('toast', { message })}`)
    await heading('page')
    const element = document.querySelector('.toast-message')
    expect(element?.textContent).toBe(message)
    expect(element?.childElementCount).toBe(0)
    expect(element?.nextElementSibling?.textContent).toBe(FROM_LINK)
    expect(screen.queryByRole('link')).toBeNull()
  })

  test('[LAY-04] a toast in the URL of an in-app navigation is shown and removed', async () => {
    const router = openInBrowser('/')
    await go(router, `/records?${asParameter('toast', { message: 'Hello' })}`, null)
    await waitFor(() => expect(window.location.search).toBe(''))
    expect(toasts()).toEqual(['Hello'])
    expect(loads).toBe(1)
  })

  test('[LAY-04] a toast in the URL is shown once while the first page is still loading', async () => {
    const router = open(`/records?${asParameter('toast', { message: 'Hello' })}`)
    await heading('records')
    expect(router.state.location.search).toBe('')
    expect(toasts()).toEqual(['Hello'])
  })

  test('[LAY-04] a toast in the URL of a guarded page is shown on the page the guard redirects to', async () => {
    const router = open(`/guarded?${asParameter('toast', { message: 'Hello' })}`)
    await heading('login')
    expect(toasts()).toEqual(['Hello'])
    expect(router.state.location.search).toBe('?returnUrl=%2Fguarded')
  })

  test('[LAY-05] a modal in the URL is opened, labelled as coming from a link, then removed from the URL', async () => {
    const modal = { title: '<i>Hi</i>', body: '<a href="https://evil.test">x</a>' }
    openInBrowser(`/page?${asParameter('modal', modal)}`)
    expect(await screen.findByRole('dialog', { name: modal.title })).toBeDefined()
    const element = document.querySelector('.modal-message')
    expect(element?.textContent).toBe(modal.body)
    expect(element?.childElementCount).toBe(0)
    expect(element?.nextElementSibling?.textContent).toBe(FROM_LINK)
    await waitFor(() => expect(window.location.search).toBe(''))
  })

  test('[LAY-04] [LAY-05] a URL may contain both a toast and a modal', async () => {
    open(
      `/page?${asParameter('toast', { message: 'T' })}&${asParameter('modal', { title: 'M', body: 'B' })}`,
    )
    expect(await screen.findByRole('dialog', { name: 'M' })).toBeDefined()
    expect(toasts()).toEqual(['T'])
  })

  test.each([
    ['no JSON', 'toast=Hello'],
    ['nothing', 'toast='],
    ['null', 'toast=null'],
    ['cut off', 'toast=%7B%22message%22'],
    ['wrongly encoded', 'toast=%E0%A4%A'],
    ['of an unknown type', asParameter('toast', { message: 'Hello', type: 'html' })],
    [
      'of a type that every object has',
      asParameter('toast', { message: 'Hello', type: 'toString' }),
    ],
    ['without a message', asParameter('toast', { type: 'info' })],
    ['a number', asParameter('toast', 7)],
    ['longer than 500 characters', asParameter('toast', { message: 'a'.repeat(501) })],
    ['huge', asParameter('toast', { message: 'a', more: 'b'.repeat(20_000) })],
    ['a modal without a title', asParameter('modal', { body: 'Hello' })],
    ['a modal without a text', asParameter('modal', { title: 'Hello' })],
    ['a modal that is a list', asParameter('modal', [])],
    ['a modal with a long title', asParameter('modal', { title: 'a'.repeat(501), body: 'b' })],
    ['a modal with a long text', asParameter('modal', { title: 'a', body: 'b'.repeat(501) })],
  ])(
    '[LAY-06] an instruction that is %s is only logged, and the page works',
    async (_what, query) => {
      const router = open(`/page?${query}`)
      await heading('page')
      await waitFor(() => expect(router.state.location.search).toBe(''))
      expect(warn).toHaveBeenCalledOnce()
      expect(toasts()).toEqual([])
      expect(screen.queryByRole('dialog')).toBeNull()
    },
  )

  test('[LAY-06] an invalid toast does not affect a valid modal', async () => {
    open(`/page?toast=x&${asParameter('modal', { title: 'M', body: 'B' })}`)
    expect(await screen.findByRole('dialog', { name: 'M' })).toBeDefined()
    expect(warn).toHaveBeenCalledOnce()
  })
})

describe('parsing of instructions', () => {
  const query = (name: string, value: unknown) => new URLSearchParams(asParameter(name, value))
  const toastOf = (value: unknown) => fromQuery(query('toast', value)).toast

  test('[LAY-04] a message of 500 characters is accepted regardless of escaping', () => {
    const message = 'ж'.repeat(500)
    expect(toastOf({ message })?.message).toBe(message)
    // Escaped as other JSON encoders do.
    const escaped = '\\u0436'.repeat(500)
    expect(
      fromQuery(new URLSearchParams({ toast: `{"message":"${escaped}"}` })).toast?.message,
    ).toBe(message)
  })

  test.each(['success', 'danger', 'warning', 'info', 'primary', 'secondary'])(
    '[LAY-04] toast type %s is honoured',
    (type) => {
      expect(toastOf({ message: 'a', type })?.type).toBe(type)
    },
  )

  test('[LAY-04] [TOAST-01] a toast without a type is info', () => {
    expect(toastOf({ message: 'a' })?.type).toBe('info')
  })

  test.each([
    [undefined, 4000],
    [1, 1000],
    [-5, 1000],
    [999, 1000],
    [1000, 1000],
    [2500, 2500],
    [10_000, 10_000],
    [10_001, 10_000],
    [1e12, 10_000],
    ['2500', 4000],
    [null, 4000],
  ])('[LAY-04] toast delay %j becomes %i ms', (delay, expected) => {
    expect(toastOf({ message: 'a', delay })?.delay).toBe(expected)
  })

  test('[LAY-04] an infinite toast delay becomes the default', () => {
    const raw = new URLSearchParams({ toast: '{"message":"a","delay":1e999}' })
    expect(fromQuery(raw).toast?.delay).toBe(4000)
  })

  test('[LAY-02] a toast delay of our own code is kept; a missing one is not set', () => {
    expect(fromState({ toast: { message: 'a', delay: 60_000 } }).toast?.delay).toBe(60_000)
    expect(fromState({ toast: { message: 'a' } }).toast).not.toHaveProperty('delay')
  })

  test('[LAY-04] autohide and closeButton of a toast are honoured, other properties ignored', () => {
    expect(
      toastOf({
        message: 'a',
        autohide: false,
        closeButton: false,
        id: 'x',
        html: '<b>',
        note: 'From us',
        href: 'https://evil.test',
      }),
    ).toEqual({
      message: 'a',
      type: 'info',
      delay: 4000,
      autohide: false,
      closeButton: false,
      note: FROM_LINK,
    })
  })

  test.each(['body', 'content', 'message'])(
    '[MODAL-01] the text of a modal may be in %s',
    (name) => {
      expect(fromQuery(query('modal', { title: 'T', [name]: 'B' })).modal).toMatchObject({
        title: 'T',
        body: 'B',
        size: 'md',
      })
    },
  )

  test.each([
    ['sm', 'sm'],
    ['md', 'md'],
    ['lg', 'lg'],
    ['huge', 'md'],
    [7, 'md'],
    [undefined, 'md'],
  ])('[MODAL-01] modal size %j becomes %s', (size, expected) => {
    expect(fromState({ modal: { title: 'T', body: 'B', size } }).modal?.size).toBe(expected)
  })

  test('[LAY-05] a modal in the URL can’t set a footer or note', () => {
    const modal = { title: 'T', body: 'B', footer: 'x', note: 'From us' }
    expect(fromQuery(query('modal', modal)).modal).toEqual({
      title: 'T',
      body: 'B',
      size: 'md',
      note: FROM_LINK,
    })
  })
})
