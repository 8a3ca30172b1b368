import type { Locator, Page } from '@playwright/test'
import { change, fieldOf, createRecord } from './form-kit.ts'
import { call, expect, signInAndOpen, saveButton, test, unique } from './kit.ts'

test.setTimeout(120_000)

/** A lazy-loaded module of the site. */
type Part = {
  title: string
  /** Its chunk, without the hash. */
  file: string
  type?: 'css'
  /** The page's message if it fails to load. */
  words: string
  /** Steps until the module is needed. */
  open: (page: Page) => Promise<void>
  shown: (page: Page) => Locator
  as?: 'admin'
  /** Has no place in the page: a failure is shown only as a toast. */
  isToast?: true
}

const PARTS: Part[] = [
  {
    title: 'the app behind a public form',
    file: 'site',
    words: 'this page',
    open: async (page) => {
      await page.goto('/contact')
      await page.getByRole('button', { name: 'Send message' }).click()
    },
    shown: (page) => page.getByText('Full name is required.'),
  },
  {
    title: 'the filter editor',
    file: 'editor',
    words: 'the filter editor',
    open: async (page) => {
      await page.goto('/organisations')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
    },
    shown: (page) => page.getByRole('dialog').getByRole('combobox').first(),
    as: 'admin',
  },
  {
    title: 'the filter chips',
    file: 'chips',
    words: 'the filters',
    open: async (page) => {
      const filter = JSON.stringify({ all: [['name', 'contains', 'a']] })
      await page.goto(`/organisations?filter=${encodeURIComponent(filter)}`)
    },
    shown: (page) => page.getByRole('button', { name: /^Remove filter/ }),
    as: 'admin',
  },
  {
    title: 'the view menu',
    file: 'view-menu',
    words: 'the view options',
    open: async (page) => {
      await page.goto('/organisations')
      await page.getByRole('button', { name: 'View', exact: true }).click()
    },
    shown: (page) => page.getByRole('group', { name: 'Columns' }),
    as: 'admin',
  },
  {
    title: 'the relation picker',
    file: 'relation-picker',
    words: 'the record picker',
    open: async (page) => {
      await page.goto('/contacts/create')
    },
    shown: (page) => page.getByRole('combobox', { name: 'Organisation' }),
    as: 'admin',
  },
  {
    title: 'the Markdown input',
    file: 'markdown-input',
    words: 'the text editor',
    open: async (page) => {
      await page.goto('/articles/create')
    },
    shown: (page) => page.getByRole('tab', { name: 'Preview' }),
    as: 'admin',
  },
  {
    title: 'the drawer of a related record',
    file: 'create-drawer',
    words: 'this form',
    open: async (page) => {
      await page.goto('/contacts/create')
      await fieldOf(page, 'fullName').fill('Kept while the drawer is away')
      await fieldOf(page, 'organisation').click()
      await page.getByRole('option', { name: /^Create/ }).click()
    },
    shown: (page) => page.getByRole('dialog').locator('form'),
    as: 'admin',
  },
  {
    title: 'the merge view',
    file: 'merge-view',
    words: 'the comparison',
    open: async (page) => {
      const { id } = await createRecord(page, 'organisations', { name: unique('Both') })
      await page.goto(`/organisations/edit/${id}`)
      await fieldOf(page, 'name').fill('Mine')
      await change(page, 'organisations', id, { name: 'Theirs' })
      await saveButton(page).click()
    },
    shown: (page) => page.locator('.side-value', { hasText: 'Theirs' }),
    as: 'admin',
  },
  {
    title: 'a page reached by a link',
    file: 'contact',
    words: 'this page',
    open: async (page) => {
      await page.goto('/')
      await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click()
    },
    shown: (page) => page.getByRole('textbox', { name: /Subject/ }),
    as: 'admin',
  },
  {
    title: 'a prerendered page',
    file: 'contact',
    words: 'this page',
    open: async (page) => {
      await page.goto('/contact')
    },
    shown: (page) => page.getByRole('textbox', { name: /Subject/ }),
    as: 'admin',
  },
  {
    title: 'the record pages',
    file: 'records',
    words: 'this page',
    open: async (page) => {
      await page.goto('/organisations')
    },
    shown: (page) => page.getByRole('heading', { level: 1, name: 'Organisations' }),
    as: 'admin',
  },
  {
    title: 'a row’s menu',
    file: 'row-actions',
    words: 'the actions',
    open: async (page) => {
      await page.goto('/organisations')
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click()
    },
    shown: (page) => page.getByRole('dialog').getByRole('link', { name: /^Open/ }),
    as: 'admin',
  },
  {
    title: 'the stylesheet of the record pages',
    file: 'records',
    type: 'css',
    words: 'this page',
    open: async (page) => {
      await page.goto('/organisations')
    },
    shown: (page) => page.getByRole('heading', { level: 1, name: 'Organisations' }),
    as: 'admin',
  },
  {
    title: 'the formatting of a text',
    file: 'markdown',
    words: 'the text formatting',
    open: async (page) => {
      const body = 'A **bold** word'
      const { id } = await createRecord(page, 'articles', {
        title: unique('Formatted'),
        slug: unique('f').replace(' ', '-'),
        kind: 'Guide',
        body,
      })
      await page.goto(`/articles/${id}`)
    },
    shown: (page) => page.locator('strong', { hasText: 'bold' }),
    as: 'admin',
  },
  {
    title: 'deleting permanently',
    file: 'purge',
    words: 'this action',
    open: async (page) => {
      const name = unique('Trashed')
      const { id } = await createRecord(page, 'organisations', { name })
      await call(page, 'DELETE', `organisations/${id}`)
      await page.goto(`/organisations?trash=true&q=${encodeURIComponent(name)}`)
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('button', { name: 'Delete permanently' }).click()
    },
    shown: (page) => page.getByRole('dialog', { name: /^Permanently delete/ }),
    as: 'admin',
    isToast: true,
  },
]

const TIMES = { 1: 'once', 2: 'twice' } as const

for (const { title, file, type = '(js|css)', words, open, shown, as, isToast } of PARTS)
  for (const failures of [1, 2] as const)
    test(`${title} that fails to load ${TIMES[failures]} says so, and loads on retry`, async ({
      page,
      admin,
    }) => {
      if (as) {
        await signInAndOpen(page, admin)
      }
      const chunk = new RegExp(`/static/${file}-[\\w-]{8}\\.${type}`)
      await page.route(chunk, (route) => route.abort())
      await open(page)
      await expect(page.getByText(`Couldn’t load ${words}. Try again.`)).toBeVisible()
      const again = page.getByRole('button', { name: 'Try again' })
      for (let more = 1; more < failures; more++) {
        await again.click()
        await expect(page.getByText(/ouldn’t load/)).toBeVisible()
        if (!isToast) await expect(page.getByRole('button', { name: 'Reload page' })).toBeVisible()
      }
      await page.unrouteAll()
      await again.click()
      await expect(shown(page)).toBeVisible()
      await expect(page.getByText(/ouldn’t load/)).toHaveCount(0)
      expect(await unstyled(page)).toEqual([])
    })

/** Stylesheets that failed to load. */
const unstyled = (page: Page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
      .filter(({ sheet }) => !sheet)
      .map(({ href }) => href),
  )

const SIGN_IN_CLIENT = /\/static\/(start-auth|oidc-client-ts)-[\w-]{8}\.js/

test('a sign-in client that fails to load is reported, and signs in on retry', async ({ page }) => {
  await page.route(SIGN_IN_CLIENT, (route) => route.abort())
  await page.goto('/')
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('Couldn’t load sign-in. Try again.')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.locator('#kc-login')).toBeVisible()
})

test('a signed-in user sees that the sign-in client failed to load, and is signed in again on retry', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  await page.route(SIGN_IN_CLIENT, (route) => route.abort())
  await page.goto('/organisations')
  await expect(page.getByRole('alert')).toHaveText([
    'Critical error loading routes. Please try again later.',
  ])
  await expect(page.locator('.account').getByText('Loading', { exact: true })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Organisations' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create organisation' }).first()).toBeVisible()
})

test('the page offers a reload and keeps its input if a new release has replaced a module', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  await page.route(/\/static\/create-drawer-/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/contacts/create')
  const name = unique('Typed')
  await fieldOf(page, 'fullName').fill(name)
  await fieldOf(page, 'organisation').click()
  await page.getByRole('option', { name: /^Create/ }).click()
  await page.getByRole('button', { name: 'Try again' }).click()
  // The browser's own prompt about unsaved changes.
  page.on('dialog', (dialog) => void dialog.accept())
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload page' }).click()
  await expect(page.locator('.restored')).toBeVisible()
  await expect(fieldOf(page, 'fullName')).toHaveValue(name)
})

test('the desk reports lists that fail to load, and shows them on retry', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  await page.route('**/api/incidents?*', (route) => route.abort())
  await page.goto('/desk')
  await expect(page.getByText('Couldn’t load everything on this page. Try again.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Desk' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/ouldn’t load/)).toHaveCount(0)
})
