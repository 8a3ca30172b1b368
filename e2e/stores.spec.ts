import type { Page } from '@playwright/test'
import pg from 'pg'
import { readSettings } from '../tools/stack/settings.ts'
import { expect, register, removeAccount, signIn, test, unique, untilMail } from './kit.ts'
import { isDeclared, columnsContaining } from './find-personal-data.ts'

test('all personal data in both databases is in declared columns, and an undeclared column is detected', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const suffix = crypto.randomUUID().slice(0, 8)
  const email = `nora.${suffix}@client.example`
  const input = {
    name: `Quill${suffix}`,
    subject: unique('Printer'),
    message: `It hums ${suffix} all day`,
    reply: `It stopped ${suffix} today`,
    inquiry: `What do you keep ${suffix} of me`,
  }
  await page.goto('/contact')
  await fill(page, {
    'Full name': `Nora ${input.name}`,
    Email: email,
    Subject: input.subject,
    Message: input.message,
  })
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
  const account = await register(page, { username: `nora-${suffix}`, email, lastName: input.name })
  await expect(page.getByLabel('Subject')).toHaveValue(input.subject)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Your message has been sent!')).toBeVisible()
  await untilMail(email, (mail) => mail.subject.includes('#'))

  await page.goto('/requests')
  await page.getByRole('link', { name: input.subject }).click()
  await page.getByLabel('Your reply').fill(input.reply)
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByText(input.reply)).toBeVisible()

  await page.goto('/privacy')
  const inquiry = page.getByRole('region', { name: 'Privacy Inquiry Form' })
  await inquiry.getByLabel('Name', { exact: true }).fill(`Nora ${input.name}`)
  await inquiry.getByLabel('Email').fill(email)
  await inquiry.getByLabel('Subject').selectOption('access')
  await inquiry.getByLabel('Message').fill(input.inquiry)
  await inquiry.getByRole('checkbox').check()
  await inquiry.getByRole('button', { name: 'Send request' }).click()
  await expect(inquiry).toContainText('We’ve received your request')
  await untilMail(email, (mail) => mail.subject.startsWith('Privacy request'))

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await signIn(page, account)

  const [person] = await runQuery(
    `select sub, ref::text from subject_refs join accounts using (sub) where email = $1`,
    [email],
  )
  const searched = { ...input, email, username: account.username, ...person }
  await runQuery(`create table planted_notes as select '${email}'::text as note`)
  try {
    const traces = await columnsContaining(searched)
    expect(traces.filter(({ column }) => !isDeclared(column))).toEqual([
      { column: 'planted_notes.note', what: 'email' },
    ])
    // Guards against an empty scan.
    expect(traces.length).toBeGreaterThan(20)
  } finally {
    await runQuery('drop table planted_notes')
    await removeAccount(account.username)
  }
})

async function fill(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value)
}

async function runQuery(text: string, values: string[] = []): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: readSettings().databaseUrl('postgres') })
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
