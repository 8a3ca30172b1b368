import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { UserManager } from 'oidc-client-ts'
import { AuthContext, AuthProvider, type AuthContextProps } from 'react-oidc-context'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearFeedback, SIGN_IN, signInAs, stubServer, type Call } from '../../test/kit.tsx'
import { setConfig } from '#auth/read-config.ts'
import { deskCount } from '#data/desk-count.ts'
import { loadDefinitions } from '#data/definitions.ts'
import { modelCounts } from '#data/model-counts.ts'
import { writes } from '#data/revalidate.ts'
import { paletteState } from './palette-state.ts'
import { Root } from './root.tsx'

const model = (name: string, over: object = {}) => ({
  name,
  path: `${name.toLowerCase()}s`,
  routeName: name,
  trash: true,
  viewData: { title: `${name}s`, displayField: 'title', fields: [] },
  ...over,
})
const TICKETS = 'GET /api/tickets'
const server = (): Record<string, unknown> => ({
  'GET /api/models': [
    model('Ticket'),
    model('Report', { authorise: { create: 'admin' }, without: ['create'] }),
    model('Note', { menu: false }),
  ],
  'GET /api/models/counts': { tickets: { count: 48, exact: true } },
  [TICKETS]: { items: [], next: null, total: { count: 12, exact: true } },
})

beforeEach(() => {
  deskCount.set(null)
  modelCounts.set(null)
  deskCount.expire()
  modelCounts.expire()
})
afterEach(() => {
  clearFeedback()
  document.body.replaceChildren()
  paletteState.set('closed')
})

type Options = { role?: 'user' | 'admin'; owner?: boolean; productPages?: boolean }

async function open(
  path: string,
  { role = 'admin', owner = true, productPages = true }: Options = {},
) {
  const userManager = await signInAs(role, { name: 'Kim Lee', owner })
  setConfig({ ...SIGN_IN, ownerPath: 'owner', productPages })
  await loadDefinitions(['contact'], ['desk', 'requests'])
  return draw(path, userManager)
}

function draw(path: string, userManager: UserManager) {
  const children = [{ path: '*', element: <h1>Page</h1> }]
  const router = createMemoryRouter([{ path: '/', Component: Root, children }], {
    initialEntries: [path],
  })
  const { container } = render(
    <AuthProvider userManager={userManager} skipSigninCallback>
      <RouterProvider router={router} />
    </AuthProvider>,
  )
  return { router, container }
}

const untilShell = () => waitFor(() => expect(document.querySelector('.staff-bar')).not.toBeNull())
const namesIn = (selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)
const countsOf = (calls: Call[]) => calls.filter(({ url }) => url.startsWith('/api/tickets')).length

test('[NAV-01] [NAV-02] on record pages staff have Desk, Records, the menu Site with the four pages in order, and New', async () => {
  stubServer(server())
  await open('/tickets')
  await untilShell()
  expect(namesIn('.site-nav > li > a, .site-nav > li > button')).toEqual([
    'Desk',
    'Records',
    'Site',
  ])
  expect(namesIn('#site-menu a')).toEqual(['Home', 'Profile', 'Contact', 'Privacy'])
  expect(namesIn('#records-menu a')).toEqual(['Tickets', 'Create ticket', 'Reports'])
  expect(namesIn('#new-menu a')).toEqual(['Create ticket'])
  expect(document.body.classList.contains('workspace')).toBe(true)
})

test('[LAY-07] [LAY-08] the status line has the copyright, eight social links and the footer’s other links', async () => {
  stubServer(server())
  await open('/desk')
  await untilShell()
  const footer = within(screen.getByRole('contentinfo'))
  expect(footer.getByText(`© ${new Date().getFullYear()}`, { exact: false })).toBeDefined()
  expect(footer.getByRole('list', { name: 'Social profiles' }).childElementCount).toBe(8)
  expect(footer.getByRole('link', { name: 'Security' })).toBeDefined()
  expect(footer.getByRole('button', { name: 'Cookie settings' })).toBeDefined()
})

test.each([
  ['clients on a record page', '/tickets', { role: 'user' }],
  ['staff on a public page', '/contact', {}],
  ['staff of a server without the product’s pages', '/tickets', { productPages: false }],
] as const)('[NAV-01] %s have the plain links and the footer', async (_who, path, options) => {
  stubServer(server())
  const { container } = await open(path, options)
  await waitFor(() => expect(container.querySelector('.account')?.textContent).toContain('Kim Lee'))
  expect(namesIn('.site-nav a').slice(0, 4)).toEqual(['Home', 'Profile', 'Contact', 'Privacy'])
  expect(container.querySelector('.staff-bar, .rail, .status-line')).toBeNull()
  expect(document.body.classList.contains('workspace')).toBe(false)
})

test.each([
  [true, ['Requests', 'System', 'People', 'Security events', 'Changes']],
  [false, ['Requests', 'System']],
])('the rail lists the pages that staff may open (owner: %s)', async (owner, pages) => {
  stubServer(server())
  await open('/requests', { owner })
  await untilShell()
  expect(namesIn('.rail nav[aria-label="Staff pages"] a')).toEqual(pages)
  expect(screen.getByRole('link', { name: 'Requests', current: true })).toBeDefined()
  // The phone's menu has them too.
  expect(namesIn('.side-nav a')).toEqual(expect.arrayContaining(pages))
})

test('the rail shows the counts, and says so if they can’t be loaded', async () => {
  const answers = { ...server(), 'GET /api/models/counts': new Error('offline') as unknown }
  stubServer(answers)
  await open('/desk')
  await untilShell()
  const rail = within(screen.getByRole('navigation', { name: 'Records' }))
  expect(rail.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Tickets',
    'Reports',
  ])
  answers['GET /api/models/counts'] = server()['GET /api/models/counts']
  await userEvent.click(await rail.findByRole('button', { name: 'Try again' }))
  expect(await rail.findByRole('link', { name: /^Tickets ?48$/ })).toBeDefined()
})

test('Desk shows the unanswered tickets: counted once, and again after a write', async () => {
  const answers = server()
  const calls = stubServer(answers)
  const { router } = await open('/desk')
  const desk = () => document.querySelector('.site-nav a')?.textContent
  await waitFor(() => expect(desk()).toBe('Desk12 awaiting reply'))
  await router.navigate('/requests')
  await new Promise((resolve) => setTimeout(resolve, 800))
  expect(countsOf(calls)).toBe(1)
  answers[TICKETS] = { items: [], next: null, total: { count: 11, exact: true } }
  writes.set(writes.get() + 1)
  await waitFor(() => expect(desk()).toBe('Desk11 awaiting reply'))
  expect(countsOf(calls)).toBe(2)
})

test('Desk shows no number if the tickets can’t be counted', async () => {
  const calls = stubServer({ ...server(), [TICKETS]: new Response('', { status: 503 }) })
  await open('/desk')
  await waitFor(() => expect(countsOf(calls)).toBe(1))
  expect(document.querySelector('.site-nav a')?.textContent).toBe('Desk')
})

test('the search and shortcut buttons open the palette', async () => {
  stubServer(server())
  await open('/desk')
  await untilShell()
  await userEvent.click(screen.getByRole('button', { name: 'Search or jump to' }))
  expect(paletteState.get()).toBe('search')
  const footer = within(screen.getByRole('contentinfo'))
  await userEvent.click(footer.getByRole('button', { name: 'Shortcuts' }))
  expect(paletteState.get()).toBe('shortcuts')
})

test.each([
  ['admin', true],
  ['user', false],
] as const)(
  '[NAV-04] while the sign-in of a stored %s loads, the account says Loading; staff bar: %s',
  async (role, isShell) => {
    stubServer(server())
    await signInAs(role)
    setConfig(SIGN_IN)
    await loadDefinitions([], ['desk'])
    const loading = { isLoading: true, isAuthenticated: false } as AuthContextProps
    const router = createMemoryRouter([{ path: '/*', Component: Root }], {
      initialEntries: ['/desk'],
    })
    const { container } = render(
      <AuthContext value={loading}>
        <RouterProvider router={router} />
      </AuthContext>,
    )
    if (isShell) await untilShell()
    expect(container.querySelector('.account')?.textContent).toBe('Loading')
    expect(container.querySelector('.staff-bar') !== null).toBe(isShell)
  },
)

test('the name in the staff bar is a link to the sign-in, named by its text', async () => {
  stubServer(server())
  await open('/desk')
  await untilShell()
  const [name] = await screen.findAllByRole('link', { name: 'Kim Lee: your sign-in' })
  expect(name?.getAttribute('href')).toBe('/sessions')
  expect(name?.getAttribute('aria-label')).toBeNull()
})
