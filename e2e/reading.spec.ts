import type { Page } from '@playwright/test'
import {
  call,
  config,
  expect,
  instructionParam,
  navigate,
  signInAndOpen,
  SITE,
  startApp,
  test,
} from './kit.ts'

/**
 * Services and articles for visitors, clients and staff: which drawing and which status each address gets. The tables are written
 * from the requirement, not from the program.
 */
test.setTimeout(180_000)

type Role = 'visitor' | 'client' | 'staff'
type Drawing = 'reading' | 'list' | 'record' | 'missing'
type Model = 'services' | 'articles'
type Item = { id: string; slug: string; name: string }
type Items = Record<'published' | 'unpublished' | 'trashed' | 'expired', Item>
type Row = {
  address: string
  path: (items: Items) => string
  drawings: readonly [visitor: Drawing, client: Drawing, staff: Drawing]
  /** Of a cold load: the front proxy doesn't know who asks, nor which ids exist. */
  status: number
  /** Record shown, if not the index. */
  of?: keyof Items
  /** Address that a reader is redirected to. */
  leadsTo?: (items: Items) => string
  only?: Model
}

const ROLES: Role[] = ['visitor', 'client', 'staff']
const MODELS: Model[] = ['services', 'articles']
const TITLES: Record<Model, string> = { services: 'Services', articles: 'Articles' }
const SAMPLES: Record<Model, string> = { services: 'managed-workplace', articles: 'guide-passkeys' }
const NAMES: Record<Model, string> = { services: 'name', articles: 'title' }

const READERS = ['reading', 'reading'] as const
const LIST = ['list', 'list', 'list'] as const
const MISSING = ['missing', 'missing', 'missing'] as const
const HIDDEN = ['missing', 'missing', 'record'] as const

const filter = (field: string, value: string) =>
  `filter=${encodeURIComponent(JSON.stringify({ all: [[field, 'eq', value]] }))}`

const TABLE: Row[] = [
  { address: 'bare', path: () => '', drawings: [...READERS, 'list'], status: 200 },
  { address: 'toast', path: () => '?toast=%7B%7D', drawings: [...READERS, 'list'], status: 200 },
  {
    address: 'view=page',
    path: () => '?view=page',
    drawings: [...READERS, 'reading'],
    status: 200,
  },
  { address: 'q', path: ({ published }) => `?q=${published.name}`, drawings: LIST, status: 200 },
  {
    address: 'filter',
    path: () => `?${filter('category', 'Managed IT')}`,
    drawings: LIST,
    status: 200,
    only: 'services',
  },
  {
    address: 'filter',
    path: () => `?${filter('kind', 'Guide')}`,
    drawings: LIST,
    status: 200,
    only: 'articles',
  },
  { address: 'sort', path: () => '?sort=name', drawings: LIST, status: 200, only: 'services' },
  { address: 'sort', path: () => '?sort=title', drawings: LIST, status: 200, only: 'articles' },
  ...['limit=10', 'total=none', 'density=compact'].map((query): Row => ({
    address: query,
    path: () => `?${query}`,
    drawings: LIST,
    status: 200,
  })),
  {
    address: 'kind',
    path: () => '?kind=Guide',
    drawings: [...READERS, 'reading'],
    status: 200,
    only: 'articles',
  },
  {
    address: 'slug',
    path: ({ published }) => `/${published.slug}`,
    drawings: [...READERS, 'record'],
    status: 200,
    of: 'published',
  },
  {
    address: 'slug, view=page',
    path: ({ published }) => `/${published.slug}?view=page`,
    drawings: [...READERS, 'reading'],
    status: 200,
    of: 'published',
  },
  {
    address: 'id',
    path: ({ published }) => `/${published.id}`,
    drawings: [...READERS, 'record'],
    status: 200,
    of: 'published',
    leadsTo: ({ published }) => `/${published.slug}`,
  },
  ...(['unpublished', 'expired'] as const).flatMap((state): Row[] => [
    {
      address: `slug, ${state}`,
      path: (items) => `/${items[state].slug}`,
      drawings: HIDDEN,
      status: 404,
      of: state,
      ...(state === 'expired' ? { only: 'articles' } : {}),
    },
    {
      address: `id, ${state}`,
      path: (items) => `/${items[state].id}`,
      drawings: HIDDEN,
      status: 200,
      of: state,
      ...(state === 'expired' ? { only: 'articles' } : {}),
    },
  ]),
  {
    address: 'slug, trashed',
    path: ({ trashed }) => `/${trashed.slug}`,
    drawings: MISSING,
    status: 404,
  },
  {
    address: 'id, trashed',
    path: ({ trashed }) => `/${trashed.id}`,
    drawings: MISSING,
    status: 200,
  },
  { address: 'unknown slug', path: () => '/no-such-record', drawings: MISSING, status: 404 },
]

/** With definitions that someone else stored: the same paths, without `pages`. */
const FOREIGN_TABLE: Row[] = [
  { address: 'bare', path: () => '', drawings: LIST, status: 200 },
  { address: 'view=page', path: () => '?view=page', drawings: LIST, status: 200 },
  {
    address: 'id',
    path: ({ published }) => `/${published.id}`,
    drawings: ['record', 'record', 'record'],
    status: 200,
    of: 'published',
  },
]
const FOREIGN = MODELS.map((path) => ({
  path,
  routeName: path,
  name: path,
  viewData: {
    title: TITLES[path],
    displayField: NAMES[path],
    fields: [
      { name: NAMES[path], label: 'Name', type: 'text' },
      { name: 'summary', label: 'Summary', type: 'text' },
    ],
  },
}))

/** Fields that readers never see; "Nothing else" is shown. */
const INTERNAL: Record<Model, string[]> = {
  services: [
    'Slug',
    'Icon',
    'Sort order',
    'Published',
    'Internal cost',
    'Currency',
    'Documentation',
  ],
  articles: ['Slug', 'Published', 'Published at', 'Expires on', 'Pinned', 'Starts', 'Tags'],
}
const RECORD_KEEPING = ['ID', 'Version', 'Created', 'Created by', 'Updated', 'Updated by', 'Sample']

let items: Record<Model, Items>

test.beforeAll(async ({ browser, admin }) => {
  const page = await browser.newPage({ baseURL: SITE, javaScriptEnabled: true })
  await signInAndOpen(page, admin)
  items = {
    services: await createItems(page, 'services'),
    articles: await createItems(page, 'articles'),
  }
  await page.close()
})

test.afterAll(async ({ browser, admin }) => {
  const page = await browser.newPage({ baseURL: SITE, javaScriptEnabled: true })
  await signInAndOpen(page, admin)
  for (const model of MODELS)
    for (const state of ['unpublished', 'expired'] as const)
      await call(page, 'DELETE', `${model}/${items[model][state].id}`)
  await page.close()
})

async function createItems(page: Page, model: Model): Promise<Items> {
  const create = async (more: object) => {
    const slug = `reading-${crypto.randomUUID().slice(0, 8)}`
    const name = `Reading ${slug}`
    const own =
      model === 'services'
        ? { name, category: 'Advisory', description: 'Text.' }
        : {
            title: name,
            kind: 'Guide',
            body: 'Text.',
          }
    const { id } = await call(page, 'POST', model, { ...own, slug, summary: 'Summary.', ...more })
    return { id: String(id), slug, name }
  }
  const trashed = await create({ published: true })
  await call(page, 'DELETE', `${model}/${trashed.id}`)
  const expiry = model === 'articles' ? { published: true, expiresOn: '2020-01-01' } : {}
  return {
    published: await sampleOf(model),
    unpublished: await create({ published: false }),
    expired: await create(expiry),
    trashed,
  }
}

async function sampleOf(model: Model): Promise<Item> {
  const response = await fetch(`${SITE}/api/${model}?${filter('slug', SAMPLES[model])}`)
  const [found] = ((await response.json()) as { items: Record<string, unknown>[] }).items
  return { id: String(found?.['id']), slug: SAMPLES[model], name: String(found?.[NAMES[model]]) }
}

async function openAs(page: Page, role: Role, { admin, user }: Accounts) {
  if (role === 'visitor') await page.goto('/')
  else await signInAndOpen(page, role === 'staff' ? admin : user)
}
type Accounts = {
  admin: Parameters<typeof signInAndOpen>[1]
  user: Parameters<typeof signInAndOpen>[1]
}

/** By what only that drawing has: rows of a list, properties of a record. */
const drawingOf = (page: Page) =>
  page.evaluate(() => {
    const heading = document.querySelector('main h1')?.textContent ?? ''
    if (heading.includes('404 - Not Found')) return 'missing'
    if (document.querySelector('main .c-main')) return 'list'
    if (document.querySelector('main :is(.props, .properties) dt')) return 'record'
    return heading ? 'reading' : 'nothing'
  })

/** The drawing that a page settles on; the expected one is waited for. */
async function settle(page: Page, expected: Drawing) {
  const deadline = Date.now() + DRAWN_MS
  // Twice: until the account is known, a page may still change.
  for (let i = 0; i < 2; i++) {
    while ((await drawingOf(page)) !== expected && Date.now() < deadline)
      await page.waitForTimeout(100)
    await page.waitForTimeout(SETTLED_MS)
  }
  return drawingOf(page)
}
const DRAWN_MS = 8_000
const SETTLED_MS = 400

async function expectDrawing(page: Page, drawing: Drawing, heading: string) {
  expect(await settle(page, drawing)).toBe(drawing)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(heading)
}

/** As found and as expected, to be compared for all rows at once. */
async function readRow(page: Page, { role, model, row }: { role: Role; model: Model; row: Row }) {
  const drawing = row.drawings[ROLES.indexOf(role)] ?? 'missing'
  const name = row.of ? items[model][row.of].name : TITLES[model]
  const found = await settle(page, drawing)
  const headings = await page.locator('main h1').allInnerTexts()
  const isNamed = headings.length === 1 && (found === 'missing' || headings[0]?.includes(name))
  const isRedirected = row.leadsTo !== undefined && drawing === 'reading'
  const at = isRedirected ? ` at ${new URL(page.url()).pathname}` : ''
  return {
    found: `${row.address}: ${found}${isNamed ? '' : ` headed ${headings.join(', ')}`}${at}`,
    expected: `${row.address}: ${drawing}${isRedirected ? ` at /${model}${row.leadsTo?.(items[model])}` : ''}`,
  }
}

type Visit = { role: Role; model: Model; table: Row[] }

async function expectTableCold(page: Page, { role, model, table }: Visit) {
  const rows: { found: string; expected: string }[] = []
  for (const row of rowsOf(table, model)) {
    const response = await page.goto(`/${model}${row.path(items[model])}`)
    const { found, expected } = await readRow(page, { role, model, row })
    rows.push({
      found: `${found}, ${response?.status()}`,
      expected: `${expected}, ${row.status}`,
    })
  }
  expect(rows.map(({ found }) => found)).toEqual(rows.map(({ expected }) => expected))
}

async function expectTableByLink(page: Page, { role, model, table }: Visit) {
  const rows: { found: string; expected: string }[] = []
  for (const row of rowsOf(table, model)) {
    await page.goto('/contact')
    await startApp(page)
    await navigate(page, `/${model}${row.path(items[model])}`)
    // Until the next page is there, the form is.
    await expect(page.getByRole('button', { name: 'Send message' })).toHaveCount(0)
    rows.push(await readRow(page, { role, model, row }))
  }
  expect(rows.map(({ found }) => found)).toEqual(rows.map(({ expected }) => expected))
}

const rowsOf = (table: Row[], model: Model) =>
  table.filter(({ only }) => only === undefined || only === model)

for (const role of ROLES)
  for (const model of MODELS) {
    test(`[DYN-03] [DYN-05] [API-01] [ERR-01] ${model} for ${role}, cold: each address has the drawing and status of the table`, async ({
      page,
      admin,
      user,
    }) => {
      await openAs(page, role, { admin, user })
      await expectTableCold(page, { role, model, table: TABLE })
    })

    test(`[DYN-03] [DYN-05] [API-01] [ERR-01] ${model} for ${role}, by link: each address has the drawing of the table`, async ({
      page,
      admin,
      user,
    }) => {
      await openAs(page, role, { admin, user })
      await expectTableByLink(page, { role, model, table: TABLE })
    })

    test(`[DYN-01] [DYN-03] ${model} of another server’s definition for ${role}: list and record page, cold and by link`, async ({
      page,
      admin,
      user,
    }) => {
      await page.addInitScript(
        (definitions) => sessionStorage.setItem('dynamicRoutes', definitions),
        JSON.stringify(FOREIGN),
      )
      await openAs(page, role, { admin, user })
      await expectTableCold(page, { role, model, table: FOREIGN_TABLE })
      await expectTableByLink(page, { role, model, table: FOREIGN_TABLE })
    })
  }

test('[DYN-01] another server’s definition of a reading page’s path shows its list without an error before it', async ({
  page,
}) => {
  await page.addInitScript((definitions) => {
    sessionStorage.setItem('dynamicRoutes', definitions)
    new MutationObserver(() => {
      if (document.querySelector('main h1')?.textContent?.includes('404'))
        document.documentElement.dataset['sawMissing'] = 'true'
    }).observe(document, { childList: true, subtree: true })
  }, JSON.stringify(FOREIGN))
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  for (const model of MODELS) {
    await page.goto(`/${model}`)
    await expectDrawing(page, 'list', TITLES[model])
    await expect(page.locator('html')).not.toHaveAttribute('data-saw-missing')
  }
  expect(errors).toEqual([])
})

test('[ERR-01] a reader’s missing record says so with its status, inside the layout', async ({
  page,
}) => {
  for (const model of MODELS) {
    await page.goto(`/${model}/${items[model].unpublished.slug}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('404 - Not Found')
    await expect(page.getByText('Error loading model: 404')).toBeVisible()
  }
})

test('a reading page shows no internal field, id, timestamp or raw Markdown', async ({ page }) => {
  for (const model of MODELS) {
    const { slug, id } = items[model].published
    for (const path of [`/${model}`, `/${model}/${slug}`]) {
      await page.goto(path)
      const main = page.getByRole('main')
      await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
      for (const label of [...INTERNAL[model], ...RECORD_KEEPING])
        await expect(
          main.getByText(label, { exact: true }).and(page.locator(':not(.includes > li)')),
          `${label} on ${path}`,
        ).toHaveCount(0)
      const text = await main.innerText()
      expect(text, path).not.toContain(slug)
      expect(text, path).not.toContain(id)
      expect(text, path).not.toMatch(/\d{4}-\d\d-\d\dT|\btrue\b|\bfalse\b|\bnull\b/)
      expect(text, path).not.toMatch(/\|\s*:?-{3}|\*\*|^#{1,6} |\]\(/m)
    }
  }
})

test('a service’s page offers Request this service, an article’s names its kind and date', async ({
  page,
}) => {
  await page.goto(`/services/${items.services.published.slug}`)
  const main = page.getByRole('main')
  await expect(main).toContainText('from €49')
  await expect(main).toContainText('per user per month, without VAT')
  await expect(main.getByRole('link', { name: 'Request this service' }).first()).toBeVisible()
  await page.goto(`/articles/${items.articles.published.slug}`)
  await expect(main).toContainText('Guide')
  await expect(main.locator('time')).not.toHaveCount(0)
})

test('View page takes staff from list and record page to the reading page, Back returns', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  for (const model of MODELS)
    for (const [path, drawing, name] of [
      ['', 'list', TITLES[model]],
      [`/${items[model].published.id}`, 'record', items[model].published.name],
    ] as const) {
      await page.goto(`/${model}${path}`)
      await expectDrawing(page, drawing, name)
      await page.getByRole('main').getByRole('link', { name: 'View page', exact: true }).click()
      await expect(page).toHaveURL(/\?view=page$/)
      await expectDrawing(page, 'reading', name)
      await page.goBack()
      await expectDrawing(page, drawing, name)
    }
})

test('Edit as record takes staff from View page to the record, Back returns to the page', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const { id, slug, name } = items.services.published
  await page.goto(`/services/${id}`)
  await page.getByRole('main').getByRole('link', { name: 'View page', exact: true }).click()
  await expectDrawing(page, 'reading', name)
  await page.getByRole('main').getByRole('link', { name: 'Edit as record', exact: true }).click()
  await expect(page).toHaveURL(`/services/${id}`)
  await expectDrawing(page, 'record', name)
  await page.goBack()
  await expect(page).toHaveURL(`/services/${slug}?view=page`)
  await expectDrawing(page, 'reading', name)
})

test('a reading page stays when the app starts, for visitors and clients, though the API does not respond', async ({
  page,
  user,
}) => {
  const { slug, name } = items.articles.published
  const expectPage = async () => {
    // A toast starts the app.
    await page.goto(`/articles/${slug}?${instructionParam('toast', { message: 'Started' })}`)
    await expect(page.getByText('Started')).toBeVisible()
    await expectDrawing(page, 'reading', name)
    await expect(page).toHaveTitle(new RegExp(name))
  }
  const fail = () => page.route(/\/api\//, (route) => route.fulfill({ status: 503, body: '' }))
  await fail()
  await expectPage()
  await page.unroute(/\/api\//)
  await signInAndOpen(page, user)
  await page.evaluate(() => sessionStorage.removeItem('dynamicRoutes'))
  await fail()
  await expectPage()
})

test('the form of a new record suggests its slug from the title, until the slug is edited', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  for (const [model, label] of [
    ['services', 'Name'],
    ['articles', 'Title'],
  ] as const) {
    await page.goto(`/${model}/create`)
    const title = page.getByLabel(label, { exact: true })
    const slug = page.getByLabel('Slug', { exact: true })
    await title.fill('What’s new: 2 answers')
    await expect(slug).toHaveValue('whats-new-2-answers')
    await slug.fill('answers')
    await title.fill('What’s new: 3 answers')
    await expect(slug).toHaveValue('answers')
  }
})

test('a reader has no View page', async ({ page, user }) => {
  await signInAndOpen(page, user)
  for (const path of ['/services', '/articles', `/services/${items.services.published.slug}`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'View page' })).toHaveCount(0)
  }
})

for (const model of MODELS)
  test(`an id of ${model} redirects to the slug’s address, and Back returns to the page before`, async ({
    page,
  }) => {
    const { id, slug, name } = items[model].published
    await page.goto('/contact')
    await page.goto(`/${model}/${id}`)
    await expect(page).toHaveURL(`/${model}/${slug}`)
    await expectDrawing(page, 'reading', name)
    await page.goBack()
    await expect(page).toHaveURL('/contact')
    await startApp(page)
    await navigate(page, `/${model}/${id}`)
    await expect(page).toHaveURL(`/${model}/${slug}`)
    await expectDrawing(page, 'reading', name)
    await page.goBack()
    await expect(page).toHaveURL('/contact')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact')
  })

test('[PROFILE-06] /msp/services/{slug} redirects permanently, and Back returns to the page before', async ({
  page,
}) => {
  const { slug, name } = items.services.published
  const response = await fetch(`${SITE}/msp/services/${slug}`, { redirect: 'manual' })
  expect(response.status).toBe(301)
  const target = new URL(response.headers.get('location') ?? '', SITE)
  expect(target.pathname).toBe(`/services/${slug}`)
  await page.goto('/contact')
  await page.goto(`/msp/services/${slug}`)
  await expect(page).toHaveURL(`/services/${slug}`)
  await expectDrawing(page, 'reading', name)
  await page.goBack()
  await expect(page).toHaveURL('/contact')
  await startApp(page)
  await navigate(page, `/msp/services/${slug}`)
  await expect(page).toHaveURL(`/services/${slug}`)
  await expectDrawing(page, 'reading', name)
  await page.goBack()
  await expect(page).toHaveURL('/contact')
})

test('[PROFILE-06] /msp/services and /msp-services show the page of /services, with its canonical address and mark in the menu', async ({
  page,
}) => {
  const seen: string[] = []
  for (const path of ['/services', '/msp/services', '/msp-services']) {
    const response = await page.goto(path)
    expect(response?.status()).toBe(200)
    await expectDrawing(page, 'reading', 'Services')
    await expect(page).toHaveURL(path)
    await expect(page.locator('head link[rel="canonical"]')).toHaveAttribute(
      'href',
      `${config.site.url}/services`,
    )
    await expect(
      page.getByRole('banner').getByRole('link', { name: 'List Services' }),
    ).toHaveAttribute('aria-current', 'page')
    seen.push(await page.getByRole('main').innerText())
  }
  expect(seen[1]).toBe(seen[0])
  expect(seen[2]).toBe(seen[0])
})

test('[NAV-02] the menu’s links lead a visitor to the reading pages, and from there to a record', async ({
  page,
}) => {
  for (const model of MODELS) {
    await page.goto('/')
    await page
      .getByRole('banner')
      .getByRole('link', { name: `List ${TITLES[model]}` })
      .click()
    await expect(page).toHaveURL(`/${model}`)
    await expectDrawing(page, 'reading', TITLES[model])
    const { slug, name } = items[model].published
    await page.getByRole('main').getByRole('link', { name, exact: true }).first().click()
    await expect(page).toHaveURL(`/${model}/${slug}`)
    await expectDrawing(page, 'reading', name)
    await page.goBack()
    await expectDrawing(page, 'reading', TITLES[model])
  }
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('indexes and pages of services and articles have their whole content', async ({ page }) => {
    for (const model of MODELS) {
      const samples = await publishedSamples(model)
      expect(samples.length).toBeGreaterThan(5)
      await page.goto(`/${model}`)
      const main = page.getByRole('main')
      for (const record of samples) {
        const link = main.locator(`a[href="/${model}/${String(record['slug'])}"]`)
        await expect(link.first(), String(record['slug'])).toBeVisible()
      }
      for (const { id, slug } of samples) {
        const record = await readJson(`${model}/${String(id)}`)
        const response = await page.goto(`/${model}/${String(slug)}`)
        expect(response?.status()).toBe(200)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(
          String(record[NAMES[model]]),
        )
        const text = squeeze(await main.innerText())
        for (const sentence of sentencesOf(String(record['description'] ?? record['body'])))
          expect(text, String(slug)).toContain(sentence)
        for (const one of (record['includes'] as string[] | undefined) ?? [])
          expect(text, String(slug)).toContain(squeeze(one))
      }
    }
  })

  test('[NAV-02] the menu has the links to Services and Articles', async ({ page }) => {
    for (const path of ['/', '/contact', '/privacy', '/services', '/articles']) {
      await page.goto(path)
      for (const model of MODELS)
        await expect(page.locator(`header a[href="/${model}"]`), path).not.toHaveCount(0)
    }
  })
})

test('crawling from / and reading the sitemap meet each published page under one address, and no 404', async () => {
  const crawled = await crawl('/')
  const lost = [...crawled].filter(([, { status }]) => status !== 200).map(([path]) => path)
  // Another test may have withdrawn a record whose page was being read.
  await expect.poll(() => stillLost(lost), { timeout: 30_000 }).toEqual([])
  const sitemap = await (await fetch(`${SITE}/sitemap.xml`)).text()
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, url = '']) => new URL(url).pathname,
  )
  expect(listed.length).toBe(new Set(listed).size)
  for (const path of listed) {
    const { status, canonical } = await readPage(path)
    expect(status, path).toBe(200)
    expect(canonical, path).toBe(path)
  }
  for (const model of MODELS) {
    expect(listed).toContain(`/${model}`)
    for (const { slug } of await publishedSamples(model)) {
      const own = `/${model}/${String(slug)}`
      expect(listed.filter((path) => path === own)).toEqual([own])
      const met = [...crawled]
        .filter(([, { canonical }]) => canonical === own)
        .map(([path]) => path)
      expect(met, 'addresses that links lead to').toEqual([own])
    }
  }
  expect(listed.filter((path) => path.startsWith('/msp'))).toEqual([])
})

type Crawled = { status: number; canonical: string | null; links: string[] }

/** Follows every link of the HTML on this site. */
async function crawl(start: string) {
  const found = new Map<string, Crawled>()
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const page = await readPage(path)
    found.set(path, page)
    waiting.push(...page.links)
  }
  return found
}

async function readPage(path: string): Promise<Crawled> {
  const response = await fetch(SITE + path)
  const html = (response.headers.get('content-type') ?? '').includes('text/html')
  const text = html ? await response.text() : ''
  const canonical = /<link[^>]*rel="canonical"[^>]*>/.exec(text)?.[0]
  const address = canonical && /href="([^"]+)"/.exec(canonical)?.[1]
  const links = [...text.matchAll(/<a\b[^>]*\bhref="([^"#]+)/g)].flatMap(([, href = '']) => {
    const { origin, pathname } = new URL(href.replaceAll('&amp;', '&'), SITE + path)
    return origin === SITE && !pathname.startsWith('/api/') ? [pathname] : []
  })
  return { status: response.status, canonical: address ? new URL(address).pathname : null, links }
}

async function stillLost(paths: string[]) {
  const pages = await Promise.all(paths.map(async (path) => ({ path, ...(await readPage(path)) })))
  return pages.filter(({ status }) => status !== 200).map(({ path }) => path)
}

const readJson = async (path: string) =>
  (await (await fetch(`${SITE}/api/${path}`)).json()) as Record<string, unknown>

async function publishedSamples(model: Model) {
  const { items: rows } = await readJson(`${model}?limit=100`)
  return (rows as Record<string, unknown>[]).filter(({ sample }) => sample === true)
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Pieces of a Markdown text without markup, long enough to identify it. */
const sentencesOf = (markdown: string) =>
  markdown
    .split(/\n\s*\n|[#*_`>|[\]()]|^\s*[-\d]+\.? /m)
    .map(squeeze)
    .filter((piece) => piece.length > 20 && !/^https?:|---/.test(piece))
