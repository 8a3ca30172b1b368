import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Notice } from '@gatehouse/model'
import type { Page } from '@playwright/test'
import { config, expect, mailsTo, test } from './kit.ts'

const SECTIONS = [
  ['introduction', 'Introduction'],
  ['data-we-collect', 'Data We Collect'],
  ['how-we-use-data', 'How We Use Data'],
  ['legal-basis', 'Legal Basis'],
  ['data-sharing', 'Data Sharing'],
  ['international-transfers', 'International Transfers'],
  ['data-security', 'Data Security'],
  ['data-retention', 'Data Retention'],
  ['your-rights', 'Your Rights'],
  ['cookies', 'Cookies'],
  ['changes-to-notice', 'Changes to Notice'],
  ['contact-us', 'Contact Us'],
] as const

test.beforeEach(async ({ page }) => {
  // Scrolls instantly.
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

const contents = (page: Page) => page.getByRole('navigation', { name: 'Sections' })

test.describe('the notice', () => {
  test('[PRIV-01] the notice has twelve sections in order, none empty', async ({ page }) => {
    await page.goto('/privacy')
    const sections = page.getByRole('article').locator('section')
    await expect(sections).toHaveCount(12)
    expect(
      await sections.evaluateAll((all) =>
        all.map((one) => [one.id, one.querySelector('h2')?.textContent]),
      ),
    ).toEqual(SECTIONS)
    expect(await page.getByRole('article').getByRole('heading', { level: 2 }).count()).toBe(12)
    for (const section of await sections.all())
      expect((await section.innerText()).length).toBeGreaterThan(60)
  })

  test('[PRIV-02] the side navigation has a real anchor per section, and the section in view is marked', async ({
    page,
  }) => {
    await page.goto('/privacy')
    const links = contents(page).getByRole('link')
    await expect(links).toHaveCount(12)
    expect(
      await links.evaluateAll((all) =>
        all.map((link) => [link.getAttribute('href')?.slice(1), link.textContent]),
      ),
    ).toEqual(SECTIONS)
    const current = contents(page).locator('a[aria-current]:visible')
    await expect(current).toHaveText(['Introduction'])
    for (const [id, title] of [...SECTIONS.slice(3), ...SECTIONS.slice(0, 3)]) {
      await links.filter({ hasText: title }).click()
      await expect(page).toHaveURL(`/privacy#${id}`)
      await expect(page.locator(`#${id}`).getByRole('heading', { name: title })).toBeInViewport()
      await expect(current).toHaveText([title])
      await expect(current).toHaveAttribute('aria-current', 'true')
    }
    // Manual scrolling marks the section too.
    await page.evaluate(() => {
      const top = document.getElementById('data-retention')?.getBoundingClientRect().top ?? 0
      window.scrollTo(0, window.scrollY + top - 100)
    })
    await expect(current).toHaveText(['Data Retention'])
  })

  test('[PRIV-02] a URL with an anchor opens at its section of the notice', async ({ page }) => {
    await page.goto('/privacy#cookies')
    await expect(
      page.locator('#cookies').getByRole('heading', { name: 'Cookies' }),
    ).toBeInViewport()
    await expect(contents(page).locator('a[aria-current]:visible')).toHaveText(['Cookies'])
  })

  test('[PRIV-02] on a phone the notice’s sections are behind a disclosure', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/privacy')
    await expect(contents(page)).toBeVisible()
    await expect(contents(page).getByRole('link')).toHaveCount(0)
    await contents(page).getByText('On this page').click()
    await expect(contents(page).getByRole('link')).toHaveCount(12)
    await contents(page).getByRole('link', { name: 'Your Rights' }).click()
    await expect(page).toHaveURL('/privacy#your-rights')
    await expect(page.locator('#your-rights').getByRole('heading')).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })

  test('[PRIV-03] Download PDF is a button, and downloads the notice as a PDF', async ({
    page,
  }) => {
    await page.goto('/privacy')
    const button = page.getByRole('main').getByRole('button', { name: 'Download PDF', exact: true })
    await expect(button).toHaveCount(1)
    const started = page.waitForEvent('download')
    await button.click()
    const download = await started
    expect(download.suggestedFilename()).toBe('privacy-notice-2025-06-15.pdf')
    const content = await readFile(await download.path())
    expect(content.subarray(0, 5).toString('latin1')).toBe('%PDF-')
    expect(content.subarray(-8).toString('latin1')).toContain('%%EOF')
    expect(content.length).toBeGreaterThan(5000)
    await expect(page).toHaveURL('/privacy')
  })

  test('[PRIV-03] page, PDF and JSON of the notice agree cell by cell', async ({ page }) => {
    const response = await page.request.get('/api/privacy/notice')
    const { sections, lastUpdated } = (await response.json()) as Notice
    const pdf = await page.request.get(`/privacy-notice-${lastUpdated}.pdf`)
    await page.goto('/privacy')
    const printed = withoutSpaces(await textOf(await pdf.body()))
    let cells = 0
    for (const { id, blocks } of sections) {
      const tables = blocks.filter((block) => block.kind === 'table')
      const shown = await page
        .locator(`#${id} table`)
        .evaluateAll((all) =>
          all.map((one) =>
            [...one.querySelectorAll('tr')].map((row) =>
              [...row.children].map((cell) => cell.textContent),
            ),
          ),
        )
      expect(shown, id).toEqual(tables.map(({ columns, rows }) => [columns, ...rows]))
      for (const cell of tables.flatMap(({ columns, rows }) => [columns, ...rows].flat())) {
        expect(printed, `${id} in the PDF`).toContain(withoutSpaces(cell))
        cells++
      }
    }
    expect(cells).toBeGreaterThan(100)
  })

  for (const key of ['Enter', 'Space'])
    test(`[PRIV-03] Download PDF reacts to ${key} like a button`, async ({ page }) => {
      await page.goto('/privacy')
      await page.getByRole('button', { name: 'Download PDF' }).focus()
      const started = page.waitForEvent('download', { timeout: 5000 })
      await page.keyboard.press(key)
      expect((await started).suggestedFilename()).toBe('privacy-notice-2025-06-15.pdf')
    })

  test('[PRIV-05] the notice states the specified retention periods and the date of its last update', async ({
    page,
  }) => {
    await page.goto('/privacy')
    await expect(page.getByText('Last updated June 15, 2025', { exact: true })).toBeVisible()
    await expect(page.locator('#introduction')).toContainText(
      'Last updated: June 15, 2025 (version 1.0).',
    )
    await expect(page.locator('#your-rights')).toContainText(
      'Requests are answered within 30 days.',
    )
    await expect(page.locator('#inquiry')).toContainText('We reply within 30 days')
    await expect(page.locator('#data-retention').getByRole('row')).not.toHaveCount(0)
    const rows = await page
      .locator('#data-retention')
      .getByRole('row')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
    const terms = new Map(rows.map(([data, kept]) => [data, kept?.toLowerCase()]))
    expect(terms.get('Customer data')).toBe('7 years after contract end')
    expect(terms.get('Prospect data')).toBe('2 years after last contact')
    expect(terms.get('Technical logs')).toBe('12 months')
    expect(terms.get('Marketing consents')).toBe('until withdrawn')
  })
})

test.describe('the Privacy Inquiry Form', () => {
  const form = (page: Page) => page.getByRole('region', { name: 'Privacy Inquiry Form' })
  const send = (page: Page) => form(page).getByRole('button', { name: 'Send request' })
  const confirmation = (page: Page) =>
    form(page).getByRole('checkbox', {
      name: "I confirm that I'm making this request on my own behalf",
      exact: true,
    })
  const REQUESTS = '**/api/privacy/requests'

  async function fill(page: Page, email: string) {
    await form(page).getByLabel('Name', { exact: true }).fill('Nora Lind')
    await form(page).getByLabel('Email').fill(email)
    await form(page).getByLabel('Subject').selectOption('deletion')
    await form(page).getByLabel('Message').fill('Please delete what you keep about me.')
    await confirmation(page).check()
  }

  async function expectFilled(page: Page, email: string) {
    await expect(form(page).getByLabel('Name', { exact: true })).toHaveValue('Nora Lind')
    await expect(form(page).getByLabel('Email')).toHaveValue(email)
    await expect(form(page).getByLabel('Subject')).toHaveValue('deletion')
    await expect(form(page).getByLabel('Message')).toHaveValue(
      'Please delete what you keep about me.',
    )
    await expect(confirmation(page)).toBeChecked()
  }

  test.beforeEach(async ({ page }) => {
    await page.goto('/privacy#inquiry')
    await expect(send(page)).toBeVisible()
  })

  test('[PRIV-04] the Privacy Inquiry Form requires name, email, subject, message and the confirmation', async ({
    page,
  }) => {
    let requests = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') requests++
    })
    expect(
      await form(page)
        .getByLabel('Subject')
        .getByRole('option')
        .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value)),
    ).toEqual(['access', 'deletion', 'complaint', 'other'])
    await send(page).click()
    await expect(form(page).locator('.invalid-feedback')).toHaveText([
      'Name is required.',
      'Email is required.',
      'Subject is required.',
      'Message is required.',
      'Confirm that you’re making this request on your own behalf.',
    ])
    await expect(form(page).getByLabel('Name', { exact: true })).toBeFocused()
    for (const label of ['Name', 'Email', 'Subject', 'Message']) {
      const field = form(page).getByLabel(label, { exact: true })
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(`${label} is required.`)
    }
    await expect(confirmation(page)).toHaveAccessibleDescription(
      'Confirm that you’re making this request on your own behalf.',
    )
    await fill(page, 'nora')
    await send(page).click()
    await expect(form(page).locator('.invalid-feedback')).toHaveText([
      'Enter a full email address, such as name@example.com.',
    ])
    await form(page).getByLabel('Email').fill('nora@example.test')
    await confirmation(page).uncheck()
    await send(page).click()
    await expect(form(page).locator('.invalid-feedback')).toHaveText([
      'Confirm that you’re making this request on your own behalf.',
    ])
    expect(requests).toBe(0)
  })

  test('[PRIV-04] a sent privacy request is confirmed by a toast and a mail with its reference', async ({
    page,
  }) => {
    const email = `nora-${crypto.randomUUID()}@example.test`
    await fill(page, email)
    const sent = page.waitForRequest(REQUESTS)
    await send(page).click()
    expect((await sent).postDataJSON()).toEqual({
      name: 'Nora Lind',
      email,
      subject: 'deletion',
      message: 'Please delete what you keep about me.',
      confirmed: true,
      website: '',
    })
    const toast = page.locator('.toast-g.success .toast-message')
    await expect(toast).toHaveText(/^We’ve received your request PR-\S+\.$/)
    const reference = /PR-[\d-]+/.exec(await toast.innerText())?.[0] ?? ''
    await expect(form(page)).toContainText(
      `We’ve received your request ${reference} and will reply by `,
    )
    await expect(form(page).getByLabel('Message')).toHaveValue('')
    await expect(confirmation(page)).not.toBeChecked()
    await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toHaveLength(1)
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toBe(`Privacy request ${reference} received`)
    expect(mail?.text).toContain(`Please quote ${reference}`)
    expect(mail?.to).toEqual([email])
  })

  test('[PRIV-04] the Privacy Inquiry Form keeps its input if the API responds with 503, and a retry uses the same key', async ({
    page,
  }) => {
    const email = 'nora@example.test'
    const keys: (string | undefined)[] = []
    let isUp = false
    await page.route(REQUESTS, (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      return isUp
        ? route.fulfill({ status: 202, json: { reference: 'PR-2026-0042', dueOn: '2026-12-15' } })
        : route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            json: { title: 'Service Unavailable', status: 503, detail: 'The database is resting.' },
          })
    })
    await fill(page, email)
    await send(page).click()
    const alert = form(page).getByRole('alert')
    await expect(alert).toContainText('Your request wasn’t sent. The database is resting.')
    await expect(alert).toContainText(
      `Nothing you typed is lost: try again, or email ${config.controller.privacyEmail}.`,
    )
    await expectFilled(page, email)
    await expect(page.locator('.toast-g')).toHaveCount(0)
    isUp = true
    await send(page).click()
    await expect(page.locator('.toast-message')).toHaveText([
      'We’ve received your request PR-2026-0042.',
    ])
    await expect(alert).toHaveCount(0)
    // The response doesn't mention an email, so the page doesn't either.
    await expect(form(page)).toContainText('We’ve received your request PR-2026-0042')
    await expect(form(page)).not.toContainText('emailed')
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
  })

  test('[PRIV-04] the Privacy Inquiry Form keeps its input if the site can’t be reached', async ({
    page,
  }) => {
    await page.route(REQUESTS, (route) => route.abort())
    await fill(page, 'nora@example.test')
    await send(page).click()
    await expect(form(page).getByRole('alert')).toContainText(
      'Your request wasn’t sent. We couldn’t reach the server. Check your connection and try again.',
    )
    await expectFilled(page, 'nora@example.test')
  })

  test('[PRIV-04] the Privacy Inquiry Form’s input survives a reload except the confirmation, and is deleted once sent', async ({
    page,
  }) => {
    const email = `nora-${crypto.randomUUID()}@example.test`
    await fill(page, email)
    await page.reload()
    await expect(form(page).getByLabel('Email')).toHaveValue(email)
    await expect(form(page).getByLabel('Message')).toHaveValue(
      'Please delete what you keep about me.',
    )
    await expect(form(page).getByLabel('Subject')).toHaveValue('deletion')
    await confirmation(page).check()
    await send(page).click()
    await expect(form(page)).toContainText('We’ve emailed you the reference.')
    await page.reload()
    await expect(form(page).getByLabel('Email')).toHaveValue('')
  })

  test('[PRIV-04] the honeypot field is hidden from users', async ({ page }) => {
    const trap = page.locator('#field-website')
    await expect(trap).toHaveCount(1)
    await expect(trap).not.toBeInViewport()
    await page.setViewportSize({ width: 390, height: 844 })
    await trap.evaluate((field) => field.closest('form')?.scrollIntoView())
    await expect(trap).not.toBeInViewport()
    await expect(page.getByText('Leave this field empty')).not.toBeInViewport()
    await page.setViewportSize({ width: 1280, height: 720 })
    await expect(form(page).getByRole('textbox')).toHaveCount(3)
    await expect(form(page).getByRole('textbox', { name: 'Leave this field empty' })).toHaveCount(0)
    await form(page).getByLabel('Name', { exact: true }).focus()
    const visited = ['field-name']
    while (visited.at(-1) !== 'Send request' && visited.length < 12) {
      await page.keyboard.press('Tab')
      visited.push(
        await page.evaluate(
          () => document.activeElement?.id || document.activeElement?.textContent || '',
        ),
      )
    }
    expect(visited).toEqual([
      'field-name',
      'field-email',
      'field-subject',
      'field-message',
      'field-confirmed',
      'Send request',
    ])
  })
})

/** Ignores line breaks of the PDF's layout. */
const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, '')

async function textOf(pdf: Buffer) {
  const file = join(await mkdtemp(join(tmpdir(), 'gatehouse-notice-')), 'notice.pdf')
  await writeFile(file, pdf)
  const { stdout } = await promisify(execFile)('pdftotext', ['-raw', file, '-'])
  return stdout
}
