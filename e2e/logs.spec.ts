import { readFileSync } from 'node:fs'
import { call, expect, signInAndOpen, test, unique } from './kit.ts'
import { expectAccessible } from './axe-check.ts'

test('an owner sees which accounts read a client’s notes, at a shareable URL', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin, '/desk')
  const name = unique('Harbour')
  const { id } = await call(page, 'POST', 'organisations', { name, notes: 'Pays late' })
  await page.goto(`/organisations/${id}`)
  await page.getByRole('link', { name: 'Who read it' }).click()
  await expect(page).toHaveURL(`/security-events?kind=read&record=${id}`)
  // Written within a second after the response.
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('row', { name })).toHaveCount(1, { timeout: 1_000 })
  }).toPass({ timeout: 5_000 })
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('Read personal data')
  await expect(row).toContainText('(you)')
  await row.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('the change log shows changed fields, filters, and exports the filtered events', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin, '/desk')
  const name = unique('=Quay')
  const { id } = await call(page, 'POST', 'organisations', { name, notes: 'Pays late' })
  await call(page, 'PUT', `organisations/${id}`, { notes: 'Pays on time' })
  await page.goto('/desk')
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await page.getByRole('main').getByLabel('Records').selectOption('Organisations')
  await page.getByLabel('Person').selectOption('You')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(/model=organisations/)
  const rows = page.getByRole('row', { name })
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('Changed · Notes')
  await expect(page.locator('main')).not.toContainText('Pays on time')

  await page.goto(`/changes?model=organisations&record=${id}`)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  const text = readFileSync(await (await saving).path(), 'utf8')
  expect(text.trim().split('\r\n')).toHaveLength(3)
  expect(text).toContain(`,'${name},`)
  await page.goto('/security-events?kind=exported&person=me')
  await expect(page.getByRole('row', { name: 'Log of changes' }).first()).toBeVisible()
})

test('axe finds nothing in the logs, with entries, without, and as a table', async ({
  page,
  admin,
}) => {
  test.setTimeout(90_000)
  await signInAndOpen(page, admin, '/security-events')
  for (const path of ['/security-events', '/changes', '/changes?from=2020-01-01&to=2020-01-02']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const table = page.getByText('As a table')
    if (path === '/security-events' && (await table.isVisible())) await table.click()
    await expectAccessible(page, path)
  }
  await expect(page.getByText('Nothing was changed for these filters.')).toBeVisible()
})

test('a client can’t open the logs', async ({ page, user }) => {
  await signInAndOpen(page, user, '/')
  for (const path of ['security-events', 'security-events/export', 'changes', 'changes/export'])
    await expect(call(page, 'GET', path), path).rejects.toThrow('403')
  for (const path of ['/security-events', '/changes']) {
    await page.goto(path)
    await expect(page).toHaveURL('/unauthorised')
  }
})
