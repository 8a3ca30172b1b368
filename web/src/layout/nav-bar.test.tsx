import { render, waitFor } from '@testing-library/react'
import { AuthProvider } from 'react-oidc-context'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, test, vi } from 'vitest'
import { clearFeedback, SIGN_IN, signInAs, stubServer } from '../../test/kit.tsx'
import { setConfig } from '#auth/read-config.ts'
import { drawModels } from '#boot/model-menu.ts'
import { switchTheme } from '#boot/theme.ts'
import { definitionsState, loadDefinitions } from '#data/definitions.ts'
import { Root } from './root.tsx'

afterEach(() => {
  clearFeedback()
  document.body.replaceChildren()
})

const model = (name: string, over: object = {}) => ({
  name,
  path: name.toLowerCase(),
  routeName: name,
  viewData: { title: `${name}s`, displayField: 'title', fields: [] },
  ...over,
})

async function drawByApp(role: 'admin' | null = null, productPages = true) {
  const userManager = await signInAs(role, { name: 'Kim' })
  setConfig({ ...SIGN_IN, productPages })
  const router = createMemoryRouter([{ path: '/', Component: Root }])
  return render(
    <AuthProvider userManager={userManager} skipSigninCallback>
      <RouterProvider router={router} />
    </AuthProvider>,
  )
}

/** The built document, before boot.ts adds the definitions' links. */
async function drawByBoot() {
  definitionsState.set({ definitions: [], mistakes: [], hasFailed: false, isLoaded: true })
  const { container, unmount } = await drawByApp()
  const copy = container.cloneNode(true)
  unmount()
  document.body.append(copy)
  const stop = drawModels()
  await loadDefinitions([])
  stop()
  return copy as HTMLElement
}

const partsOf = (container: Element) => [
  ...container.querySelectorAll('.site-nav, .side-nav, .routes-failed'),
]

const CASES = {
  'few models': {
    'GET /api/models': [model('Thing'), model('Part', { authorise: { get: false } })],
  },
  'models in one menu': { 'GET /api/models': ['A', 'B', 'C', 'D'].map((name) => model(name)) },
  'models that can’t be loaded': { 'GET /api/models': new Response('', { status: 503 }) },
}

test.each(Object.entries(CASES))(
  '[NAV-02] [LOAD-02] with %s boot.ts draws the elements that hydration expects',
  async (_what, answers) => {
    stubServer(answers)
    const byBoot = await drawByBoot()
    expect(definitionsState.getShown()).toBe(definitionsState.get())
    const { container } = await drawByApp()
    const [expected, drawn] = [partsOf(container), partsOf(byBoot)]
    expect(drawn.map((part) => part.childElementCount)).toEqual(
      expected.map((part) => part.childElementCount),
    )
    expect(drawn.length).toBeGreaterThan(1)
    for (const [place, part] of drawn.entries())
      expect(part.isEqualNode(expected[place] ?? null), part.outerHTML).toBe(true)
  },
)

test.each([
  [true, ['Home', 'Profile', 'Contact', 'Privacy', 'Desk', 'Requests']],
  [false, ['Home', 'Profile', 'Contact', 'Privacy']],
])(
  '[NAV-01] an admin’s menu has the product’s own pages only with productPages in config.json (%s)',
  async (productPages, links) => {
    stubServer({ 'GET /api/models': [] })
    await loadDefinitions([])
    const { container } = await drawByApp('admin', productPages)
    const menu = () => [...container.querySelectorAll('.site-nav a')].map((one) => one.textContent)
    await waitFor(() => expect(menu()).toEqual(links))
    const name = container.querySelector('.account .who')
    expect(name?.textContent).toBe('Kim')
    expect(name?.getAttribute('href')).toBe(productPages ? '/sessions' : null)
  },
)

test('[NAV-04] a signed-out document has a placeholder beside Login where theme.js writes Loading', async () => {
  stubServer({})
  const { container } = await drawByApp()
  const account = () => [...(container.querySelector('.account')?.children ?? [])]
  await waitFor(() => expect(account().map((one) => one.textContent)).toEqual(['', 'Login']))
})

test('[THEME-01] clicking the theme button changes mode, theme and its name', async () => {
  stubServer({})
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  const { container } = await drawByApp()
  const button = container.querySelector('#theme')
  for (const [mode, name] of [
    ['light', 'Theme: light. Switch to dark'],
    ['dark', 'Theme: dark. Switch to system'],
    ['system', 'Theme: system. Switch to light'],
    ['light', 'Theme: light. Switch to dark'],
  ] as const) {
    switchTheme()
    expect(localStorage.getItem('themeMode')).toBe(mode)
    expect(document.documentElement.dataset['themeMode']).toBe(mode)
    expect(button?.getAttribute('aria-label')).toBe(name)
    expect(button?.getAttribute('title')).toBe(name)
  }
  localStorage.removeItem('themeMode')
})
