import type { Page } from '@playwright/test'
import { config, crumbsOf, expect, startApp, test } from './kit.ts'

const { owner, profile, site } = config

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const canonical = (page: Page) => page.locator('head link[rel="canonical"]')
const section = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })

test.describe('the profile', () => {
  test('[PROFILE-01] / and /profile show the same page, under one canonical address', async ({
    page,
  }) => {
    const texts: string[] = []
    for (const path of ['/', '/profile']) {
      await page.goto(path)
      await expect(heading(page)).toHaveText(owner.name)
      await expect(canonical(page)).toHaveCount(1)
      await expect(canonical(page)).toHaveAttribute('href', `${site.url}/`)
      await expect(page).toHaveTitle(`${owner.name}, ${owner.title} · ${site.name}`)
      texts.push(await page.locator('main .page').innerText())
    }
    expect(texts[1]).toBe(texts[0])
    expect(texts[0]).toContain('Engineering philosophy')
    // Still true after a client-side navigation.
    await page.getByRole('banner').getByRole('link', { name: 'Contact', exact: true }).click()
    await expect(canonical(page)).toHaveAttribute('href', `${site.url}/contact`)
    await page.getByRole('banner').getByRole('link', { name: 'Profile', exact: true }).click()
    await expect(canonical(page)).toHaveAttribute('href', `${site.url}/`)
  })

  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])
    test.describe(`${viewport.width} wide`, () => {
      test.use({ viewport })

      test(`[PROFILE-01] the specialist’s name, title and statement are visible without scrolling (${viewport.width})`, async ({
        page,
      }) => {
        expect(owner.title).toMatch(/DevOps/i)
        expect(owner.title).toMatch(/cybersecurity/i)
        for (const path of ['/', '/profile']) {
          await page.goto(path)
          const main = page.getByRole('main')
          for (const words of [
            main.getByRole('heading', { level: 1, name: owner.name, exact: true }),
            main.getByText(owner.title, { exact: true }),
            main.getByText(`${profile.headline} ${profile.lead}`, { exact: true }),
            main.getByRole('link', { name: 'Get in touch' }).first(),
          ]) {
            await expect(words).toHaveCount(1)
            await expect(words).toBeInViewport({ ratio: 1 })
          }
          expect(await page.evaluate(() => scrollY)).toBe(0)
        }
      })
    })

  test('[PROFILE-02] each expertise area has a name, an icon, a description and its project count', async ({
    page,
  }) => {
    await page.goto('/')
    const areas = section(page, 'Expertise').getByRole('listitem')
    await expect(areas).toHaveCount(profile.expertise.length)
    expect(profile.expertise.length).toBeGreaterThan(6)
    for (const { name, description, projects } of profile.expertise) {
      const area = areas.filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) })
      await expect(area.getByRole('paragraph')).toHaveText(description)
      await expect(area.locator('.cnt')).toHaveText(
        `${projects}${projects === 1 ? 'project' : 'projects'}`,
      )
      await expect(area.locator('.ico svg path')).not.toHaveCount(0)
    }
    const icons = await areas
      .locator('.ico svg')
      .evaluateAll((all) =>
        all.map((svg) =>
          [...svg.querySelectorAll('path')].map((path) => path.getAttribute('d')).join(),
        ),
      )
    expect(new Set(icons).size).toBe(profile.expertise.length)
  })

  test('[PROFILE-03] the bar of area n, from the fewest projects, is min(95, 70 + 4n) percent wide; the longest is on top', async ({
    page,
  }) => {
    await page.goto('/profile')
    const areas = section(page, 'Expertise').getByRole('listitem')
    await expect(areas).toHaveCount(profile.expertise.length)
    const measured = await areas.evaluateAll((all) =>
      all.map((area) => {
        const bar = area.querySelector('.bar')
        const track = bar?.querySelector('svg')?.getBoundingClientRect().width ?? 0
        const drawn = bar?.querySelector('rect')?.getBoundingClientRect().width ?? 0
        return {
          name: area.querySelector('h3')?.textContent,
          track,
          percent: (100 * drawn) / track,
          isHidden: bar?.ariaHidden,
        }
      }),
    )
    // site.json is ascending, so the index is the specification's n.
    const counts = profile.expertise.map(({ projects }) => projects)
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
    for (const [index, { name }] of profile.expertise.entries()) {
      const area = measured.find((one) => one.name === name)
      expect(area?.track).toBeGreaterThan(40)
      expect(area?.percent).toBeCloseTo(Math.min(95, 70 + 4 * index), 0)
      expect(area?.isHidden).toBe('true')
    }
    expect(measured.map(({ name }) => name)).toEqual(
      profile.expertise.map(({ name }) => name).toReversed(),
    )
    // The maximum is reached.
    expect(measured[0]?.percent).toBeCloseTo(95, 0)
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    await expect(page.getByRole('meter')).toHaveCount(0)
  })

  test('[PROFILE-04] each certification has its name, issuer and year, and links to the issuer', async ({
    page,
  }) => {
    await page.goto('/')
    const rows = section(page, 'Certifications').getByRole('listitem')
    await expect(rows).toHaveCount(profile.certifications.length)
    for (const [index, { name, issuer, year, url }] of profile.certifications.entries()) {
      const row = rows.nth(index)
      await expect(row.getByText(name, { exact: true })).toBeVisible()
      await expect(row.getByText(`${issuer}, ${year}`, { exact: true })).toBeVisible()
      if (url) {
        const link = row.getByRole('link', { name })
        await expect(link).toHaveAttribute('href', url)
        await expect(link).toHaveAttribute('rel', 'noopener')
      }
    }
    expect(profile.certifications.length).toBeGreaterThan(2)
    expect(new Set(profile.certifications.map(({ url }) => typeof url)).size).toBe(1)
    await expect(page.getByText('Each links to its issuer.')).toBeVisible()
  })

  test('[PROFILE-05] the profile has tool lists, three projects and the engineering philosophy', async ({
    page,
  }) => {
    await page.goto('/')
    const tools = page.locator('dl.tools')
    await expect(tools.getByRole('term')).toHaveText(profile.tools.map(({ group }) => group))
    await expect(tools.getByRole('definition')).toHaveText(
      profile.tools.map(({ names }) => names.join(', ')),
    )
    const projects = section(page, 'Selected projects').getByRole('article')
    await expect(projects).toHaveCount(3)
    for (const [index, { title, client, text, before, after }] of profile.projects.entries()) {
      const project = projects.nth(index)
      await expect(project.getByRole('heading', { level: 3 })).toHaveText(title)
      for (const words of [client, text, before, after]) await expect(project).toContainText(words)
    }
    const philosophy = section(page, 'Engineering philosophy')
    await expect(philosophy).toContainText(profile.philosophy.statement)
    for (const { title, text } of profile.philosophy.principles) {
      await expect(philosophy.getByRole('heading', { level: 3, name: title })).toBeVisible()
      await expect(philosophy).toContainText(text)
    }
  })

  for (const [path, name, title] of [
    ['/contact', 'Get in touch', 'Contact'],
    ['/msp/services', 'See managed services', 'Services'],
    ['/msp-services', 'Compare services and prices', 'Services'],
  ] as const)
    test(`[PROFILE-06] the profile links to ${path}, which exists`, async ({ page }) => {
      await page.goto('/profile')
      const link = page.getByRole('main').getByRole('link', { name }).first()
      await expect(link).toHaveAttribute('href', path)
      await link.click()
      await expect(page).toHaveURL(path)
      await expect(heading(page)).toHaveText(title)
    })
})

test.describe('the service catalogue', () => {
  test('[PROFILE-06] both addresses show one catalogue, under one canonical address', async ({
    page,
  }) => {
    const offers: string[][] = []
    for (const path of ['/services', '/msp/services', '/msp-services']) {
      await page.goto(path)
      await expect(heading(page)).toHaveText('Services')
      await expect(page).toHaveTitle(`Services · ${site.name}`)
      await expect(canonical(page)).toHaveAttribute('href', `${site.url}/services`)
      expect(await crumbsOf(page)).toEqual(['Home → /', 'Services (here)'])
      await expect(page.locator('.offers > li')).not.toHaveCount(0)
      offers.push(await page.locator('.offers > li').allInnerTexts())
    }
    expect(offers[0]?.length).toBeGreaterThan(0)
    expect(offers[1]).toEqual(offers[0])
    expect(offers[2]).toEqual(offers[0])
  })

  test('[PROFILE-06] a service has its own page, which links to the contact form with its name', async ({
    page,
  }) => {
    await page.goto('/msp-services')
    const link = page.locator('.offers h3 a').first()
    const name = await link.innerText()
    await link.click()
    await expect(page).toHaveURL(/\/services\/[a-z0-9-]+$/)
    await expect(heading(page)).toHaveText(name)
    await expect(page).toHaveTitle(`${name} · ${site.name}`)
    await expect(canonical(page)).toHaveAttribute(
      'href',
      `${site.url}${new URL(page.url()).pathname}`,
    )
    await page.getByRole('main').getByRole('link', { name: 'Request this service' }).click()
    await expect(page).toHaveURL(/\/contact\?/)
    const query = new URL(page.url()).searchParams
    expect(query.get('subject')).toBe(name)
    expect(query.get('service')).toMatch(/^[0-9a-f-]{36}$/)
    await expect(page.getByLabel('Subject')).toHaveValue(name)
  })

  test('[PROFILE-06] every price shows its unit and period, in the catalogue and on its page', async ({
    page,
  }) => {
    await page.goto('/msp/services')
    for (const [name, amount, unit] of [
      ['Managed Workplace', 'from €49', 'per user per month'],
      ['Server & Network Care', 'from €85', 'per device per month'],
      ['Backup & Disaster Recovery', 'from €120', 'per server per month'],
      ['Microsoft 365 / Google Workspace Administration', 'from €12', 'per user per month'],
      ['Vulnerability Management', 'from €390', 'per month'],
      ['Managed Detection & Response', 'from €18.50', 'per device per month'],
      ['Cloud & DevOps Engineering', 'from €880', 'per day'],
      ['Incident Response Retainer', 'from €4,200', 'per year'],
    ] as const) {
      const offer = page
        .locator('.offers > li')
        .filter({ has: page.getByRole('heading', { name, exact: true }) })
      await expect(offer.locator('.terms')).toContainText(amount)
      await expect(offer.locator('.terms')).toContainText(unit)
    }
    await page.getByRole('link', { name: 'Cloud & DevOps Engineering', exact: true }).click()
    await expect(page.getByRole('main').getByRole('complementary')).toContainText(
      /^from €880\s*per day, without VAT\s*First response\s*8 working hours/,
    )
  })

  for (const path of ['/msp', '/msp/unknown', '/msp-services/unknown', '/msp-service'])
    test(`[PROFILE-06] [ROUTE-02] ${path} is 404`, async ({ page }) => {
      await expectMissing(page, path)
      expect(await crumbsOf(page)).toEqual(['Home → /', 'Not Found (here)'])
      await expect(page.locator('head meta[name="robots"]')).toHaveAttribute('content', 'noindex')
    })

  test('[PROFILE-06] an unknown service is 404 within the full layout', async ({ page }) => {
    const response = await page.goto('/services/no-such-service')
    if (isStack(response)) expect(response?.status()).toBe(404)
    await expect(heading(page)).toContainText('404 - Not Found')
    await expectFrame(page)
  })

  test('[PROFILE-06] [LAY-01] a catalogue that fails to load says so inside the layout', async ({
    page,
  }) => {
    await page.route('**/api/services?*', (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto('/contact')
    await startApp(page)
    await page.getByRole('banner').getByRole('link', { name: 'List Services' }).first().click()
    await expect(heading(page)).toContainText('503')
    await expectFrame(page)
  })
})

test.describe('the other public pages', () => {
  test('[ROUTE-04] [CRUMB-02] /contact shows the contact form, with a title and a crumb', async ({
    page,
  }) => {
    await page.goto('/contact')
    await expect(heading(page)).toHaveText('Contact')
    await expect(page).toHaveTitle(`Contact · ${site.name}`)
    await expect(canonical(page)).toHaveAttribute('href', `${site.url}/contact`)
    expect(await crumbsOf(page)).toEqual(['Home → /', 'Contact (here)'])
    const form = page.getByRole('main').locator('form')
    expect(await form.getByRole('radio').evaluateAll(labelsOf)).toEqual([
      'Query',
      'Callback Request',
      'Client Report',
    ])
    for (const label of ['Full name', 'Email', 'Subject', 'Message'])
      await expect(form.getByLabel(label, { exact: true })).toBeEditable()
    await expect(form.getByRole('button', { name: 'Send message' })).toBeEnabled()
  })

  test('[ROUTE-04] [CRUMB-02] /privacy shows the privacy notice, with a title and a crumb', async ({
    page,
  }) => {
    await page.goto('/privacy')
    await expect(heading(page)).toHaveText('Privacy notice')
    await expect(page).toHaveTitle(`Privacy notice · ${site.name}`)
    await expect(canonical(page)).toHaveAttribute('href', `${site.url}/privacy`)
    expect(await crumbsOf(page)).toEqual(['Home → /', 'Privacy (here)'])
  })

  for (const [path, crumb] of [
    ['/login', 'Login'],
    ['/unauthorised', 'Unauthorised'],
    ['/security', 'Security'],
  ] as const)
    test(`[ROUTE-04] ${path} has the crumb ${crumb} after Home`, async ({ page }) => {
      await page.goto(path)
      await expect(heading(page)).toBeVisible()
      expect(await crumbsOf(page)).toEqual(['Home → /', `${crumb} (here)`])
    })

  for (const [path, crumb] of [
    ['/signin-callback', 'Sign In'],
    ['/logout-callback', 'Logout'],
  ] as const)
    test(`[ROUTE-04] ${path} has the crumb ${crumb} while it is processing`, async ({ page }) => {
      // A slow provider keeps the page visible.
      let release = () => {}
      const isReleased = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/config.json', async (route) => {
        await isReleased
        await route.continue()
      })
      await page.goto(path)
      await expect(heading(page)).toHaveText(/^Completing sign-(in|out)\.\.\.$/)
      expect(await crumbsOf(page)).toEqual(['Home → /', `${crumb} (here)`])
      release()
      await expect(page).not.toHaveURL(path)
    })

  test('[ROUTE-02] [ROUTE-04] any other path is 404, with a crumb and a link home', async ({
    page,
  }) => {
    await expectMissing(page, '/no/such/page')
    expect(await crumbsOf(page)).toEqual(['Home → /', 'Not Found (here)'])
    await expect(page).toHaveTitle(`404 - Not Found · ${site.name}`)
    await expect(canonical(page)).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Go to home page' }).click()
    await expect(page).toHaveURL('/')
    await expect(heading(page)).toHaveText(owner.name)
    await expect(page.locator('head meta[name="robots"]')).toHaveCount(0)
  })
})

async function expectMissing(page: Page, path: string) {
  const response = await page.goto(path)
  if (isStack(response)) expect(response?.status()).toBe(404)
  await expect(heading(page)).toHaveText('404 - Not Found')
  await expect(page.getByText("The page you're looking for doesn't exist.")).toBeVisible()
  await expectFrame(page)
}

async function expectFrame(page: Page) {
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
}

/** A development server returns 200 for everything; only the stack has status codes and a policy. */
const isStack = (response: { headers: () => Record<string, string> } | null) =>
  response?.headers()['content-security-policy'] !== undefined

const labelsOf = (inputs: Element[]) =>
  inputs.map((input) => (input as HTMLInputElement).labels?.[0]?.textContent)
